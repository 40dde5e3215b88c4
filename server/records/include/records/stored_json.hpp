// Reading JSON that stands in the store, perhaps written by another program or damaged: whatever it
// is, something comes of it. What cannot be understood gets its default, numbers beyond their range
// its end, and each is told.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

using Findings = std::vector<std::string>;

// The text as JSON, or null and a finding. Nested no deeper than a request's body may be.
nlohmann::json parse_stored_json(const std::string& text, Findings& findings);

class StoredObject {
public:
    // Acts as an empty object where `in` is none. `in` and `findings` must outlive it.
    StoredObject(const nlohmann::json& in, std::string path, Findings& findings);
    StoredObject(const StoredObject&) = delete;
    StoredObject& operator=(const StoredObject&) = delete;
    ~StoredObject(); // finds the fields that nobody has read

    // Absent, or of another type and told: nullopt or null.
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t least,
                                        std::int64_t most);
    std::optional<double> number(std::string_view name, double least, double most);
    std::optional<bool> boolean(std::string_view name);
    std::optional<std::string> text(std::string_view name);
    const nlohmann::json* object(std::string_view name);
    const nlohmann::json* array(std::string_view name);
    const nlohmann::json* value(std::string_view name); // of any type

    std::string path_of(std::string_view name) const;
    void find(std::string_view name, const std::string& what);

private:
    const nlohmann::json* typed(std::string_view name, bool (*is)(const nlohmann::json&),
                                const char* must);

    const nlohmann::json* in_;
    std::string path_;
    Findings& findings_;
    std::set<std::string, std::less<>> read_;
};

} // namespace adjourn::server
