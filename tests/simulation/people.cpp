#include "people.hpp"

#include "chess/notation.hpp"
#include "core/graphs/analysis_run.hpp"
#include "http/requests/target.hpp"

#include <array>
#include <utility>

namespace adjourn::simulation {

using http::Method;

namespace {

constexpr std::array openings{
    "", "e2e4", "e2e4 e7e5", "d2d4 d7d5 c2c4", "g1f3 g8f6", "e2e4 c7c5 g1f3 d7d6"};
constexpr std::array ends{"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "8/5k2/8/8/3QK3/8/8/8 w - - 0 1",
                          "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"};

json moves_of(const std::string& text) {
    json moves = json::array();
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        moves.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return moves;
}

std::string game_text(const std::string& event, const std::string& other = "d6") {
    return "[Event \"" + event + "\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 {" + event +
           "} Nc6 (2... " + other + ") *\n";
}

} // namespace

People::People(World& world, std::size_t count) : world_{world}, calls_(count), seats_(count) {}

std::string People::path(const KeptAnalysis& of, const std::string& rest) {
    return "/analyses/" + std::to_string(of.id.value()) + rest;
}

KeptAnalysis* People::own(std::size_t who) {
    std::vector<KeptAnalysis*> some;
    for (const auto& each : analyses_) {
        if (each->owner == who && each->id && each->there.known()) {
            some.push_back(each.get());
        }
    }
    return some.empty() ? nullptr : world_.chance.pick(some);
}

KeptAnalysis* People::any() {
    std::vector<KeptAnalysis*> some;
    for (const auto& each : analyses_) {
        if (each->id) {
            some.push_back(each.get());
        }
    }
    return some.empty() ? nullptr : world_.chance.pick(some);
}

bool People::busy() const {
    return std::ranges::any_of(calls_, [](const auto& call) { return call.has_value(); });
}

void People::send(std::size_t who, Method method, const std::string& target, const json& body,
                  Then then, const std::string& text) {
    Life& life = *world_.life;
    const auto parsed = http::parse_target("/api/v1" + target);
    if (!parsed) {
        world_.violated("the simulation asks for " + target);
    }
    http::Request request{method,
                          parsed->path,
                          parsed->query,
                          {},
                          !text.empty()    ? text
                          : body.is_null() ? ""
                                           : body.dump()};
    const std::string what = std::string{http::name_of(method)} + " " + target +
                             (body.is_null() ? "" : " " + body.dump());
    world_.log("person " + std::to_string(who) + ": " + what);
    const auto route = server::route_of(method, request.path);
    if (!route) {
        world_.violated("no such call: " + what);
    }
    Call& call = calls_[who].emplace();
    call.what = what;
    call.then = std::move(then);
    auto reply = life.api->begin(std::move(request), *route);
    if (auto* now = std::get_if<http::Response>(&reply)) {
        answered(who, *now);
        return;
    }
    call.wait =
        std::holds_alternative<server::Api::Later>(reply)
            ? life.api->wait_for(std::get<server::Api::Later>(reply),
                                 (method == Method::get ? life.slow_reading : life.slow).executor())
            : std::move(std::get<server::Api::Wait>(reply));
    call.until = world_.clock + call.wait.patience.count();
}

bool People::act(std::size_t who, bool begins) {
    if (!world_.life) {
        return false;
    }
    if (auto& call = calls_[who]) {
        auto seen = call->wait.look();
        if (!seen && (world_.clock >= call->until || !call->wait.wake_me([] {}))) {
            seen = call->wait.give_up();
        }
        if (!seen) {
            return false;
        }
        call->wait.leave();
        answered(who, *seen);
        return true;
    }
    if (!begins) {
        return false;
    }
    KeptAnalysis* of = own(who);
    const int what = world_.chance.between(0, 99);
    if (of == nullptr || what < 4) {
        of = any();
        if (of != nullptr && what >= 40 && analyses_.size() > 3) {
            read(who, *of);
        } else if (analyses_.size() < 12) {
            create(who);
        }
        return true;
    }
    if (what < 80) {
        of->rested.reset();
        ++of->changes;
    }
    if (what < 16) {
        change(who, *of);
    } else if (what < 28) {
        note(who, *of);
    } else if (what < 42) {
        direct(who, *of);
    } else if (what < 54) {
        file(who, *of);
    } else if (what < 60) {
        link(who, *of);
    } else if (what < 64) {
        advance(who, *of);
    } else if (what < 68) {
        more(who, *of);
    } else if (what < 70) {
        board(who, *of);
    } else if (what < 72) {
        remove(who, *of);
    } else if (what < 76) {
        seat(who);
    } else if (what < 78) {
        import(who, *of);
    } else if (what < 80) {
        renew(who, *of);
    } else if (KeptAnalysis* seen = any()) {
        read(who, *seen);
    }
    return true;
}

void People::act_at_once() {
    for (int i = world_.chance.between(0, 4); i > 0; --i) {
        if (world_.life) {
            const std::size_t who = world_.chance.below(count());
            KeptAnalysis* const of = calls_[who] ? nullptr : own(who);
            if (of != nullptr && world_.chance.one_in(3)) {
                import(who, *of); // while its graph is read
            } else {
                act(who);
            }
        }
    }
}

void People::answered(std::size_t who, const http::Response& response) {
    const Call call = std::move(*calls_[who]);
    calls_[who].reset();
    world_.log("person " + std::to_string(who) + " gets " + std::to_string(response.status));
    json body;
    if (response.content_type == "application/json" && !response.body.empty()) {
        body = json::parse(response.body, nullptr, false);
        if (body.is_discarded()) {
            world_.violated("no JSON as answer to " + call.what);
        }
    }
    if (response.status == 500) {
        world_.violated("500 to " + call.what + ": " + response.body);
    }
    if (response.status == 400 && call.what.find("retract") == std::string::npos &&
        response.body.find("there is no analysis") == std::string::npos) {
        world_.violated("400 to " + call.what + ": " + response.body);
    }
    if (response.status == 503 && !world_.disk_was_bad && !world_.may_fail() &&
        response.body.find("read") == std::string::npos &&
        response.body.find("not started yet") == std::string::npos) {
        world_.violated("503 without need to " + call.what + ": " + response.body);
    }
    if (call.then) {
        call.then(response.status,
                  response.content_type == "application/json" ? body : json(response.body));
    }
}

void People::hung_up() {
    for (auto& call : calls_) {
        call.reset();
    }
    std::ranges::fill(seats_,
                      TakenSeat{numbers_, false, false, std::nullopt, 0}); // they were in memory
    for (const auto& of : analyses_) {
        of->rested.reset();
    }
}

// A change of something that only this person changes.
template <class Value>
void People::change_one(std::size_t who, Remembered<Value>& what, Value to, Method method,
                        const std::string& target, const json& body,
                        std::function<void(const json&)> done) {
    what.asked(to);
    send(who, method, target, body,
         [&what, to, done = std::move(done)](int status, const json& answer) {
             if (status < 300) {
                 what.done(to);
                 if (done) {
                     done(answer);
                 }
             } else if (status != 503) {
                 what.refused();
             }
         });
}

void People::create(std::size_t who) {
    KeptAnalysis& made = *analyses_.emplace_back(std::make_unique<KeptAnalysis>());
    made.tag = "a" + std::to_string(++numbers_);
    made.owner = who;
    constexpr std::array kinds{"halving", "halving", "uniform", "dropout", "conspiracy"};
    json strategy{{"kind", world_.chance.pick(kinds)}};
    if (strategy["kind"] == "halving" || strategy["kind"] == "uniform") {
        strategy["move_distance"] = world_.chance.between(0, 12);
        strategy["refine"] = world_.chance.between(1, 2);
    } else {
        strategy["refine"] = 1;
    }
    json position;
    if (world_.chance.one_in(4)) {
        position["fen"] = world_.chance.pick(ends);
    } else if (const std::string moves = world_.chance.pick(openings); !moves.empty()) {
        position["moves"] = moves_of(moves);
    } else {
        position = json::object();
    }
    json body{
        {"name", made.tag},
        {"position", position},
        {"limit", {{"depth", world_.chance.between(7, 9)}}},
        {"strategy", strategy},
        {"budget", {{"positions", world_.chance.between(3, world_.chance.one_in(4) ? 60 : 25)}}},
        {"priority", world_.chance.between(0, 2)}};
    made.least_positions = body["budget"]["positions"];
    for (const char* name : {"name", "priority"}) {
        made.settings[name] = Remembered<json>(body[name]);
    }
    made.settings["engine"] = Remembered<json>("simulated");
    made.settings["hold"] = Remembered<json>(false);
    made.settings["fifty_moves"] = Remembered<json>(true);
    made.settings["tags"] = Remembered<json>(json::array());
    change_one(who, made.there, true, Method::post, "/analyses", body,
               [&made](const json& answer) { made.id = answer["id"]; });
}

void People::change(std::size_t who, KeptAnalysis& of) {
    json body = json::object();
    const int which = world_.chance.between(0, 5);
    switch (which) {
    case 0: body["priority"] = world_.chance.between(-2, 5); break;
    case 1: body["hold"] = world_.chance.one_in(2); break;
    case 2: body["fifty_moves"] = world_.chance.one_in(2); break;
    case 3: body["tags"] = json::array({"tag" + std::to_string(++numbers_)}); break;
    case 4: body["limit"] = {{"depth", world_.chance.between(7, 9)}}; break;
    default:
        body["strategy"] = {{"kind", "halving"},
                            {"move_distance", world_.chance.between(0, 12)},
                            {"refine", world_.chance.between(1, 2)}};
    }
    const std::string name = body.begin().key();
    if (which >= 4) { // other words for it come back
        send(who, Method::patch, path(of), body, {});
        return;
    }
    change_one(who, of.settings[name], body[name], Method::patch, path(of), body,
               [this, &of, name](const json& seen) {
                   if (seen[name] != of.settings[name].known()) {
                       world_.violated("PATCH of " + name + " of " + of.tag +
                                       " is forgotten: " + seen[name].dump());
                   }
               });
}

void People::note(std::size_t who, KeptAnalysis& of) {
    std::vector<std::string> standing;
    for (const auto& [text, there] : of.notes) {
        if (there.sure() && there.known() && of.note_at.contains(text) && of.played.sure() &&
            of.note_root[text] == of.played.known()) { // its line leads to another root else
            standing.push_back(text);
        }
    }
    if (!standing.empty() && world_.chance.one_in(3)) {
        const std::string text = world_.chance.pick(standing);
        change_one(who, of.notes[text], false, Method::post, path(of, "/directives"),
                   {{"action", "retract"}, {"moves", json::array()}, {"at", of.note_at[text]}});
        return;
    }
    for (std::size_t other = 0; other < calls_.size(); ++other) { // some at the same moment
        if (!calls_[other] && (other == who || world_.chance.one_in(3))) {
            const std::string text = "note " + std::to_string(++numbers_);
            change_one(other, of.notes[text], true, Method::post, path(of, "/directives"),
                       {{"action", "note"}, {"moves", json::array()}, {"text", text}},
                       [&of, text, root = of.played](const json& answer) {
                           if (root.sure() && of.played.sure() &&
                               root.known() == of.played.known()) {
                               of.note_at[text] = answer["at"];
                               of.note_root[text] = root.known();
                           }
                       });
        }
    }
}

void People::direct(std::size_t who, KeptAnalysis& of) {
    const server::AnalysisRun* run = world_.life->core->queue().find(analysis::AnalysisId{*of.id});
    if (run == nullptr) {
        return;
    }
    const auto legal = run->root.legal_moves();
    std::vector<chess::Move> moves{legal.begin(), legal.end()};
    if (moves.empty()) {
        return;
    }
    constexpr std::array actions{"include", "exclude", "clear", "deepen", "now", "include"};
    const std::string action = world_.chance.pick(actions);
    of.pushed = of.pushed || action == "now" || action == "deepen";
    json body{{"action", action},
              {"moves", json::array({chess::to_uci(run->root, world_.chance.pick(moves))})}};
    send(who, Method::post, path(of, "/directives"), body, [this](int status, const json& said) {
        const std::string at = status == 201 ? " " + said["at"].dump() : "";
        if (status == 201 && std::ranges::none_of(world_.ledger.directives, [&](const auto& row) {
                return row.second.find(at) != std::string::npos;
            })) {
            world_.violated("an order was acknowledged, and is not stored: " + said.dump());
        }
    });
}

void People::file(std::size_t who, KeptAnalysis& of) {
    std::vector<std::string> known;
    for (const auto& [name, says] : of.files) {
        if (of.file_id.contains(name) && says.sure() && !says.known().empty()) {
            known.push_back(name);
        }
    }
    const std::string event = "v" + std::to_string(++numbers_);
    if (known.empty() || world_.chance.one_in(4)) {
        const std::string name = "f" + std::to_string(numbers_) + ".pgn";
        change_one(who, of.files[name], event, Method::post, path(of, "/files"),
                   {{"name", name}, {"pgn", game_text(event)}},
                   [&of, name](const json& answer) { of.file_id[name] = answer["id"]; });
        return;
    }
    const std::string name = world_.chance.pick(known);
    const std::string file = "/files/" + std::to_string(of.file_id[name]);
    const std::string at = path(of, file);
    switch (world_.chance.between(0, 9)) {
    case 6:
    case 7:
    case 8:
    case 9: share(who, of); break;
    case 5: // by the number of another analysis, too, it is not there
        if (const KeptAnalysis* other = any(); other != &of) {
            send(who, Method::del, path(*other, file), {},
                 [this, file, other](int status, const json&) {
                     if (status < 300) {
                         world_.violated(other->tag + " deletes " + file + " of another analysis");
                     }
                 });
        }
        break;
    case 0: change_one(who, of.files[name], std::string{}, Method::del, at, json{}); break;
    case 1: // the comment of the second move says what the version is
        change_one(who, of.files[name], event, Method::post, at + "/edits",
                   {{"game", 1}, {"action", "comment"}, {"path", "0.0.0"}, {"text", event}});
        break;
    default: change_one(who, of.files[name], event, Method::put, at, {{"pgn", game_text(event)}});
    }
}

void People::share(std::size_t who, KeptAnalysis& of) {
    if (!of.shared) {
        send(who, Method::post, path(of, "/files"),
             {{"name", "shared " + std::to_string(++numbers_)}, {"pgn", game_text("all")}},
             [&of](int status, const json& answer) {
                 if (status < 300) {
                     of.shared = answer["id"];
                 }
             });
        return;
    }
    comment(who, of); // and at the same time others
    for (std::size_t other = 0; other < calls_.size(); ++other) {
        if (!calls_[other] && world_.chance.one_in(2)) {
            comment(other, of);
        }
    }
}

void People::comment(std::size_t who, KeptAnalysis& of) {
    constexpr std::array paths{"0", "0.0", "0.0.0.0", "0.0.0.1"};
    if (who >= paths.size()) {
        return;
    }
    const std::string text = "said " + std::to_string(++numbers_) + ".";
    change_one(who, of.said[who], text, Method::post,
               path(of, "/files/" + std::to_string(*of.shared) + "/edits"),
               {{"game", 1}, {"action", "comment"}, {"path", paths[who]}, {"text", text}});
}

void People::link(std::size_t who, KeptAnalysis& of) {
    std::vector<std::string> standing;
    for (const auto& [name, there] : of.links) {
        if (there.sure() && there.known() && of.link_id.contains(name)) {
            standing.push_back(name);
        }
    }
    if (!standing.empty() && world_.chance.one_in(2)) {
        const std::string name = world_.chance.pick(standing);
        change_one(who, of.links[name], false, Method::del,
                   path(of, "/links/" + std::to_string(of.link_id[name])), json{},
                   [this, &of](const json&) { look_at_links(of); });
        return;
    }
    const std::string name = "link " + std::to_string(++numbers_);
    change_one(who, of.links[name], true, Method::post, path(of, "/links"), {{"name", name}},
               [this, &of, name](const json& answer) {
                   of.link_id[name] = answer["id"];
                   look_at_links(of);
               });
}

void People::advance(std::size_t who, KeptAnalysis& of) {
    if (!of.played.sure()) {
        return;
    }
    const std::string now = of.played.known();
    if (!now.empty() && world_.chance.one_in(2)) {
        const std::size_t cut = now.rfind(' ');
        change_one(who, of.played, cut == std::string::npos ? std::string{} : now.substr(0, cut),
                   Method::post, path(of, "/advance"), {{"back", 1}});
        return;
    }
    const server::AnalysisRun* run = world_.life->core->queue().find(analysis::AnalysisId{*of.id});
    const auto legal =
        run == nullptr ? chess::Position::initial().legal_moves() : run->root.legal_moves();
    if (run == nullptr || legal.begin() == legal.end()) {
        return;
    }
    std::vector<chess::Move> moves{legal.begin(), legal.end()};
    const std::string move = chess::to_uci(run->root, world_.chance.pick(moves));
    change_one(who, of.played, now + (now.empty() ? "" : " ") + move, Method::post,
               path(of, "/advance"), {{"moves", json::array({move})}});
}

void People::more(std::size_t who, KeptAnalysis& of) {
    if (world_.chance.one_in(2)) {
        const int more = world_.chance.between(1, 20);
        send(who, Method::post, path(of, "/extend"), {{"positions", more}},
             [this, &of, more](int status, const json& seen) {
                 if (status >= 300) {
                     return;
                 }
                 of.least_positions += of.least_positions > 0 ? more : 0;
                 if (has_less(seen, of.least_positions)) {
                     world_.violated(of.tag + " was extended, and its budget is " +
                                     seen["budget"].dump() + ", less than " +
                                     std::to_string(of.least_positions));
                 }
             });
    } else {
        of.pushed = true;
        send(who, Method::post, path(of, "/verify"), {{"evaluations", world_.chance.between(1, 6)}},
             {});
    }
}

void People::renew(std::size_t who, KeptAnalysis& of) {
    const std::string engine = world_.chance.one_in(2) ? "second" : "simulated";
    of.least_positions = 0;           // its budget goes
    of.settings["hold"].asked(false); // it goes on
    change_one(who, of.settings["engine"], json(engine), Method::post, path(of, "/renew"),
               {{"engine", engine}, {"hours", 0.02}});
}

void People::board(std::size_t who, KeptAnalysis& of) {
    send(who, Method::post, path(of, "/looks"), {{"lines", world_.chance.between(1, 2)}}, {});
}

void People::seat(std::size_t who) {
    TakenSeat& seat = seats_[who];
    const std::string at = "/seats/" + std::to_string(who + 1);
    const auto taken = [&seat](std::optional<chess::Position> position) {
        seat.sure = false;
        seat.looks = seat.looks || position;
        return [&seat, position](int status, const json&) {
            seat.sure = status == 204;
            seat.looks = position || (seat.looks && !seat.sure);
            seat.position = position;
            seat.version = 0;
        };
    };
    switch (seat.number == 0 ? 0 : world_.chance.between(0, 7)) {
    case 0:
    case 1: {
        const std::string fen = world_.chance.pick(ends);
        seat.number = ++numbers_;
        send(who, Method::put, at,
             {{"number", seat.number},
              {"position", {{"fen", fen}}},
              {"limit", {{"depth", world_.chance.between(7, 9)}}},
              {"strategy", {{"kind", "halving"}, {"refine", 1}}},
              {"lines", world_.chance.between(1, 2)}},
             taken(*chess::Position::from_fen(fen)));
        if (!calls_[who] && !world_.chance.one_in(3)) { // and thinks better of it
            this->seat(who);
        }
        break;
    }
    case 2:
        seat.number = ++numbers_;
        send(who, Method::put, at, {{"number", seat.number}}, taken(std::nullopt));
        break;
    case 3: send(who, Method::put, at, {{"number", seat.number}, {"hurry", true}}, {}); break;
    case 4: send(who, Method::del, at, {}, taken(std::nullopt)); break;
    default:
        send(who, Method::get, at + "?after=" + std::to_string(seat.version), {},
             [this, &seat](int status, const json& found) {
                 if (status == 200) {
                     look_at(seat, found);
                 }
             });
    }
}

// What is found is of what was asked for last, and can be played.
void People::look_at(TakenSeat& seat, const json& found) {
    if (found["number"].get<std::int64_t>() > seat.number ||
        (seat.sure && found["number"] != seat.number)) {
        world_.violated("a seat that looks at " + std::to_string(seat.number) +
                        " is told of another: " + found.dump());
    }
    seat.version = found["version"];
    if (!seat.sure) {
        return;
    }
    if (!seat.position && !found["lines"].empty()) {
        world_.violated("a seat that looks at nothing is told of " + found.dump());
    }
    for (const json& line : found["lines"]) {
        if (line["moves"].empty() ||
            !chess::parse_uci(*seat.position, line["moves"][0].get<std::string>())) {
            world_.violated("a seat is told a line that cannot be played: " + found.dump());
        }
    }
}

void People::remove(std::size_t who, KeptAnalysis& of) {
    if (analyses_.size() > 4) {
        change_one(who, of.there, false, Method::del, path(of), json{});
    }
}

void People::import(std::size_t who, KeptAnalysis& of) {
    const std::string event = "v" + std::to_string(++numbers_);
    const std::string name = "i" + std::to_string(numbers_) + ".pgn";
    constexpr std::array others{"d6", "Nf6", "f5",  "Bc5", "a6",  "h6",  "g6",  "d5", "c5",
                                "b6", "c6",  "Qe7", "Qf6", "Bd6", "Be7", "Ne7", "f6", "Na6"};
    of.files[name].asked(event);
    send(
        who, Method::post,
        "/import?format=pgn&name=" + name + "&analysis=" + std::to_string(*of.id), json{},
        [&of, name, event](int status, const json& answer) {
            if (status < 300) {
                of.files[name].done(event);
                of.file_id[name] = answer["file"]["id"];
            } else if (status != 503) {
                of.files[name].refused();
            }
        },
        game_text(event, world_.chance.pick(others)));
}

} // namespace adjourn::simulation
