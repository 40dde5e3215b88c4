// What people see, held against what was acknowledged.
#include "people.hpp"

#include "chess/notation.hpp"
#include "core/graphs/analysis_run.hpp"

#include <utility>

namespace adjourn::simulation {

using http::Method;

// Whether its budget ends before so many positions.
bool People::has_less(const json& analysis, std::int64_t positions) {
    const json& budget = analysis["budget"];
    return budget.is_object() && budget.contains("positions") && budget["positions"].is_number() &&
           budget["positions"] < positions;
}

void People::read(std::size_t who, KeptAnalysis& of) {
    const auto must = [this, &of](const std::string& what) {
        return [this, &of, what](int status, const json&) {
            if (status == 404 && of.there.known() && of.there.sure()) {
                world_.violated(what + " of " + of.tag + " is not found");
            }
        };
    };
    if (of.told && world_.chance.one_in(2)) {
        ask_changes(who, of);
        return;
    }
    switch (world_.chance.between(0, 18)) {
    case 12:
        send(who, Method::get, "/analyses", {}, [this](int status, const json& list) {
            for (const auto& each : analyses_) {
                const bool there = std::ranges::any_of(
                    list["analyses"], [&](const json& one) { return one["name"] == each->tag; });
                if (status == 200 && !each->there.may_be(there)) {
                    world_.violated("the list " + std::string{there ? "has " : "leaves out "} +
                                    each->tag);
                }
            }
        });
        break;
    case 0:
    case 1:
        send(who, Method::get, path(of, world_.chance.one_in(2) ? "/node" : "/tree?plies=3"), {},
             [this, must](int status, const json& seen) {
                 must("node")(status, seen);
                 look_at_failures(seen.dump());
             });
        break;
    case 2:
    case 16: ask_changes(who, of); break;
    case 3:
        send(who, Method::get, "/radar?since=" + std::to_string(world_.clock - 60'000), {}, {});
        break;
    case 4: send(who, Method::get, path(of, "/verdict"), {}, must("verdict")); break;
    case 5: send(who, Method::get, path(of, "/export?format=pgn"), {}, must("export")); break;
    case 6: send(who, Method::get, path(of, "/evaluations"), {}, must("evaluations")); break;
    case 7: send(who, Method::get, "/health", {}, {}); break;
    case 8: send(who, Method::get, path(of, "/directives"), {}, must("directives")); break;
    case 9: send(who, Method::get, path(of, "/history"), {}, must("history")); break;
    case 10: send(who, Method::get, path(of, "/renew"), {}, {}); break;
    case 11:
    case 13:
    case 14:
    case 15: read_for_long(); break;
    case 17: look_at_shared(who, of); break;
    default:
        send(who, Method::get, path(of), {}, [this, &of, must](int status, const json& seen) {
            must("the analysis")(status, seen);
            if (status == 200) {
                look_at(of, seen, false);
            }
        });
    }
}

// What was said in a game that all edit is there, until whoever said it says something else.
void People::look_at_shared(std::size_t who, KeptAnalysis& of) {
    std::map<std::size_t, std::string> said;
    for (const auto& [other, text] : of.said) {
        if (text.sure() && !text.known().empty() && !calls_[other]) {
            said[other] = text.known();
        }
    }
    if (said.empty()) {
        return;
    }
    send(who, Method::get, path(of, "/files/" + std::to_string(*of.shared)), {},
         [this, &of, said](int status, const json& pgn) {
             for (const auto& [other, text] : said) {
                 const Remembered<std::string>& now = of.said[other];
                 if (status == 200 && now.sure() && now.known() == text &&
                     pgn.dump().find(text) == std::string::npos) {
                     world_.violated("what person " + std::to_string(other) +
                                     " has said in a game of " + of.tag + " is lost: " + text);
                 }
             }
         });
}

// Whoever opens links knows at once of each that was made or revoked.
void People::look_at_links(const KeptAnalysis& of) {
    std::ptrdiff_t least = 0, most = 0;
    for (const auto& [name, there] : of.links) {
        least += there.sure() && there.known() ? 1 : 0;
        most += !there.sure() || there.known() ? 1 : 0;
    }
    const auto opened = std::ranges::count(world_.life->links, analysis::AnalysisId{*of.id},
                                           [](const auto& link) { return link.second.analysis; });
    if (opened < least || opened > most) {
        world_.violated(std::to_string(opened) + " links of " + of.tag + " are opened, there are " +
                        std::to_string(least) + " to " + std::to_string(most));
    }
}

// Each who looks has one process at most.
void People::look_at_seats() {
    const server::Core& core = *world_.life->core;
    std::size_t most = 0;
    for (const TakenSeat& seat : seats_) {
        most += seat.looks ? 1 : 0;
    }
    for (const auto& run : core.queue().runs()) {
        most += static_cast<std::size_t>(
            std::ranges::count_if(core.long_searches().of(run->record.id),
                                  [](const auto* board) { return board->place.has_value(); }));
        most += core.long_searches().standing_search(run->record.id) != nullptr ? 1 : 0;
    }
    if (core.engines().dispatcher()->reserved(true) > most) {
        world_.violated("processes are reserved of which nobody knows");
    }
}

void People::look_when_calm() {
    if (world_.life && !world_.may_fail()) {
        world_.look_when_calm();
        look_at_seats();
    }
}

// A question fails only if engines have died of it, or machines have vanished with it.
void People::look_at_failures(const std::string& seen) {
    const std::size_t at = seen.find("\"failure\":\"");
    if (at != std::string::npos && seen.find("died", at) == std::string::npos &&
        seen.find("no machine that had it", at) == std::string::npos) {
        world_.violated("an answer that came is shown as a failure: " + seen.substr(at, 200));
    }
}

// What is told goes on where the last time has ended, if nobody has changed anything meanwhile.
void People::ask_changes(std::size_t who, KeptAnalysis& of) {
    const auto changing = [this, &of, who] { return of.owner != who && calls_[of.owner]; };
    if (changing() || world_.disk_was_bad) {
        of.told.reset();
    }
    const bool goes_on = of.told && of.told->changes == of.changes &&
                         of.told->second == world_.second.name; // else its tree may be another
    const analysis::UnixMs since = goes_on ? of.told->until : world_.clock - 60'000;
    send(who, Method::get, path(of, "/changes?since=" + std::to_string(since)), {},
         [this, &of, goes_on, changing, changes = of.changes, had = of.told,
          facts = world_.ledger.facts.size()](int status, const json& seen) {
             if (status == 404 && of.there.known() && of.there.sure()) {
                 world_.violated("changes of " + of.tag + " are not found");
             }
             of.told.reset();
             // What comes while it is read may be told twice.
             if (status != 200 || changes != of.changes || changing() ||
                 facts != world_.ledger.facts.size()) {
                 return;
             }
             if (goes_on && seen["alpha"]["before"].dump() != had->alpha) {
                 world_.violated("changes of " + of.tag + " since " + std::to_string(had->until) +
                                 " begin at " + seen["alpha"]["before"].dump() + ", and ended at " +
                                 had->alpha);
             }
             of.told = KeptAnalysis::Told{seen["now"], seen["alpha"]["after"].dump(), of.changes,
                                          world_.second.name};
         });
}

// A reader takes his time, where answers are waited for if they are anywhere.
void People::read_for_long() {
    std::vector<const server::AnalysisRun*> some, waiting;
    for (const auto& run : world_.life->core->queue().runs()) {
        if (run->slot != nullptr) {
            (run->out.in_flight > 0 ? waiting : some).push_back(run.get());
        }
    }
    some = waiting.empty() ? some : waiting;
    if (!some.empty()) {
        const server::AnalysisRun& run = *world_.chance.pick(some);
        world_.log("somebody reads the tree of " + run.record.name + " for long");
        world_.read_for_long(*run.slot);
    }
}

void People::look_at(KeptAnalysis& of, const json& seen, bool settles) {
    if (!of.there.may_be(true)) {
        world_.violated(of.tag + " was deleted and is there");
    }
    for (auto& [name, value] : of.settings) {
        if (!value.may_be(seen[name])) {
            world_.violated(name + " of " + of.tag + " is " + seen[name].dump() +
                            ", acknowledged was " + value.known().dump());
        }
        if (settles) {
            value.is(seen[name]);
        }
    }
    if (has_less(seen, of.least_positions)) {
        world_.violated("the budget of " + of.tag + " fell back to " + seen["budget"].dump());
    }
    if (seen["state"] == "settled" && seen["in_flight"] > 0 && !of.pushed) {
        world_.violated(of.tag + " is settled, and waits for answers");
    }
    const Remembered<json>& hold = of.settings["hold"];
    if (!hold.sure() || hold.known() == false || seen["in_flight"] > 0 || of.pushed) {
        of.rested.reset();
    } else {
        const std::int64_t spent = seen["evaluations"]["new"];
        if (of.rested.value_or(spent) != spent) {
            world_.violated(of.tag + " is held, and asks");
        }
        of.rested = spent;
    }
    std::string played;
    const json& moves = seen["moves"];
    for (std::size_t i = moves.size() - seen["played"].get<std::size_t>(); i < moves.size(); ++i) {
        const json& move = moves[i];
        played += (played.empty() ? "" : " ") +
                  (move.is_string() ? move : move["uci"]).get<std::string>();
    }
    if (!of.played.may_be(played)) {
        world_.violated("the game of " + of.tag + " went on by '" + played +
                        "', acknowledged was '" + of.played.known() + "'");
    }
    if (settles) {
        of.played.is(played);
    }
}

http::Response People::ask(Method method, const std::string& target, const json& body) {
    http::Response got;
    calls_.emplace_back();
    const std::size_t who = calls_.size() - 1;
    int status = 0;
    json answer;
    send(who, method, target, body, [&](int s, const json& a) {
        status = s;
        answer = a;
    });
    for (int i = 0; status == 0 && i < 100'000; ++i) {
        if (!world_.work() && !act(who, false)) {
            world_.pass(100);
        }
    }
    calls_.pop_back();
    got.status = status;
    got.body = answer.is_string() ? answer.get<std::string>() : answer.dump();
    return got;
}

json People::get(const std::string& target) {
    const http::Response response = ask(Method::get, target, {});
    if (response.status != 200) {
        world_.violated("a server that is well answers " + std::to_string(response.status) +
                        " to GET " + target + ": " + response.body);
    }
    return json::parse(response.body, nullptr, false);
}

// Those that are held, whatever is going on.
void People::look_at_held() {
    for (const auto& of : analyses_) {
        const Remembered<json>& hold = of->settings["hold"];
        if (of->id && of->there.sure() && of->there.known() && hold.sure() &&
            hold.known() == true) {
            look_at(*of, get(path(*of)), false);
        }
    }
}

// REQUIRES: engines have long been well, and all questions that failed were asked again.
void People::look_for_failures() {
    for (const auto& of : analyses_) {
        if (of->id && of->there.known() &&
            get(path(*of, "/tree?plies=4")).dump().find("\"failure\":\"") != std::string::npos) {
            world_.violated("a question of " + of->tag + " that failed is not asked again");
        }
    }
}

void People::resume_all() {
    for (const auto& of : analyses_) {
        if (of->id && of->there.known()) {
            ask(Method::patch, path(*of), {{"hold", false}});
            of->settings["hold"].is(false);
        }
    }
}

void People::look_at_everything() {
    if (get("/health")["status"] != "ok") {
        world_.violated("the server is not well: " + get("/health").dump());
    }
    const json all = get("/analyses");
    std::map<std::string, json> seen;
    for (const json& each : all["analyses"]) {
        if (!seen.emplace(each["name"], each).second) {
            world_.violated("analysis " + each["name"].get<std::string>() + " is there twice");
        }
    }
    for (const auto& of : analyses_) {
        const auto found = seen.find(of->tag);
        const bool there = found != seen.end();
        if (!of->there.may_be(there)) {
            world_.violated("analysis " + of->tag + " is " + (there ? "there" : "gone") +
                            ", acknowledged was otherwise");
        }
        of->there.is(there);
        if (!there) {
            of->id.reset();
            continue;
        }
        of->id = found->second["id"];
        look_at(*of, get(path(*of)), true);
        std::map<std::string, std::int64_t> notes, links;
        const json noted = get(path(*of, "/notes")), linked = get(path(*of, "/links"));
        for (const json& note : noted["notes"]) {
            notes[note["text"]] = note["at"];
        }
        for (const json& link : linked["links"]) {
            links[link["name"]] = link["id"];
        }
        const auto compare = [&](auto& had, const auto& has, auto& numbers, const char* what) {
            for (auto& [name, there] : had) {
                const auto one = has.find(name);
                if (!there.may_be(one != has.end())) {
                    world_.violated(std::string{what} + " '" + name + "' of " + of->tag +
                                    (one == has.end() ? " is gone" : " is there"));
                }
                there.is(one != has.end());
                if (one != has.end()) {
                    numbers[name] = one->second;
                }
            }
        };
        compare(of->notes, notes, of->note_at, "note");
        compare(of->links, links, of->link_id, "link");
        const auto opened =
            std::ranges::count(world_.life->links, analysis::AnalysisId{*of->id},
                               [](const auto& link) { return link.second.analysis; });
        if (static_cast<std::size_t>(opened) != linked["links"].size()) {
            world_.violated("of " + of->tag + " " + std::to_string(opened) +
                            " links are opened, there are " +
                            std::to_string(linked["links"].size()));
        }
        std::map<std::string, std::int64_t> files;
        const json brought = get(path(*of, "/files"));
        for (const json& file : brought["files"]) {
            if (!files.emplace(file["name"], file["id"]).second) {
                world_.violated("file " + file["name"].get<std::string>() + " is there twice");
            }
        }
        for (auto& [name, says] : of->files) {
            const auto one = files.find(name);
            std::string text;
            if (one != files.end()) {
                const auto pgn =
                    ask(Method::get, path(*of, "/files/" + std::to_string(one->second)), {}).body;
                const std::size_t from = pgn.find("Nf3 {");
                text = from == std::string::npos
                           ? "nothing"
                           : pgn.substr(from + 5, pgn.find('}', from) - from - 5);
                of->file_id[name] = one->second;
            }
            if (!says.may_be(text)) {
                world_.violated("file " + name + " of " + of->tag + " says '" + text +
                                "', acknowledged was '" + says.known() + "'");
            }
            says.is(text);
        }
        const std::string pgn =
            of->shared
                ? ask(Method::get, path(*of, "/files/" + std::to_string(*of->shared)), {}).body
                : "";
        for (auto& [who, text] : of->said) {
            if (text.sure() && pgn.find(text.known()) == std::string::npos) {
                world_.violated("what person " + std::to_string(who) + " has said in a game of " +
                                of->tag + " is lost: " + text.known() + "\n" + pgn);
            }
        }
    }
}

// Of two that begin, the one of higher priority has nearly all until it is done.
void People::look_at_priority() {
    chess::Position root = chess::Position::initial();
    json moves = json::array();
    const auto make = [&](int priority) -> std::int64_t {
        for (int ply = 0; ply < 3; ++ply) {
            const auto legal = root.legal_moves();
            const std::vector<chess::Move> some{legal.begin(), legal.end()};
            const chess::Move move = world_.chance.pick(some);
            moves.push_back(chess::to_uci(root, move));
            root = root.after(move);
        }
        const json body{{"name", "of priority " + std::to_string(priority)},
                        {"position", {{"moves", moves}}},
                        {"limit", {{"depth", 6}}},
                        {"strategy", {{"kind", "halving"}, {"move_distance", 30}, {"refine", 2}}},
                        {"budget", {{"positions", 30}}},
                        {"priority", priority}};
        const http::Response made = ask(Method::post, "/analyses", body);
        if (made.status >= 300) {
            world_.violated("no analysis of priority " + std::to_string(priority) + ": " +
                            made.body);
        }
        return json::parse(made.body)["id"];
    };
    const auto low = "/analyses/" + std::to_string(make(0));
    const analysis::AnalysisId high{make(5)};
    const server::AnalysisRun& run = *world_.life->core->queue().find(high);
    using State = storage::AnalysisState;
    for (int i = 0;
         i < 3'000 && run.record.state != State::settled && run.record.state != State::exhausted;
         ++i) {
        world_.settle_down();
        world_.search();
        world_.pass(100);
    }
    const json seen = get("/analyses/" + std::to_string(static_cast<std::int64_t>(high)));
    const std::int64_t first = seen["evaluations"]["new"];
    const std::int64_t second = get(low)["evaluations"]["new"];
    if (first >= 250 && second * 3 > first) {
        world_.violated("while one of priority 5 has " + std::to_string(first) +
                        " answers, one of 0 gets " + std::to_string(second));
    }
}

std::string People::trees() {
    std::string all;
    for (const auto& of : analyses_) {
        if (of->id && of->there.known()) {
            json node = get(path(*of, "/node"));
            json tree = get(path(*of, "/tree?plies=4"));
            for (json* each : {&node, &tree}) {
                each->erase("version");
                each->erase("parents"); // move numbers of other ways there
                each->erase("failure"); // of what was perhaps not noted
            }
            const json seen = get(path(*of));
            const json orders = get(path(*of, "/directives"));
            json levels = get(path(*of, "/history"));
            const server::AnalysisRun* run =
                world_.life->core->queue().find(analysis::AnalysisId{*of->id});
            if (run->spec.renewal.at != 0 && !run->plan.tree.second.empty()) {
                levels.clear(); // no level tells what was left out, nor a start what is confirmed
            }
            all += of->tag + " " + node.dump() + "\n" + tree.dump() + "\n" + seen["nodes"].dump() +
                   " " + seen["engine_seconds"].dump() + " " + seen["evaluations"]["new"].dump() +
                   "\n" + levels.dump() + "\n";
            for (const json& order : orders["directives"]) {
                all += order["action"].dump() + order["line"].dump() + "\n";
            }
        }
    }
    return all;
}

std::string People::not_at_rest() {
    for (const auto& run : world_.life->core->queue().runs()) {
        using State = storage::AnalysisState;
        const State state = run->record.state;
        if (state != State::settled && state != State::paused && state != State::exhausted) {
            return run->record.name + " (" + run->record.state_reason + "; state " +
                   std::to_string(static_cast<int>(state)) + ", out " +
                   std::to_string(run->out.in_flight) + ", to ask " +
                   std::to_string(run->plan.ready.size()) + (run->plan.stale ? ", stale" : "") +
                   (run->plan.planned ? ", planned" : "") +
                   (run->plan.finished ? ", finished" : "") + ")";
        }
    }
    return "";
}

} // namespace adjourn::simulation
