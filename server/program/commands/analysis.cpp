// What is asked and told of analyses that are there: `advance`, `extend`, `renew`, `summary`,
// `link`, `directives` and `gaps`.
#include "program/commands/command.hpp"

#include "http/requests/target.hpp"
#include "program/cli/common.hpp"
#include "program/client/remote.hpp"

#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <tuple>

namespace adjourn::server {

using nlohmann::json;

namespace {

struct AskedOptions { // of all these commands
    CommonOptions common;
    std::int64_t id = 0;
    std::vector<std::string> moves;
    int back = 0;
    double hours = 0;
    int levels = 0;
    std::int64_t positions = 0;
    std::int64_t nodes = 0;
    std::string engine;
    bool all = false;
    double since = 12;     // hours
    std::string name;      // of a link
    std::int64_t file = 0; // 0: the whole analysis
    bool list = false;
    std::int64_t revoke = 0; // 0: none
    std::string side;        // of gaps, as the following ones
    std::string names;
    std::string collection;
    int games = 5;
    int within = 30;
    int limit = 20;
    bool own_only = false;
    bool print_json = false;

    std::string path(const char* call) const {
        return "/api/v1/analyses/" + std::to_string(id) + call;
    }
};

// Prints it as JSON, where that is wished, else as `tell` does.
int told(const Remote::Or<json>& answer, const AskedOptions& options,
         const std::function<void(const json&)>& tell) {
    if (!answer) {
        return failed(answer.error());
    }
    if (options.print_json) {
        std::cout << answer->dump() << "\n";
    } else {
        tell(*answer);
    }
    return exit_done;
}

void print_analysis(const json& now) {
    const std::string reason = now["reason"].is_string() ? now["reason"].get<std::string>() : "";
    const std::string moves = now["san"].get<std::string>();
    std::cout << "analysis " << now["id"] << ", " << now["name"].get<std::string>() << ": "
              << now["state"].get<std::string>() << (reason.empty() ? "" : ", " + reason) << "\n"
              << "after " << (moves.empty() ? "no move" : moves) << "\n";
}

int advance(const AskedOptions& options) {
    if (options.moves.empty() && options.back == 0) {
        return bad_use("name the moves that were played, or --back with how many to take back");
    }
    const std::string moves = fmt::format("{}", fmt::join(options.moves, " "));
    json body = json::object();
    if (!moves.empty()) {
        body["moves"] = moves;
    }
    if (options.back > 0) {
        body["back"] = options.back;
    }
    return with_store(options.common, [&](Remote& remote) {
        return told(remote.post(options.path("/advance"), body), options, print_analysis);
    });
}

int extend(const AskedOptions& options) {
    json body = json::object();
    for (const auto& [name, value] : {std::pair<const char*, json>{"hours", options.hours},
                                      {"levels", options.levels},
                                      {"positions", options.positions},
                                      {"nodes", options.nodes}}) {
        if (value != 0) {
            body[name] = value;
        }
    }
    if (body.size() != 1) {
        return bad_use("say one of --hours, --levels, --positions and --nodes");
    }
    return with_store(options.common, [&](Remote& remote) {
        return told(remote.post(options.path("/extend"), body), options, print_analysis);
    });
}

// ---- another engine ----

void print_renewal(const json& now) {
    const json& renewal = now["renewal"];
    const std::string name = now["name"];
    if (renewal.is_null()) {
        std::cout << "analysis " << now["id"] << ", " << name << ": not renewed\n";
        return;
    }
    std::cout << fmt::format("analysis {}, {}, {} after {}: {}\n", now["id"].dump(), name,
                             now["engine"].get<std::string>(), renewal["engine"].get<std::string>(),
                             renewal["text"].get<std::string>());
    for (const json& answer : renewal["answers"]) {
        const json& then = answer["move"];
        const json& best = answer["best"];
        if (answer["state"] == "differs" || answer["state"] == "fell") {
            std::cout << fmt::format("    {} {}, now {}", then["san"].get<std::string>(),
                                     score_text(then["score"]), score_text(answer["now"]));
            std::cout << (answer["state"] == "fell"
                              ? "; the answer is " + best["san"].get<std::string>() + " " +
                                    score_text(best["score"])
                              : "")
                      << "\n";
        }
    }
}

// Of those with other engines, without what is paused, has failed or has no answer: by priority,
// then the least sure answer first.
Remote::Or<std::vector<std::int64_t>> to_renew(Remote& remote, const json& analyses,
                                               const std::string& engine) {
    std::vector<std::tuple<int, double, std::int64_t>> found;
    for (const json& one : analyses) {
        const std::int64_t id = one["id"];
        if (one["engine"] == engine || one["hold"] == true || one["state"] == "failed" ||
            one["best"].is_null()) {
            continue;
        }
        const auto verdict = remote.get("/api/v1/analyses/" + std::to_string(id) + "/verdict");
        if (!verdict) {
            return std::unexpected(verdict.error());
        }
        const double sure = verdict->value("cost", std::numeric_limits<double>::infinity());
        found.emplace_back(-one["priority"].get<int>(), sure, id);
    }
    std::ranges::sort(found);
    std::vector<std::int64_t> ids;
    for (const auto& [priority, sure, id] : found) {
        ids.push_back(id);
    }
    return ids;
}

int renew_all(Remote& remote, AskedOptions options, const json& body) {
    const auto all = remote.get("/api/v1/analyses");
    if (!all) {
        return failed(all.error());
    }
    const auto ids = body.empty() ? Remote::Or<std::vector<std::int64_t>>{std::in_place}
                                  : to_renew(remote, (*all)["analyses"], options.engine);
    if (!ids) {
        return failed(ids.error());
    }
    int code = exit_done;
    for (const std::int64_t id : *ids) {
        options.id = id;
        code =
            std::max(code, told(remote.post(options.path("/renew"), body), options, print_renewal));
    }
    bool any = !ids->empty();
    for (const json& one : (*all)["analyses"]) {
        if (body.empty() && !one["renewal"].is_null()) {
            told(one, options, print_renewal);
            any = true;
        }
    }
    if (!any) {
        std::cerr << (body.empty() ? "no analysis is renewed\n"
                                   : "there is no analysis to renew\n");
    }
    return code;
}

int renew(const AskedOptions& options) {
    if (options.all != (options.id == 0)) {
        return bad_use("name one analysis by its number, or --all of them");
    }
    if (options.hours != 0 && options.engine.empty()) {
        return bad_use("--hours is of a renewal that begins: name its --engine");
    }
    json body = json::object();
    if (!options.engine.empty()) {
        body["engine"] = options.engine;
    }
    if (options.hours != 0) {
        body["hours"] = options.hours;
    }
    return with_store(options.common, [&](Remote& remote) {
        return options.all ? renew_all(remote, options, body)
                           : told(body.empty() ? remote.get(options.path(""))
                                               : remote.post(options.path("/renew"), body),
                                  options, print_renewal);
    });
}

int summary(const AskedOptions& options) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now).count() -
                       std::llround(options.since * 3'600'000);
    const auto print = [&](const json& radar) {
        const std::size_t more = radar["more"];
        std::cout << fmt::format("In the last {} hours: {}.\n", options.since,
                                 counted(radar["entries"].size() + more, "change", "changes"));
        for (const json& entry : radar["entries"]) {
            const json& analysis = entry["analysis"];
            std::cout << "    " << analysis["id"] << "  " << analysis["name"].get<std::string>()
                      << ": " << entry["text"].get<std::string>() << "\n";
        }
        if (more > 0) {
            std::cout << "    and " << more << " more\n";
        }
    };
    return with_store(options.common, [&](Remote& remote) {
        return told(remote.get("/api/v1/radar?since=" + std::to_string(since)), options, print);
    });
}

// ---- links ----

std::string day_and_hour_of(const json& unix_ms) {
    const std::time_t seconds = unix_ms.get<std::int64_t>() / 1000;
    std::tm local{};
    localtime_r(&seconds, &local);
    return fmt::format("{:%Y-%m-%d %H:%M}", local);
}

void print_link(const json& link, const std::string& page) {
    const std::string name = link["name"];
    const json& file = link["file"];
    std::cout << link["id"] << "  " << day_and_hour_of(link["at"])
              << (name.empty() ? "" : "  " + name)
              << (file.is_null() ? "" : "  (file " + file.dump() + " alone)") << "\n    " << page
              << link["path"].get<std::string>() << "\n";
}

int make_link(Remote& remote, const AskedOptions& options) {
    json body = json::object();
    if (!options.name.empty()) {
        body["name"] = options.name;
    }
    if (options.file != 0) {
        body["file"] = options.file;
    }
    return told(remote.post(options.path("/links"), body), options, [&](const json& link) {
        std::cout << remote.page() << link["path"].get<std::string>() << "\n";
    });
}

int list_links(Remote& remote, const AskedOptions& options) {
    return told(remote.get(options.path("/links")), options, [&](const json& all) {
        if (all["links"].empty()) {
            std::cout << "analysis " << options.id << " is not shared\n";
        }
        for (const json& link : all["links"]) {
            print_link(link, remote.page());
        }
    });
}

int link(const AskedOptions& options) {
    if (options.list && options.revoke != 0) {
        return bad_use("say one of --list and --revoke");
    }
    if ((options.list || options.revoke != 0) && (!options.name.empty() || options.file != 0)) {
        return bad_use("--name and --file are of a new link");
    }
    return with_store(options.common, [&](Remote& remote) {
        if (options.list) {
            return list_links(remote, options);
        }
        if (options.revoke == 0) {
            return make_link(remote, options);
        }
        const auto gone = remote.remove(options.path("/links/") + std::to_string(options.revoke));
        if (!gone) {
            return failed(gone.error());
        }
        if (!options.print_json) {
            std::cout << "link " << options.revoke << " does not hold any more\n";
        }
        return exit_done;
    });
}

// ---- directives ----

std::string sans_of(const json& line) {
    std::string text;
    for (const json& move : line) {
        text += (text.empty() ? "" : " ") + move["san"].get<std::string>();
    }
    return text;
}

std::string place_of(const json& said) {
    std::string text = sans_of(said["line"]);
    if (said.contains("move")) {
        text += (text.empty() ? "" : " ") + said["move"]["san"].get<std::string>();
    }
    return text.empty() ? "the root" : text;
}

std::string effect_of(const json& said) {
    const json& effect = said["effect"];
    if (said.contains("text")) {
        return said["text"];
    }
    if (effect.is_null()) {
        return "";
    }
    if (effect.contains("state")) {
        return effect["state"];
    }
    if (effect.contains("plies")) {
        return fmt::format(
            "by {}; the best line goes on for {}, {}",
            counted(said["plies"].get<std::size_t>(), "ply", "plies"),
            counted(effect["plies"].get<std::size_t>(), "ply", "plies"),
            counted(effect["positions"].get<std::size_t>(), "position", "positions"));
    }
    if (effect["score"].is_null()) {
        return "no score yet";
    }
    std::string text = score_text(effect["score"]);
    if (effect["rank"].is_number()) {
        text += ", move " + effect["rank"].dump();
    }
    if (effect["loss"].is_number() && effect["best"].is_object() && effect["loss"] != 0) {
        const int loss = effect["loss"];
        text += fmt::format(", {} cp {} {}", std::abs(loss), loss > 0 ? "behind" : "better than",
                            effect["best"]["san"].get<std::string>());
    }
    return text + ", " + counted(effect["positions"].get<std::size_t>(), "position", "positions") +
           " below";
}

void print_directive(const json& said) {
    const bool off = said.contains("back");
    std::cout << fmt::format("{}  {:8} {}{}", day_and_hour_of(said["at"]),
                             said["action"].get<std::string>(), place_of(said),
                             off ? " (not below the root)" : "");
    if (const std::string effect = effect_of(said); !effect.empty()) {
        std::cout << ": " << effect;
    }
    if (said["holds"] == false) {
        std::cout << (said["why"] == "overtaken" ? " [no effect: a later one is about the same]"
                                                 : " [waits: its line is off the root]");
    }
    std::cout << "\n";
}

int directives(const AskedOptions& options) {
    return with_store(options.common, [&](Remote& remote) {
        return told(remote.get(options.path("/directives")), options, [](const json& all) {
            for (const json& said : all["directives"]) {
                print_directive(said);
            }
            if (all["directives"].empty()) {
                std::cout << "nothing was asked for\n";
            }
        });
    });
}

// ---- gaps ----

std::string as_percent(const json& share) {
    return fmt::format("{:.1f} %", 100 * share.get<double>());
}

void print_lines(const char* title, const json& lines) {
    if (!lines.empty()) {
        std::cout << title << "\n";
    }
    for (const json& one : lines) {
        const std::string line = sans_of(one["line"]);
        std::cout << fmt::format("{:>8}  {}", as_percent(one["likelihood"]),
                                 line.empty() ? "the root" : line);
        if (one["games"].get<std::uint64_t>() > 0) {
            std::cout << ", " << counted(one["games"], "game", "games");
        }
        std::cout << "\n";
    }
}

void print_left(const json& game) {
    std::cout << "    " << game["players"].get<std::string>() << ": " << sans_of(game["line"])
              << (game["mine"].is_null() ? ""
                  : game["mine"] == true ? ", mine"
                                         : ", theirs")
              << "; known: " << sans_of(game["known"]);
    if (game["loss"].is_number()) {
        const int loss = game["loss"];
        std::cout << fmt::format(", the move {} {:.2f}", loss < 0 ? "gains" : "loses",
                                 std::abs(loss) / 100.0);
    }
    std::cout << "\n";
}

void print_gaps(const json& found) {
    std::cout << (found["side"] == "white" ? "White: " : "Black: ")
              << counted(found["total"], "gap", "gaps") << ", "
              << counted(found["answered"], "position", "positions") << " answered\n";
    for (const json& cover : found["coverage"]) {
        std::cout << "    answered for " << cover["moves"]
                  << " moves: " << as_percent(cover["answered"])
                  << (cover["unseen"] > 0.001 ? ", not looked at: " + as_percent(cover["unseen"])
                                              : "")
                  << "\n";
    }
    print_lines("without an answer:", found["gaps"]);
    print_lines("where the games end:", found["ends"]);
    print_lines("hardly ever met:", found["seldom"]);
    if (!found["left"].empty()) {
        std::cout << "games that left the files:\n";
    }
    for (const json& game : found["left"]) {
        print_left(game);
    }
}

int gaps(const AskedOptions& options) {
    std::string query = fmt::format("/gaps?left=true&within={}&limit={}&own_only={}",
                                    options.within, options.limit, options.own_only);
    if (!options.collection.empty()) {
        query += fmt::format("&games={}&collection={}", options.games,
                             http::percent_encoded(options.collection));
    }
    json mine = json::object();
    for (const auto& [name, value] :
         {std::pair{"my_side", options.side}, {"my_names", options.names}}) {
        if (!value.empty()) {
            mine[name] = value;
        }
    }
    return with_store(options.common, [&](Remote& remote) {
        if (!mine.empty()) {
            if (const auto kept = remote.patch(options.path(""), mine); !kept) {
                return failed(kept.error());
            }
        }
        return told(remote.get(options.path(query.c_str())), options, print_gaps);
    });
}

CLI::App* add(CLI::App& app, Chosen& chosen, const char* name, const char* meaning,
              const std::shared_ptr<AskedOptions>& options, int (*run)(const AskedOptions&)) {
    CLI::App* command = app.add_subcommand(name, meaning);
    options->common.add_to(*command);
    command->add_flag("--json", options->print_json, "print the answer as JSON");
    command->callback(
        [options, run, &chosen] { chosen = [options, run] { return run(*options); }; });
    return command;
}

} // namespace

void add_advance(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<AskedOptions>();
    CLI::App* command =
        add(app, chosen, "advance", "the game went on: an analysis goes on after these moves",
            options, advance);
    add_analysis(*command, options->id);
    command->add_option("moves", options->moves, "moves that were played, such as Nf6 or g8f6")
        ->type_name("MOVES");
    command->add_option("--back", options->back, "take back so many of the last moves first")
        ->check(whole_number(1, 2'000));
}

void add_extend(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<AskedOptions>();
    CLI::App* command =
        add(app, chosen, "extend", "more work for an analysis that has ended, or would end",
            options, extend);
    add_analysis(*command, options->id);
    command->add_option("--hours", options->hours, "hours of all processes of its engine")
        ->check(CLI::Range(0.001, 100'000.0));
    command->add_option("--levels", options->levels, "settled levels")->check(whole_number(1, 200));
    command->add_option("--positions", options->positions, "expanded positions")
        ->check(whole_number(1, 1'000'000'000));
    command->add_option("--nodes", options->nodes, "nodes of its own searches")
        ->check(whole_number(1, 1'000'000'000'000'000));
}

void add_renew(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<AskedOptions>();
    CLI::App* command =
        add(app, chosen, "renew", "go on with another engine, and how much it has confirmed so far",
            options, renew);
    add_analysis(*command, options->id)->required(false);
    command->add_flag("--all", options->all,
                      "all that are not paused, in the order of how much their answers need it");
    command->add_option("--engine", options->engine,
                        "engine profile of the config; without it only print what is confirmed");
    command->add_option("--hours", options->hours, "until so many hours from now")
        ->check(CLI::Range(0.001, 100'000.0));
}

void add_summary(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<AskedOptions>();
    CLI::App* command =
        add(app, chosen, "summary", "what has changed in all analyses, as of this morning", options,
            summary);
    command->add_option("--hours", options->since, "in the last hours (default 12)")
        ->check(CLI::Range(0.001, 100'000.0));
}

void add_link(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<AskedOptions>();
    CLI::App* command = add(
        app, chosen, "link",
        "show an analysis to others: a link that can only read, listed and revoked", options, link);
    const auto number = whole_number(1, std::numeric_limits<std::int64_t>::max());
    add_analysis(*command, options->id);
    command->add_option("--name", options->name, "whom it is for");
    command->add_option("--file", options->file, "only this file of its games")->check(number);
    command->add_flag("--list", options->list, "print the links that hold");
    command->add_option("--revoke", options->revoke, "the link of this number holds no longer")
        ->check(number);
}

void add_directives(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<AskedOptions>();
    CLI::App* command =
        add(app, chosen, "directives",
            "what people asked for in an analysis, and what has come of it", options, directives);
    add_analysis(*command, options->id);
}

void add_gaps(CLI::App& app, Chosen& chosen) {
    const auto options = std::make_shared<AskedOptions>();
    CLI::App* command =
        add(app, chosen, "gaps",
            "where a repertoire has no answer, how much is answered, where games left it", options,
            gaps);
    add_analysis(*command, options->id);
    command
        ->add_option("--side", options->side, "my side; it is kept with the analysis, as --names")
        ->check(CLI::IsMember({"white", "black"}));
    command->add_option("--names", options->names,
                        "my names in the games of its files, with semicolons between them");
    command->add_option("--collection", options->collection, "games to compare with")
        ->type_name("NAME");
    command->add_option("--games", options->games, "from so many games a move matters (default 5)")
        ->check(whole_number(1, 1'000'000'000));
    command
        ->add_option("--within", options->within,
                     "centipawns behind their best move that matter (default 30)")
        ->check(whole_number(0, 1'000));
    command->add_flag("--own-only", options->own_only,
                      "only moves of files or included ones answer");
    command->add_option("--limit", options->limit, "of each list so many (default 20)")
        ->check(whole_number(1, 1'000));
}

} // namespace adjourn::server
