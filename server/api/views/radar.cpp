#include "api/views/radar.hpp"

#include "analysis/strategy.hpp"
#include "api/views/graph_views.hpp"
#include "base/free_memory.hpp"
#include "chess/notation.hpp"
#include "core/graphs/graph_slot.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdlib>
#include <map>

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

Radar::Radar(const Core& core, analysis::UnixMs since, bool here)
    : store_{core.store()}, since_{since}, now_{core.complete()} {
    for (const auto& run : core.queue().runs()) {
        if (run->shown() == nullptr || run->transient) {
            continue;
        }
        const analysis::UnixMs newest = run->shown()->newest();
        now_ = run->shown()->complete_until(now_);
        const bool changed = newest > since;
        changed_ += changed ? 1 : 0;
        seen_.push_back({run->record.id, run->record.name, run->root, word(run->record.state),
                         ended_text(*run), newest, run->spec.labels,
                         changed ? std::make_unique<RunReader>(*run, here) : nullptr});
    }
}

json Radar::look(const std::stop_token& stop) {
    look_at_changes(stop);
    for (const Seen& seen : seen_) {
        if (stop.stop_requested()) {
            break;
        }
        if (seen.changed != nullptr) {
            tell_rejoins(seen);
        }
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

// Those that share a graph are told of together: it goes back once.
void Radar::look_at_changes(const std::stop_token& stop) {
    std::map<GraphKey, std::vector<const Seen*>> by_graph;
    for (const Seen& seen : seen_) {
        if (seen.changed != nullptr) {
            by_graph[seen.changed->run().slot->key()].push_back(&seen);
        }
    }
    for (const auto& [key, all] : by_graph) {
        std::vector<ChangesAsked> asked;
        for (const Seen* seen : all) {
            const RunView& run = seen->changed->run();
            asked.push_back({seen->root, run.repeated,
                             analysis::strategy_of(run.spec.strategy.kind).has_anchor()});
        }
        const RunReader& reader = *all.front()->changed;
        const auto found = changes_of(store_, key, reader.run().slot->graph(), reader.read(), asked,
                                      since_, now_, stop);
        for (std::size_t i = 0; i < found.size(); ++i) {
            tell_changes(*all[i], found[i]);
        }
        base::give_back_free_memory(); // a tree was there
    }
}

void Radar::tell_changes(const Seen& seen, const Changes& changes) {
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
    std::vector<analysis::Rejoin> all;
    {
        const RunView& run = seen.changed->run();
        const GraphReading reading = seen.changed->read();
        analysis::RejoinLimits limits{.since = since_};
        limits.positions = std::min(limits.positions, most_places / changed_);
        analysis::RejoinSearch search{run.slot->graph(), run.root_node, limits};
        while (search.go_on()) {
            reading.breathe();
        }
        all = search.found();
    }
    for (const analysis::Rejoin& found : all) {
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
    for (LeavingGame& game : games_that_leave(kept_files(store_, seen.id), seen.root, since_,
                                              most_leaving, seen.labels)) {
        const chess::Position from = left_from(seen.root, game);
        std::optional<int> loss;
        if (seen.changed != nullptr) { // else its graph is not at hand
            const GraphReading reading = seen.changed->read();
            loss = loss_by_leaving(seen.changed->run().slot->graph(), from, game);
        }
        std::string known;
        for (const chess::Move move : game.known) {
            known += (known.empty() ? "" : ", ") + chess::to_numbered_san(from, move);
        }
        const std::string played = chess::to_numbered_san(from, game.line.back());
        tell(seen, {"left", game.line, game.at, known, played,
                    fmt::format(
                        "{} leaves your files with {}{}; they have {}{}", game.players, played,
                        !game.me                  ? ""
                        : *game.me == from.turn() ? ", which you played"
                                                  : ", played against you",
                        known,
                        loss.value_or(0) == 0 ? ""
                                              : fmt::format(", {:.2f} {}", std::abs(*loss) / 100.0,
                                                            *loss > 0 ? "better" : "worse")),
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
