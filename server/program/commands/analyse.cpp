#include "program/commands/command.hpp"

#include "api/views/view.hpp"
#include "base/standard_streams.hpp"
#include "program/cli/common.hpp"
#include "program/cli/setting_options.hpp"
#include "program/client/remote.hpp"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>

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

// The progress of an analysis. On a terminal: one line that is rewritten. Else: a line for each
// settled level. To standard error.
class Progress {
public:
    explicit Progress(bool talkative)
        : talkative_{talkative || isatty(STDERR_FILENO) != 0}, terminal_{isatty(STDERR_FILENO) !=
                                                                         0} {}

    void show(const json& analysis) {
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

    // Leaves the cursor on a line of its own.
    void end() {
        if (dirty_) {
            std::cerr << '\n';
            dirty_ = false;
        }
    }

private:
    bool talkative_;
    bool terminal_;
    bool dirty_ = false;
    int settled_ = 0;
    std::size_t width_ = 0;
};

void print_report(const json& analysis, const json& node, const json& result, bool stopped) {
    std::ostream& out = std::cout;
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
    if (const json& best = analysis["best"]; best.is_object() && best.contains("court")) {
        std::string together;
        for (const json& move : best["court"]) {
            together += (together.empty() ? "" : ", ") + move["san"].get<std::string>();
        }
        out << fmt::format(
            "\nanswer: {}: {} were searched together{}\n", best["san"].get<std::string>(), together,
            best.contains("tree") ? "; the tree alone has " + best["tree"]["san"].get<std::string>()
                                  : "");
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

constexpr int poll_ms = 100;

struct AnalyseOptions {
    CommonOptions common;
    std::string position;
    std::string engine;
    SettingOptions settings;
    std::string pgn;
    bool print_json = false;
    bool verdict = false;
};

// What the command asks for, in the words of POST analyses.
json wanted_json(const AnalyseOptions& options, const chess::PositionText& root) {
    json wanted = options.settings.wanted();
    wanted["position"] = {{"fen", root.start.fen()}, {"moves", json::array()}};
    for (const json& move : line_json(root.start, root.moves)) {
        wanted["position"]["moves"].push_back(move["uci"]);
    }
    if (!options.engine.empty()) {
        wanted["engine"] = options.engine;
    }
    return wanted;
}

// The object that --json prints, from the analysis as the API shows it now and as it was at the
// start.
json result_json(const json& now, const json& before, const json& node, const json& pv) {
    const auto since = [&](const char* name) {
        return now[name].get<double>() - (before.is_null() ? 0.0 : before[name].get<double>());
    };
    const auto count = [](const json& analysis, const char* name) {
        return analysis.is_null() ? 0 : analysis["evaluations"][name].get<std::uint64_t>();
    };
    // All that it asked for counts here from this run's side: what an earlier run asked for is
    // reused. Where both asked, the tree rests on this run's answers as far as it can.
    const std::uint64_t fresh = count(now, "new") - count(before, "new");
    const std::uint64_t own = count(now, "new") - count(now, "unneeded");
    const std::uint64_t used = count(now, "reused") + own;
    const std::uint64_t own_now = std::min(fresh, own);
    return {{"id", now["id"]},
            {"fen", now["fen"]},
            {"refine", now["refine"]},
            {"settled", now["settled"]},
            {"state", now["state"]},
            {"terminal", node["terminal"]},
            {"clock", node["clock"]},
            {"clock_note", node["clock_note"]},
            {"best", now["best"]},
            {"pv", pv},
            {"evaluations",
             {{"new", fresh}, {"reused", used - own_now}, {"unneeded", fresh - own_now}}},
            {"positions", now["positions"]},
            {"nodes", static_cast<std::uint64_t>(since("nodes"))},
            {"engine_seconds", since("engine_seconds")}};
}

// The line of the answer, SAN. It is the node's own, but where the answer is not the best move by
// alpha (strategy `anchored` before a court). nullopt: the server is gone.
std::optional<json> answer_line(Remote& remote, const std::string& path, const json& analysis,
                                const json& node) {
    const json& own = node["pv"]["alpha"];
    const json& best = analysis["best"];
    json line = json::array();
    if (best.is_object() && (own.empty() || own.front()["uci"] != best["uci"])) {
        const auto below = remote.get(path + "/node?moves=" + best["uci"].get<std::string>());
        if (!below) {
            return std::nullopt;
        }
        line.push_back(best["san"]);
        for (const json& move : (*below)["pv"]["alpha"]) {
            line.push_back(move["san"]);
        }
        return line;
    }
    for (const json& move : own) {
        line.push_back(move["san"]);
    }
    return line;
}

bool over(const json& analysis) {
    const std::string state = analysis["state"];
    return state == "settled" || state == "exhausted" || state == "failed";
}

int run(Remote& remote, const AnalyseOptions& options, const json& wanted) {
    const auto made = remote.start(wanted);
    if (!made) {
        return refused(made.error());
    }
    const std::string path = "/api/v1/analyses/" + std::to_string(made->id);
    Progress progress{!options.print_json};
    json now;
    bool stopped = false;
    while (true) {
        auto analysis = remote.get(path);
        if (!analysis) {
            return failed(analysis.error());
        }
        now = std::move(*analysis);
        progress.show(now);
        if (over(now)) {
            break;
        }
        if (remote.hopeless(now)) {
            progress.end();
            remote.abandon(made->id);
            return failed(now["reason"].get<std::string>());
        }
        if (next_stop_signal(poll_ms)) {
            stopped = true;
            break;
        }
    }
    progress.end();
    const auto node = remote.get(path + "/node?moves=");
    if (!node) {
        return failed(node.error());
    }
    if (!options.pgn.empty()) {
        const auto text = remote.text(
            path + "/export?format=pgn&margin=" + now["strategy"]["move_distance"].dump());
        if (!text) {
            return failed(text.error());
        }
        std::ofstream out{options.pgn, std::ios::binary};
        out << *text;
        out.close();
        if (!out) {
            return failed("cannot write " + options.pgn);
        }
    }
    const auto pv = answer_line(remote, path, now, *node);
    if (!pv) {
        return failed("the line of the answer cannot be read");
    }
    json result = result_json(now, made->before, *node, *pv);
    if (options.verdict) {
        auto verdict = remote.get(path + "/verdict");
        if (!verdict) {
            return failed(verdict.error());
        }
        result["verdict"] = std::move(*verdict);
    }
    if (options.print_json) {
        std::cout << result.dump() << std::endl;
    } else {
        print_report(now, *node, result, stopped);
        if (options.verdict) {
            std::cout << result["verdict"].value("text", "there is no answer to be sure of")
                      << std::endl;
        }
    }
    if (now["state"] == "failed") {
        return failed(now["reason"].is_null() ? "the analysis failed"
                                              : now["reason"].get<std::string>());
    }
    return exit_done;
}

int analyse(const AnalyseOptions& options) {
    if (options.settings.contradict()) {
        return bad_use("give one of --depth, --nodes and --movetime");
    }
    const auto root = position_of_argument(options.position);
    if (!root) {
        return bad_use(root.error());
    }
    if (const std::string problem = write_problem(options.pgn); !problem.empty()) {
        return bad_use("--pgn: " + problem);
    }
    const json wanted = wanted_json(options, *root);
    return with_engines(options.common, options.engine,
                        [&](Remote& remote) { return run(remote, options, wanted); });
}

} // namespace

void add_analyse(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<AnalyseOptions>();
    CLI::App* command =
        app.add_subcommand("analyse", "analyse one position and stop when it is settled");
    command
        ->add_option("position", options->position,
                     "FEN, EPD record, startpos, moves (\"1. e4 c5 2. Nf3\" or e2e4 c7c5), an "
                     "opening (najdorf), or the name of a PGN or EPD file, whose first game or "
                     "record is meant")
        ->required()
        ->type_name("POSITION");
    options->common.add_to(*command);
    command->add_option("--engine", options->engine,
                        "engine profile of the config (default: the first)");
    options->settings.add_to(*command);
    command->add_option("--pgn", options->pgn, "write the lines to this file")->type_name("FILE");
    command->add_flag("--verdict", options->verdict,
                      "tell how likely the answer is to stand, and what it rests on");
    command->add_flag("--json", options->print_json, "print one JSON object at the end");
    command->callback([options, &chosen] { chosen = [options] { return analyse(*options); }; });
}

} // namespace adjourn::server
