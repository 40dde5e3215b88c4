// RequestObject: settings in the body of a call, read strictly. What is wrong is remembered by the
// body's reader; its finish() has the first problem.
#pragma once

#include "records/setting_reader.hpp"
#include "requests/json.hpp"

namespace adjourn::server {

class RequestObject final : public SettingReader {
public:
    explicit RequestObject(http::ObjectReader reader) : reader_{std::move(reader)} {}

    bool has(std::string_view name) const override { return reader_.has(name); }
    bool has_object(std::string_view name) const override;
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t least,
                                        std::int64_t most) override;
    std::optional<double> number(std::string_view name, double least, double most) override;
    std::optional<bool> boolean(std::string_view name) override;
    std::optional<std::string> text(std::string_view name) override;
    std::optional<std::vector<std::string>> texts(std::string_view name, std::size_t most) override;
    std::unique_ptr<SettingReader> object(std::string_view name) override;
    std::optional<std::vector<std::unique_ptr<SettingReader>>> objects(std::string_view name,
                                                                       std::size_t most) override;

    std::string path_of(std::string_view name) const override { return reader_.path_of(name); }
    void wrong(std::string_view name, const std::string& message) override;
    void missing(std::string_view name) override { (void)reader_.value(name); }
    std::size_t problems() const override { return reader_.problems(); }
    bool knows_former_names() const override { return false; }

private:
    http::ObjectReader reader_;
};

} // namespace adjourn::server
