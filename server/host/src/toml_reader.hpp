// TomlReader: reads one TOML document and remembers the first complaint with its place.
#pragma once

#include "api/webhooks/webhooks.hpp"
#include "engine_bridge/process/profile.hpp"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

class TomlReader {
public:
    explicit TomlReader(std::string file) : file_{std::move(file)} {}

    bool failed() const { return !problem_.empty(); }
    const std::string& problem() const { return problem_; } // "FILE:line:column: what is wrong"

    void complain(const toml::source_region& where, const std::string& what);

    // One line of text: no control characters.
    void string(const toml::node& node, std::string_view key, std::string& out);
    // The same, and not empty: whoever writes an empty token does not mean that there is none.
    void filled(const toml::node& node, std::string_view key, std::string& out);
    // The same, and as a request can show it.
    void secret(const toml::node& node, std::string_view key, std::string& out);
    void choice(const toml::node& node, std::string_view key,
                std::span<const std::string_view> choices, std::string& out);
    void strings(const toml::node& node, std::string_view key, std::vector<std::string>& out);
    // Program and arguments, which may have line breaks.
    void command(const toml::node& node, std::vector<std::string>& out);
    void number(const toml::node& node, std::string_view key, std::int64_t least, std::int64_t most,
                std::uint64_t& out);
    engine_bridge::Profile engine(const toml::table& table);
    // Of [[webhook]]; each with a name that no other has.
    std::vector<WebhookSettings> webhooks(const toml::node& node);

private:
    void any_string(const toml::node& node, std::string_view key, std::string& out);
    void options(const toml::node& node, std::map<std::string, std::string>& out);
    WebhookSettings webhook(const toml::table& table);

    std::string file_;
    std::string problem_;
};

} // namespace adjourn::server
