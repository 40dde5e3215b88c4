#include "radar.hpp"

#include "changes.hpp"
#include "chess/notation.hpp"
#include "core/graphs/graph_slot.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <span>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr std::size_t most_entries = 200;
constexpr std::size_t most_leaving = 3; // games of one analysis
constexpr std::size_t most_swings = 3;  // the same
constexpr int least_swing = 50;         // cp

// Places at which one call may look for replies that lead to what is known: some 0.1 ms each. Each
// analysis that changed has its share, the nearest places first.
constexpr std::size_t most_places = 10'000;

std::string white_text(chess::Score score, chess::Color mover) {
    return chess::to_text(mover == chess::Color::white ? score : -score);
}

std::string counted_positions(std::size_t count) {
    return count == 1 ? "1 position" : std::to_string(count) + " positions";
}

std::string ended_text(const AnalysisRun& run) {
    const std::string& reason = run.record.state_reason;
    const std::string why = reason.empty() ? "" : ": " + reason;
    switch (run.record.state) {
    case storage::AnalysisState::settled:
        return fmt::format("Settled to depth {}{}", settled_level(run), why);
    case storage::AnalysisState::exhausted: return "Its budget is used" + why;
    case storage::AnalysisState::failed: return "Failed" + why;
    default: return "";
    }
}

std::string alpha_text(const RootThen& then, chess::Move move, chess::Color mover) {
    const auto found = std::ranges::find(then.moves, move, [](const auto& m) { return m.first; });
    return found == then.moves.end() ? "" : " " + white_text(found->second, mover);
}

} // namespace

// `line` from the root.
struct Radar::Event {
    const char* kind;
    std::vector<chess::Move> line;
    analysis::UnixMs at;
    std::string before;
    std::string after;
    std::string text;
    const char* action; // how its place is searched; null: there is none
    std::vector<chess::Move> search;
};

Radar::Radar(const Core& core, analysis::UnixMs since)
    : core_{core}, since_{since}, now_{core.now()} {
    for (const auto& run : core.queue().runs()) {
        left_.push_back(run->record.id);
        changed_ += run->shown() != nullptr && run->shown()->newest() > since ? 1 : 0;
    }
}

bool Radar::go_on(const TimeUp& time_up) {
    while (!left_.empty()) {
        const AnalysisRun* run = core_.queue().find(left_.front());
        if (stage_ == Stage::next && run != nullptr && run->shown() != nullptr) {
            begin(*run);
        }
        if (run == nullptr && stage_ != Stage::next) { // deleted meanwhile
            seen_.pop_back();
            stage_ = Stage::next;
        }
        if (stage_ == Stage::next) {
            left_.pop_front();
            continue;
        }
        if (!step(run->slot != slot_ || run->root != seen_.back().root, time_up) || time_up()) {
            return false;
        }
    }
    return true;
}

void Radar::begin(const AnalysisRun& run) {
    slot_ = run.slot;
    seen_.push_back({run.record.id,
                     run.record.name,
                     run.root,
                     word(run.record.state),
                     ended_text(run),
                     slot_->newest(),
                     nullptr,
                     {},
                     std::make_shared<Files>()});
    Seen& seen = seen_.back();
    stage_ = Stage::files;
    if (slot_->newest() > since_) {
        seen.walk = walk_changes(run, core_.store(), since_, core_.now(), core_.tables());
        analysis::RejoinLimits limits{.since = since_};
        limits.positions =
            std::min(limits.positions, most_places / std::max<std::size_t>(changed_, 1));
        rejoin_ = std::make_unique<analysis::RejoinSearch>(slot_->graph(), run.root_node, limits);
        stage_ = Stage::changes;
    }
}

// False: a pause first. `gone`: the graph is, or the root is another one.
bool Radar::step(bool gone, const TimeUp& time_up) {
    Seen& seen = seen_.back();
    switch (stage_) {
    case Stage::next: break;
    case Stage::changes:
        if (gone) {
            seen.walk->give_up(); // it goes on by the store alone
        }
        if (!seen.walk->given_up() && !seen.walk->go_on(time_up)) {
            return false;
        }
        stage_ = Stage::rejoins;
        break;
    case Stage::rejoins:
        if (gone || !rejoin_->go_on()) {
            seen.rejoins = rejoin_->found();
            stage_ = Stage::files;
        }
        break;
    case Stage::files:
        if (!seen.files->read) {
            return false; // elsewhere() first
        }
        left_.pop_front();
        stage_ = Stage::next;
        break;
    }
    return true;
}

std::function<void()> Radar::elsewhere() {
    if (stage_ == Stage::changes) {
        return seen_.back().walk->elsewhere();
    }
    if (stage_ != Stage::files || seen_.back().files->read) {
        return nullptr;
    }
    const Seen& seen = seen_.back();
    return [files = seen.files, &store = core_.store(), id = seen.id, root = seen.root,
            since = since_] {
        files->read = true;
        try {
            files->games = games_that_leave(kept_files(store, id), root, since, most_leaving);
        } catch (const storage::StoreError&) {
            files->games.clear(); // whoever asks for the files will be told
        }
    };
}

json Radar::result() {
    for (Seen& seen : seen_) {
        if (seen.walk != nullptr) {
            tell_changes(seen);
        }
        tell_rejoins(seen);
        tell_files(seen);
    }
    std::ranges::stable_sort(entries_, [](const json& a, const json& b) {
        return a["at"].get<std::int64_t>() > b["at"].get<std::int64_t>();
    });
    const std::size_t all = entries_.size();
    entries_.resize(std::min(all, most_entries));
    const std::size_t more = all - entries_.size();
    return {{"since", since_}, {"now", now_}, {"entries", std::move(entries_)}, {"more", more}};
}

void Radar::tell_changes(Seen& seen) {
    const Changes changes = seen.walk->changes();
    seen.walk.reset();
    if (changes.evaluations == 0) {
        return; // others of its graph were asked
    }
    if (!seen.ended.empty()) {
        tell(seen, {"ended", {}, seen.newest, "", seen.state, seen.ended, nullptr, {}});
    }
    if (const NewBest* best = changes.new_best()) {
        const std::string san = chess::to_numbered_san(seen.root, best->after),
                          before = chess::to_numbered_san(seen.root, best->before);
        const chess::Color mover = seen.root.turn();
        if (const auto& refuted = changes.refuted) {
            tell(seen, {"refutation",
                        {best->after},
                        seen.newest,
                        before,
                        san,
                        fmt::format("{} took the place of {} by what was found below, and has {} "
                                    "behind it, where {} has {}",
                                    san, before, counted_positions(refuted->behind_now), before,
                                    refuted->behind_before),
                        "deepen",
                        {best->after}});
        } else {
            tell(seen, {"best",
                        {best->after},
                        seen.newest,
                        before,
                        san,
                        fmt::format("New best move {}{}, before {}{}", san,
                                    alpha_text(changes.after, best->after, mover), before,
                                    alpha_text(changes.before, best->before, mover)),
                        "verify",
                        {}});
        }
    }
    std::size_t swings = 0;
    for (const Swing& swing : changes.found.swings) { // the largest first
        if (swing.size() < least_swing || ++swings > most_swings) {
            break;
        }
        const std::string before = chess::to_text(swing.before),
                          after = chess::to_text(swing.after);
        tell(seen, {"swing", swing.line, seen.newest, before, after,
                    fmt::format("After {} the value went from {} to {}",
                                chess::to_san_line(seen.root, swing.line), before, after),
                    "deepen", swing.line});
    }
}

void Radar::tell_rejoins(const Seen& seen) {
    for (const analysis::Rejoin& found : seen.rejoins) {
        const chess::Position leaf = seen.root.after(found.line);
        const chess::Color mover = !leaf.turn();
        std::vector<chess::Move> search = found.line;
        search.push_back(found.reply);
        const std::string engine = white_text(found.engine, mover),
                          known = white_text(found.known, mover);
        tell(seen,
             {"rejoin", found.line, found.at, engine, known,
              fmt::format("After {} the reply {} leads to a position that is searched: {} there, "
                          "where the engine alone said {}",
                          chess::to_san_line(seen.root, found.line),
                          chess::to_numbered_san(leaf, found.reply), known, engine),
              "include", search});
    }
}

void Radar::tell_files(const Seen& seen) {
    for (const LeavingGame& game : seen.files->games) {
        const chess::Position from =
            seen.root.after(std::span{game.line}.first(game.line.size() - 1));
        std::string known;
        for (const chess::Move move : game.known) {
            known += (known.empty() ? "" : ", ") + chess::to_numbered_san(from, move);
        }
        const std::string played = chess::to_numbered_san(from, game.line.back());
        tell(seen, {"left", game.line, game.at, known, played,
                    fmt::format("{} leaves your files with {}; they have {}", game.players, played,
                                known),
                    "deepen", game.line});
    }
}

void Radar::tell(const Seen& seen, const Event& event) {
    json search;
    if (event.action != nullptr) {
        json moves = json::array();
        for (const json& step : line_json(seen.root, event.search)) {
            moves.push_back(step["uci"]);
        }
        search = {{"action", event.action}, {"moves", std::move(moves)}};
    }
    entries_.push_back(
        {{"analysis", {{"id", static_cast<std::int64_t>(seen.id)}, {"name", seen.name}}},
         {"kind", event.kind},
         {"at", event.at},
         {"line", line_json(seen.root, event.line)},
         {"root", seen.root.fen()},
         {"fen", seen.root.after(event.line).fen()},
         {"before", event.before},
         {"after", event.after},
         {"text", event.text},
         {"search", std::move(search)}});
}

} // namespace adjourn::server
