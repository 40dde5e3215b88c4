#include "files/site/site_feed.hpp"

#include "base/text.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdio>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr std::size_t most_of_a_kind = 10;

std::string score_word(const json& score) {
    if (!score.is_object()) {
        return "–";
    }
    if (score.contains("cp")) {
        const int cp = score["cp"];
        std::array<char, 24> text{};
        std::snprintf(text.data(), text.size(), "%+.2f", cp / 100.0);
        return cp == 0 ? "0.00" : text.data();
    }
    if (score.contains("mate")) {
        return "#" + score["mate"].dump();
    }
    return score.value("tb", "");
}

std::string sans_of(const json& line) {
    std::string out;
    for (const json& step : line) {
        out += (out.empty() ? "" : " ") +
               (step.is_string() ? step.get<std::string>() : step.value("san", ""));
    }
    return out;
}

std::string from_to(const json& before, const json& after) {
    return before.is_null() ? score_word(after) + " (new)"
                            : score_word(before) + " → " + score_word(after);
}

void add_line(std::string& text, const std::string& line) {
    text += line + "\n";
}

// Rows of a kind whose value has changed: at most so many, and how many more.
template <class Line>
void add_rows(std::string& text, const char* title, const json& rows, Line line) {
    std::string lines;
    std::size_t told = 0;
    std::size_t more = 0;
    for (const json& row : rows) {
        const std::string said = line(row);
        if (said.empty()) {
            continue;
        }
        if (told == most_of_a_kind) {
            ++more;
            continue;
        }
        ++told;
        add_line(lines, "  " + said);
    }
    if (told > 0) {
        add_line(text, title);
        text += lines;
    }
    if (more > 0) {
        add_line(text, "  and " + std::to_string(more) + " more");
    }
}

std::string atom_time(std::int64_t ms) {
    const std::chrono::sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds{ms}};
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(at)};
    const std::chrono::hh_mm_ss time{std::chrono::floor<std::chrono::seconds>(at) -
                                     std::chrono::floor<std::chrono::days>(at)};
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                  static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                  static_cast<unsigned>(day.day()), static_cast<int>(time.hours().count()),
                  static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()));
    return text.data();
}

} // namespace

// A UUID of version 8 (RFC 9562): its bits are two hashes of the name, FNV-1a by Fowler, Noll and
// Vo.
std::string feed_id(std::string_view name) {
    const auto hash = [&](std::uint64_t start) {
        for (const char c : name) {
            start = (start ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        }
        return start;
    };
    const std::uint64_t high = (hash(0xcbf29ce484222325U) & ~0xf000U) | 0x8000U;
    const std::uint64_t low = (hash(0x84222325cbf29ce4U) >> 2U) | (1ULL << 63U);
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "urn:uuid:%08x-%04x-%04x-%04x-%012llx",
                  static_cast<unsigned>(high >> 32U), static_cast<unsigned>(high >> 16U & 0xffffU),
                  static_cast<unsigned>(high & 0xffffU), static_cast<unsigned>(low >> 48U),
                  static_cast<unsigned long long>(low & 0xffffffffffffU));
    return text.data();
}

std::optional<FeedEntry> changed_entry(const json& changes, std::int64_t at) {
    const json& best = changes.at("best");
    const json& alpha = changes.at("alpha");
    const bool quiet = changes.at("evaluations") == 0 && best.at("before") == best.at("after") &&
                       alpha.at("before") == alpha.at("after");
    if (quiet) {
        return std::nullopt;
    }
    FeedEntry entry;
    entry.at = at;
    const std::string now =
        best.at("after").is_string() ? best.at("after").get<std::string>() : "no move yet";
    const bool turned = best.at("before").is_string() && best.at("before") != best.at("after");
    entry.title = turned ? best.at("before").get<std::string>() + " → " + now : now;
    entry.title += " " + (alpha.at("before") == alpha.at("after") || alpha.at("before").is_null()
                              ? score_word(alpha.at("after"))
                              : from_to(alpha.at("before"), alpha.at("after")));
    const std::int64_t evaluations = changes.at("evaluations");
    add_line(entry.text, std::to_string(evaluations) +
                             (evaluations == 1 ? " new evaluation" : " new evaluations"));
    if (!best.at("before").is_null()) {
        add_line(entry.text, "Best line: " + sans_of(changes.at("pv").at("after")));
        add_rows(entry.text, "Root moves:", changes.at("moves"), [](const json& row) {
            return row.at("before") == row.at("after")
                       ? std::string{}
                       : row.at("san").get<std::string>() + " " +
                             from_to(row.at("before"), row.at("after"));
        });
        add_rows(entry.text, "New best moves:", changes.at("new_best"), [](const json& row) {
            return row.at("line").empty()
                       ? std::string{}
                       : sans_of(row.at("line")) + ": " + row.at("after").value("san", "") +
                             " instead of " + row.at("before").value("san", "");
        });
        add_rows(entry.text, "Biggest swings:", changes.at("swings"), [](const json& row) {
            return sans_of(row.at("line")) + " " + from_to(row.at("before"), row.at("after"));
        });
        add_rows(entry.text, "New lines:", changes.at("new_lines"), [](const json& row) {
            return sans_of(row.at("line")) + " " + score_word(row.at("alpha"));
        });
    }
    return entry;
}

std::string markup_text(const std::string& text) {
    std::string out;
    // U+FFFE and U+FFFF are no characters of XML.
    for (const char c :
         base::replaced(base::replaced(text, "\xef\xbf\xbe", ""), "\xef\xbf\xbf", "")) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default:
            if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') {
                out += c;
            }
        }
    }
    return out;
}

std::string atom_feed(const Feed& feed, const std::string& name) {
    std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                      "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n";
    const std::int64_t updated = feed.entries.empty() ? 0 : feed.entries.front().at;
    out += "<id>" + markup_text(feed.id) + "</id>\n<title>" + markup_text(name) +
           "</title>\n<updated>" + atom_time(updated) +
           "</updated>\n<author><name>Adjourn</name></author>\n<link href=\"index.html\"/>\n"
           "<link rel=\"self\" href=\"changes.xml\"/>\n";
    for (const FeedEntry& entry : feed.entries) {
        out += "<entry>\n<id>" + markup_text(entry.id) + "</id>\n<title>" +
               markup_text(entry.title) + "</title>\n<updated>" + atom_time(entry.at) +
               "</updated>\n<link href=\"index.html\"/>\n<content type=\"text\">" +
               markup_text(entry.text) + "</content>\n</entry>\n";
    }
    return out + "</feed>\n";
}

} // namespace adjourn::server
