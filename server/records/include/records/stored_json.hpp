// Reading JSON from the store, which may be damaged or written by another program. It never fails:
// what is wrong gets its default, a number out of range the nearest end of the range, and each is
// reported in `findings`.
#pragma once

#include "records/setting_reader.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

using Findings = std::vector<std::string>;

// The text as JSON, or null and a finding. Nested no deeper than a request's body may be.
nlohmann::json parse_stored_json(const std::string& text, Findings& findings);

class StoredObject final : public SettingReader {
public:
    // Acts as an empty object if `in` is no object. `in` and `findings` must outlive it.
    StoredObject(const nlohmann::json& in, std::string path, Findings& findings);
    ~StoredObject() override; // reports the fields that were never read

    bool has(std::string_view name) const override;
    bool has_object(std::string_view name) const override;
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t least,
                                        std::int64_t most) override;
    std::optional<double> number(std::string_view name, double least, double most) override;
    std::optional<bool> boolean(std::string_view name) override;
    std::optional<std::string> text(std::string_view name) override;
    // Those that are texts, `most` at most.
    std::optional<std::vector<std::string>> texts(std::string_view name, std::size_t most) override;
    std::unique_ptr<SettingReader> object(std::string_view name) override;
    std::optional<std::vector<std::unique_ptr<SettingReader>>> objects(std::string_view name,
                                                                       std::size_t most) override;

    std::string path_of(std::string_view name) const override;
    void wrong(std::string_view name, const std::string& message) override;
    void missing(std::string_view name) override { wrong(name, "is missing"); }
    std::size_t problems() const override { return findings_.size(); }
    bool knows_former_names() const override { return true; }

private:
    const nlohmann::json* typed(std::string_view name, bool (*is)(const nlohmann::json&),
                                const char* must);

    const nlohmann::json* in_;
    std::string path_;
    Findings& findings_;
    std::set<std::string, std::less<>> read_;
};

} // namespace adjourn::server
