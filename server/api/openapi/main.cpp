// adjourn_openapi DESCRIPTION.yaml --check | --write: whether the ranges, defaults and meanings of
// settings are those of the tables (records/settings.hpp), and the formats of exports those of
// files/export/export.hpp; or puts them there.
#include "analysis/strategy.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/settings.hpp"
#include "files/export/export.hpp"

#include <spdlog/fmt/fmt.h>

#include <fstream>
#include <iostream>
#include <sstream>

using namespace adjourn;
using namespace adjourn::server;

namespace {

std::string number(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<double>(whole) == value ? std::to_string(whole) : fmt::format("{}", value);
}

// The schema of a setting, below its name.
std::string schema_of(const Setting& setting, const std::string& indent) {
    std::string text = fmt::format("{0}description: >-\n{0}  {1}\n", indent, setting.meaning);
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("{}{}: {}\n", indent, name, value);
    };
    switch (setting.kind) {
    case Setting::Kind::flag: line("type", "boolean"); break;
    case Setting::Kind::whole: line("type", "integer"); break;
    case Setting::Kind::number: line("type", "number"); break;
    case Setting::Kind::text:
        line("type", "string");
        line("maxLength", number(setting.most));
        break;
    case Setting::Kind::other: break;
    }
    if (setting.kind == Setting::Kind::whole || setting.kind == Setting::Kind::number) {
        line("minimum", number(setting.least));
        line("maximum", number(setting.most));
        if (setting.kind == Setting::Kind::whole && setting.most > 0x7fff'ffff) {
            line("format", "int64");
        }
    }
    if (setting.initial) {
        line("default", setting.kind == Setting::Kind::flag
                            ? (*setting.initial != 0 ? "true" : "false")
                            : number(*setting.initial));
    }
    return text;
}

std::string kinds_text(const std::string& indent) {
    std::string text = indent + "description: |\n";
    std::string names;
    for (const analysis::Strategy* strategy : analysis::strategies()) {
        text += fmt::format("{}  * `{}`: {}\n", indent, strategy->name(), strategy->meaning());
        names += (names.empty() ? "" : ", ") + std::string{strategy->name()};
    }
    return text + fmt::format("{0}type: string\n{0}enum: [{1}]\n{0}default: {2}\n", indent, names,
                              analysis::default_strategy);
}

std::string formats_text(const std::string& indent) {
    std::string names;
    for (const ExportFormat& format : export_formats()) {
        names += (names.empty() ? "" : ", ") + std::string{format.name};
    }
    return fmt::format("{0}type: string\n{0}enum: [{1}]\n{0}default: {2}\n", indent, names,
                       export_formats().front().name);
}

// What stands below a line "# settings: PREFIX" of that indent: the settings of the family.
std::string family_text(const std::string& family, const std::string& indent) {
    if (family == "strategy.kind") {
        return kinds_text(indent);
    }
    if (family == "export.format") {
        return formats_text(indent);
    }
    std::string text;
    for (const Setting& setting : all_settings()) {
        const std::string& place = setting.place;
        if (place == family) {
            text += schema_of(setting, indent);
        } else if (place.starts_with(family + ".") && setting.kind != Setting::Kind::other) {
            text += indent + place.substr(family.size() + 1) + ":\n";
            text += schema_of(setting, indent + "  ");
        }
    }
    return text;
}

// The text with what stands between "# settings: FAMILY" and "# end of settings" made anew.
std::string with_settings(const std::string& description) {
    constexpr std::string_view begin = "# settings: ";
    constexpr std::string_view end = "# end of settings";
    std::istringstream in{description};
    std::string out;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        const std::string indent(std::min(line.find_first_not_of(' '), line.size()), ' ');
        const std::string_view word = std::string_view{line}.substr(indent.size());
        inside = inside && word != end;
        if (!inside) {
            out += line + '\n';
        }
        if (word.starts_with(begin)) {
            out += family_text(std::string{word.substr(begin.size())}, indent);
            inside = true;
        }
    }
    return out;
}

std::string read(const std::string& file) {
    std::ifstream in{file, std::ios::binary};
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

int write(const std::string& file, const std::string& text) {
    std::ofstream out{file, std::ios::binary};
    out << text;
    out.close();
    if (!out) {
        std::cerr << "cannot write " << file << '\n';
        return 1;
    }
    return 0;
}

} // namespace

int main(int count, char** words) {
    const std::string file = count > 1 ? words[1] : "";
    const std::string what = count > 2 ? words[2] : "";
    const std::string text = read(file);
    if (text.empty()) {
        std::cerr << "cannot read " << file << '\n';
        return 1;
    }
    const std::string now = with_settings(text);
    if (what == "--write") {
        return now == text ? 0 : write(file, now);
    }
    if (now != text) {
        std::cerr << file << ": settings are not as in their tables; mend it by: " << words[0]
                  << ' ' << file << " --write\n";
        return 1;
    }
    return 0;
}
