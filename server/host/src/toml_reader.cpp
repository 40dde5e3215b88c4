#include "toml_reader.hpp"

#include "base/text.hpp"
#include "core/records/analysis_spec.hpp"

#include <algorithm>
#include <sstream>

namespace adjourn::server {

void TomlReader::complain(const toml::source_region& where, const std::string& what) {
    if (problem_.empty()) {
        std::ostringstream text;
        text << file_ << ":" << where.begin.line << ":" << where.begin.column << ": " << what;
        problem_ = text.str();
    }
}

void TomlReader::string(const toml::node& node, std::string_view key, std::string& out) {
    any_string(node, key, out);
    if (std::ranges::any_of(out, [](unsigned char c) { return c < ' ' || c == 0x7f; })) {
        complain(node.source(),
                 std::string{key} + " must not contain line breaks or other control characters");
    }
}

void TomlReader::filled(const toml::node& node, std::string_view key, std::string& out) {
    string(node, key, out);
    if (node.is_string() && out.empty()) {
        complain(node.source(),
                 std::string{key} + " must not be empty; leave the key out if there is none");
    }
}

void TomlReader::secret(const toml::node& node, std::string_view key, std::string& out) {
    filled(node, key, out);
    if (base::trimmed(out) != out) {
        complain(node.source(), std::string{key} + " must not begin or end with a space");
    }
}

void TomlReader::any_string(const toml::node& node, std::string_view key, std::string& out) {
    if (const auto* value = node.as_string()) {
        out = value->get();
    } else {
        complain(node.source(), std::string{key} + " must be a string");
    }
}

void TomlReader::choice(const toml::node& node, std::string_view key,
                        std::span<const std::string_view> choices, std::string& out) {
    std::string given;
    string(node, key, given);
    if (std::ranges::find(choices, given) != choices.end()) {
        out = given;
        return;
    }
    std::string all;
    for (const std::string_view each : choices) {
        all += (all.empty() ? "" : ", ") + std::string{each};
    }
    complain(node.source(), std::string{key} + " must be one of: " + all);
}

void TomlReader::strings(const toml::node& node, std::string_view key,
                         std::vector<std::string>& out) {
    const auto* array = node.as_array();
    if (array == nullptr) {
        complain(node.source(), std::string{key} + " must be a list of strings");
        return;
    }
    out.clear();
    for (const toml::node& item : *array) {
        std::string text;
        string(item, key, text);
        out.push_back(std::move(text));
    }
}

void TomlReader::command(const toml::node& node, std::vector<std::string>& out) {
    const auto* array = node.as_array();
    if (array == nullptr) {
        complain(node.source(), "command must be a list of strings");
        return;
    }
    for (const toml::node& item : *array) {
        any_string(item, "command", out.emplace_back());
        if (out.back().find('\0') != std::string::npos) { // no program can be given one
            complain(item.source(), "command must not contain a zero byte");
        }
    }
}

void TomlReader::number(const toml::node& node, std::string_view key, std::int64_t least,
                        std::int64_t most, std::uint64_t& out) {
    const auto* value = node.as_integer();
    if (value == nullptr || value->get() < least || value->get() > most) {
        complain(node.source(), std::string{key} + " must be a whole number from " +
                                    std::to_string(least) + " to " + std::to_string(most));
        return;
    }
    out = static_cast<std::uint64_t>(value->get());
}

engine_bridge::Profile TomlReader::engine(const toml::table& table) {
    engine_bridge::Profile profile;
    for (const auto& [key, node] : table) {
        const std::string_view name = key.str();
        if (name == "name") {
            string(node, "name", profile.name);
        } else if (name == "command") {
            command(node, profile.command);
        } else if (name == "count") {
            number(node, name, 1, 1024, profile.count);
        } else if (name == "reproducible") {
            if (const auto* value = node.as_boolean()) {
                profile.reproducible = value->get();
            } else {
                complain(node.source(), "reproducible must be true or false");
            }
        } else if (name == "memory") {
            std::uint64_t mebibytes = 0;
            number(node, name, 1, 1 << 20, mebibytes);
            profile.limits.memory_bytes = mebibytes << 20;
        } else if (name == "files") {
            profile.limits.files = 0;
            number(node, name, 16, 1 << 20, *profile.limits.files);
        } else if (name == "options") {
            options(node, profile.options);
        } else {
            complain(node.source(), "unknown key '" + std::string{name} + "' in [[engine]]");
        }
    }
    if (profile.name.empty()) {
        complain(table.source(), "[[engine]] needs a name");
    }
    if (profile.command.empty() || profile.command.front().empty()) {
        complain(table.source(), "engine '" + profile.name + "' needs a command");
    }
    if (profile.reproducible && profile.count != 1) {
        complain(table.source(),
                 "engine '" + profile.name + "' with reproducible = true needs count = 1");
    }
    return profile;
}

void TomlReader::options(const toml::node& node, std::map<std::string, std::string>& out) {
    const auto* table = node.as_table();
    if (table == nullptr) {
        complain(node.source(), "options must be a table, as { Threads = 1, Hash = 64 }");
        return;
    }
    const auto control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
    for (const auto& [key, value] : *table) {
        if (key.str().empty() || std::ranges::any_of(key.str(), control)) {
            complain(value.source(), "the name of an option must be one line of text");
        }
        std::ostringstream text;
        if (const auto* s = value.as_string()) {
            text << s->get();
        } else if (const auto* i = value.as_integer()) {
            text << i->get();
        } else if (const auto* b = value.as_boolean()) {
            text << (b->get() ? "true" : "false");
        } else if (const auto* f = value.as_floating_point()) {
            text << f->get();
        } else {
            complain(value.source(), "option '" + std::string{key.str()} +
                                         "' must be a string, a number or true/false");
        }
        if (text.str().find_first_of("\r\n") != std::string::npos) {
            complain(value.source(),
                     "option '" + std::string{key.str()} + "' must not contain a line break");
        }
        out[std::string{key.str()}] = text.str();
    }
}

WebhookSettings TomlReader::webhook(const toml::table& table) {
    WebhookSettings webhook;
    for (const auto& [key, node] : table) {
        const std::string_view name = key.str();
        if (name == "name") {
            string(node, name, webhook.name);
        } else if (name == "url") {
            string(node, name, webhook.url);
            if (const auto url = parse_webhook_url(webhook.url); !url) {
                complain(node.source(), "url of a webhook: " + url.error());
            }
        } else if (name == "secret") {
            filled(node, name, webhook.secret);
        } else if (name == "secret_file") {
            filled(node, name, webhook.secret_file);
        } else if (name == "events") {
            strings(node, name, webhook.events);
            for (std::string& event : webhook.events) {
                if (std::ranges::find(webhook_events, event) == webhook_events.end()) {
                    complain(node.source(), "events of a webhook are: settled, best, exhausted, "
                                            "failed, radar");
                }
            }
        } else if (name == "summary") {
            std::string time;
            string(node, name, time);
            webhook.summary = SummaryTime::parse(time);
            if (!webhook.summary) {
                complain(node.source(), "summary of a webhook is a time, each day or once a week, "
                                        "such as \"07:00\" or \"Mon 07:00\"");
            }
        } else {
            complain(node.source(), "unknown key '" + std::string{name} + "' in [[webhook]]");
        }
    }
    if (webhook.url.empty()) {
        complain(table.source(), "[[webhook]] needs a url");
    } else if (const auto url = parse_webhook_url(webhook.url); url && webhook.name.empty()) {
        webhook.name = url->server.authority;
    }
    if (!webhook.secret.empty() && !webhook.secret_file.empty()) {
        complain(table.source(), "secret and secret_file of a webhook are both set: keep one");
    }
    return webhook;
}

std::vector<WebhookSettings> TomlReader::webhooks(const toml::node& node) {
    constexpr std::size_t most = 8; // each has a thread
    std::vector<WebhookSettings> all;
    const auto* array = node.as_array();
    if (array == nullptr || !array->is_array_of_tables()) {
        complain(node.source(), "webhooks are written as [[webhook]] tables");
        return all;
    }
    for (const toml::node& item : *array) {
        WebhookSettings next = webhook(*item.as_table());
        if (std::ranges::find(all, next.name, &WebhookSettings::name) != all.end()) {
            complain(item.source(), "two webhooks are named '" + next.name + "'");
        }
        all.push_back(std::move(next));
    }
    if (all.size() > most) {
        complain(node.source(), "there are at most 8 webhooks");
    }
    return all;
}

} // namespace adjourn::server
