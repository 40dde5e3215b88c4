#include "program/cli/progress.hpp"

#include "base/standard_streams.hpp"
#include "program/cli/common.hpp"

#include <spdlog/fmt/fmt.h>

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

namespace adjourn::server {

using nlohmann::json;

namespace {

std::string duration_text(double seconds) {
    if (seconds < 60) {
        return fmt::format("{:.1f} s", seconds);
    }
    const auto whole = static_cast<long>(seconds);
    return whole < 3600 ? fmt::format("{}:{:02} min", whole / 60, whole % 60)
                        : fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string bar(int done, int of) {
    constexpr int cells = 12;
    std::string out = "[";
    for (int i = 0; i < cells; ++i) {
        out += i < cells * done / std::max(1, of) ? '#' : '.';
    }
    return out + "]";
}

std::string line_text(const json& a) {
    const int of = a["strategy"]["refine"];
    const int settled = a["settled"];
    std::string text = of == 0 ? fmt::format("depth {}", a["refine"].get<int>())
                               : fmt::format("{} depth {}/{}", bar(settled, of), settled, of);
    if (!a["best"].is_null()) {
        text += fmt::format("  {} {}", a["best"]["san"].get<std::string>(),
                            score_text(a["best"]["alpha"]));
    }
    text += fmt::format(
        "  {}  {}  {} of engine time",
        counted(a["positions"].get<std::size_t>(), "position", "positions"),
        counted(a["evaluations"]["new"].get<std::size_t>(), "evaluation", "evaluations"),
        duration_text(a["engine_seconds"]));
    if (!a["eta_seconds"].is_null()) {
        text += fmt::format("  about {} to go", duration_text(a["eta_seconds"]));
    }
    return text;
}

// Of a position at which the game is over.
std::string end_text(const json& node) {
    const std::string ended = node["terminal"];
    if (ended == "checkmate") {
        return std::string{"checkmate: "} + (node["turn"] == "white" ? "Black" : "White") +
               " has won";
    }
    if (ended == "seventy_five_moves") {
        return node["clock_note"];
    }
    return ended == "stalemate" ? "stalemate: a draw" : "draw: dead position";
}

} // namespace

std::string score_text(const json& score) {
    if (score.is_null()) {
        return "–";
    }
    if (score.contains("cp")) {
        return fmt::format("{:+.2f}", score["cp"].get<int>() / 100.0);
    }
    if (score.contains("mate")) {
        return fmt::format("#{}", score["mate"].get<int>());
    }
    return fmt::format("TB {} ({})", score["tb"].get<std::string>(), score["dtz"].get<int>());
}

Progress::Progress(bool talkative)
    : talkative_{talkative || isatty(STDERR_FILENO) != 0}, terminal_{isatty(STDERR_FILENO) != 0} {}

void Progress::show(const json& analysis) {
    if (!talkative_) {
        return;
    }
    const std::string text = line_text(analysis);
    if (terminal_) {
        const std::size_t width = std::max(width_, text.size());
        width_ = text.size();
        base::rewrite_line(text + std::string(width - text.size(), ' '));
        dirty_ = true;
        return;
    }
    if (const int settled = analysis["settled"]; settled > settled_) {
        settled_ = settled;
        std::cerr << text << '\n';
    }
}

void Progress::end() {
    if (dirty_) {
        std::cerr << '\n';
        dirty_ = false;
    }
}

void print_report(std::ostream& out, const json& analysis, const json& node, const json& result,
                  bool stopped) {
    out << fmt::format("\n{}{}\n", analysis["name"].get<std::string>(),
                       stopped ? " (stopped; run the command again to go on)" : "");
    if (const auto san = analysis["san"].get<std::string>(); !san.empty()) {
        out << san << '\n';
    }
    out << analysis["fen"].get<std::string>() << "\n\n";
    if (!node["terminal"].is_null()) {
        out << end_text(node) << '\n' << std::flush;
        return;
    }
    if (node["clock_note"].is_string()) {
        out << node["clock_note"].get<std::string>() << "\n\n";
    }
    out << fmt::format("  {:<10}{:>9}{:>9}{:>9}{:>7}{:>11}  {}\n", "move", "alpha", "idea",
                       "engine", "depth", "positions", "status");
    for (const json& move : node["moves"]) {
        const json& engine = move["engine"];
        out << fmt::format("  {:<10}{:>9}{:>9}{:>9}{:>7}{:>11}  {}\n",
                           move["san"].get<std::string>(), score_text(move["alpha"]),
                           score_text(move["idea"]),
                           engine.is_null() ? "–" : score_text(engine["score"]),
                           engine.is_null() ? 0 : engine.value("depth", 0),
                           move["positions"].get<std::size_t>(), move["status"].get<std::string>());
    }
    if (const json& best = analysis["best"]; best.is_object() && best.contains("anchor")) {
        out << fmt::format("\nanswer: {} (one long search: {} {}; the tree: {} {})\n",
                           best["san"].get<std::string>(), best["anchor"]["san"].get<std::string>(),
                           score_text(best["anchor"]["score"]),
                           best["tree"]["san"].get<std::string>(),
                           score_text(best["tree"]["score"]));
    }
    std::string pv;
    for (const json& san : result["pv"]) {
        pv += " " + san.get<std::string>();
    }
    out << "\nbest line:" << pv << "\n";
    out << fmt::format("settled to depth {}: {}; evaluations: {} new, {} reused; {} of "
                       "engine time\n",
                       result["settled"].get<int>(),
                       counted(result["positions"].get<std::size_t>(), "position", "positions"),
                       result["evaluations"]["new"].get<std::size_t>(),
                       result["evaluations"]["reused"].get<std::size_t>(),
                       duration_text(result["engine_seconds"]));
    out << std::flush;
}

Bar::Bar(std::string what) : what_{std::move(what)}, terminal_{isatty(STDERR_FILENO) != 0} {}

void Bar::show(std::uint64_t done, std::uint64_t of) {
    const int percent = static_cast<int>(100 * std::min(done, of) / std::max<std::uint64_t>(of, 1));
    if (!terminal_ || percent == percent_) {
        return;
    }
    percent_ = percent;
    constexpr int cells = 24;
    std::string cells_text;
    for (int i = 0; i < cells; ++i) {
        cells_text += i < cells * percent / 100 ? '#' : '.';
    }
    base::rewrite_line(what_ + " [" + cells_text + "] " + std::to_string(percent) + " %");
}

std::function<void(std::uint64_t, std::uint64_t)> Bar::advance() {
    return [this](std::uint64_t done, std::uint64_t of) { show(done, of); };
}

void Bar::end() {
    if (percent_ >= 0) {
        base::rewrite_line(std::string(what_.size() + 40, ' '));
        base::rewrite_line("");
        percent_ = -1;
    }
}

} // namespace adjourn::server
