// Looks: what people want of it, what the clock drives, and what is asked.
#include "core/looks/looks.hpp"

#include "core/graphs/graph_slot.hpp"
#include "core/graphs/node_directives.hpp"
#include "core/graphs/solved_node.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace adjourn::server {

namespace {

constexpr analysis::UnixMs told_every = 100; // ms, at the least; else with the next tick

WorkError no_look(LookId id) {
    return {WorkError::Kind::no_look, "there is no look " +
                                          std::to_string(static_cast<std::int64_t>(id)) +
                                          " at this analysis"};
}

WorkError too_many() {
    return {WorkError::Kind::no_looking,
            std::to_string(Looks::most_at_once) +
                " positions are looked at already, no more at once: end one of them"};
}

} // namespace

Looks::Looks(storage::Store& store, const Queue& queue, Engines& engines, Health& health,
             Reads& reads, const base::TaskScope& scope, Recorder recorder, Queue::Clock steady,
             analysis::UnixMs now, Listener listener)
    : store_{store}, queue_{queue}, engines_{engines}, health_{health}, reads_{reads},
      scope_{scope}, recorder_{std::move(recorder)}, steady_{std::move(steady)},
      listener_{std::move(listener)}, last_look_{now / 1000} {}

// ---- what people want ----

std::optional<WorkError> Looks::impossible(const AnalysisRun& run,
                                           const std::vector<chess::Move>& line) const {
    const auto not_now = [](std::string why) {
        return WorkError{WorkError::Kind::no_looking, std::move(why)};
    };
    const EngineSlot* engine = engines_.of(run);
    if (stopping_) {
        return not_now("the server is stopping");
    }
    if (!health_.store_problem().empty()) {
        return WorkError{WorkError::Kind::store_failed,
                         "the store cannot write: " + health_.store_problem()};
    }
    if (engine == nullptr) {
        return not_now("no engine is named '" + run.record.profile + "' in the config");
    }
    if (!engine->identity) {
        return not_now(engine->problem.empty() ? "the engine has not started yet"
                                               : "the engine does not work: " + engine->problem);
    }
    const chess::Position position = run.root.after(line);
    if (position.terminal() != chess::Terminal::no) {
        return WorkError{WorkError::Kind::futile_line, "the game is over in this position"};
    }
    if (run.slot != nullptr && solved_value(run, position)) {
        return WorkError{WorkError::Kind::futile_line,
                         "nothing is asked in " + position.fen() + ": its value is exact"};
    }
    return std::nullopt;
}

std::expected<const Look*, WorkError> Looks::begin(const AnalysisRun& run, LookWish wish) {
    if (auto why = impossible(run, wish.line)) {
        return std::unexpected(std::move(*why));
    }
    const LookId id{last_look_ + 1};
    Look look;
    look.id = id;
    look.analysis = run.record.id;
    look.wish = std::move(wish);
    if (under_way() >= most_at_once) {
        return std::unexpected(too_many());
    }
    ++last_look_;
    Look& added = looks_.emplace(id, std::move(look)).first->second;
    set_going(added, run);
    lend(added);
    go_on(added);
    tell(added);
    return &added;
}

// A place for it, and a position.
void Looks::set_going(Look& look, const AnalysisRun& run) {
    EngineSlot& engine = *engines_.of(run);
    look.engine = engine.profile.name;
    look.renewed_at = steady_();
    begin_at(look, run);
    if (!look.place) {
        look.ended.clear();
        look.profile = engine.index;
        look.place =
            engine.dispatcher->reserve(engine.index, {static_cast<std::uint64_t>(look.analysis)});
    }
}

std::expected<const Look*, WorkError> Looks::change(const AnalysisRun& run, LookId id,
                                                    const LookPatch& patch) {
    Look* look = find(id);
    if (look == nullptr || look->analysis != run.record.id) {
        return std::unexpected(no_look(id));
    }
    const bool over = !look->ended.empty();
    const bool elsewhere = patch.line && (over || *patch.line != look->wish.line);
    const bool more = patch.lines.value_or(0) > look->wish.lines;
    const bool other_lines = patch.lines && *patch.lines != look->wish.lines;
    const bool anew = elsewhere || (over && more);
    if (anew) {
        const auto& line = elsewhere ? *patch.line : look->wish.line;
        if (over && under_way() >= most_at_once) {
            return std::unexpected(too_many());
        }
        if (auto why = impossible(run, line)) {
            if (elsewhere && why->kind == WorkError::Kind::futile_line) {
                end(*look, why->message); // nobody is to think that the old one is shown
            }
            return std::unexpected(std::move(*why));
        }
    }
    look->renewed_at = steady_();
    look->wish.line = patch.line.value_or(look->wish.line);
    look->wish.lines = patch.lines.value_or(look->wish.lines);
    look->wish.from_queue = patch.from_queue.value_or(look->wish.from_queue);
    look->wish.until_stopped = patch.until_stopped.value_or(look->wish.until_stopped);
    if (anew) {
        call_off(*look);
        set_going(*look, run);
        go_on(*look);
    } else if (other_lines && look->ended.empty()) { // from the depth on that all of them have
        call_off(*look);
        look->depth = 0;
        go_on(*look);
    }
    lend(*look);
    if (anew || patch.lines || patch.from_queue || patch.until_stopped) {
        tell(*look);
    }
    return look;
}

std::expected<void, WorkError> Looks::stop(const AnalysisRun& run, LookId id) {
    Look* look = find(id);
    if (look == nullptr || look->analysis != run.record.id) {
        return std::unexpected(no_look(id));
    }
    if (look->ended.empty()) {
        end(*look, "stopped");
    }
    looks_.erase(id);
    return {};
}

void Looks::root_moved(const AnalysisRun& run, const std::vector<chess::Move>& before) {
    for (auto& [id, look] : looks_) {
        if (look.analysis != run.record.id) {
            continue;
        }
        std::vector<chess::Move> line = before;
        line.insert(line.end(), look.wish.line.begin(), look.wish.line.end());
        const auto below = run.from_root(line);
        look.wish.line = below.value_or(std::vector<chess::Move>{});
        if (!below && look.ended.empty()) {
            end(look, "the game went on another way");
        }
    }
}

void Looks::forget(analysis::AnalysisId analysis) {
    for (auto& [id, look] : looks_) {
        if (look.analysis == analysis && look.ended.empty()) {
            end(look, "the analysis was deleted");
        }
    }
    std::erase_if(looks_, [&](const auto& entry) { return entry.second.analysis == analysis; });
}

// ---- looking ----

Look* Looks::find(LookId id) {
    const auto found = looks_.find(id);
    return found == looks_.end() ? nullptr : &found->second;
}

const Look* Looks::find(analysis::AnalysisId analysis, LookId id) const {
    const auto found = looks_.find(id);
    return found == looks_.end() || found->second.analysis != analysis ? nullptr : &found->second;
}

std::vector<const Look*> Looks::of(analysis::AnalysisId analysis) const {
    std::vector<const Look*> all;
    for (const auto& [id, look] : looks_) {
        if (look.analysis == analysis) {
            all.push_back(&look);
        }
    }
    return all;
}

std::size_t Looks::under_way() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        looks_, [](const auto& entry) { return entry.second.ended.empty(); }));
}

std::optional<engine_bridge::ProcessStatus> Looks::live(const Look& look) const {
    const EngineSlot* engine = look.search ? engines_.named(look.engine) : nullptr;
    return engine == nullptr ? std::nullopt : engine->process_of(look.search->job);
}

bool Looks::ready(const Look& look) const {
    return look.place && engines_.dispatcher()->works(*look.place);
}

void Looks::process_changed(engine_bridge::ProfileId profile) {
    for (auto& [id, look] : looks_) {
        if (look.place && look.profile == profile) {
            health_.attempt("telling what is looked at", [&, &told = look] { tell_soon(told); });
        }
    }
}

void Looks::engines_changed() {
    for (auto& [id, look] : looks_) {
        if (look.place && engines_.dispatcher()->closed(look.profile)) {
            end(look, "the engine was changed in the configuration");
        }
    }
}

// What the look takes from the queue's processes of its engine.
void Looks::lend(const Look& look) {
    if (look.place) {
        engines_.dispatcher()->lend(*look.place, look.wish.from_queue);
    }
}

engine_bridge::Dispatcher::Time Looks::now() const {
    return engine_bridge::Dispatcher::Time{std::chrono::milliseconds{steady_()}};
}

// ---- the clock ----

void Looks::look_after() {
    const analysis::UnixMs now = steady_();
    for (auto& [id, look] : looks_) {
        if (look.ended.empty() && !health_.store_problem().empty()) {
            end(look, "the store cannot write: " + health_.store_problem());
        } else if (look.ended.empty() && !look.wish.until_stopped &&
                   now - look.renewed_at >= patience) {
            end(look, "nobody looked any more");
        } else if (look.untold) {
            tell(look);
        }
    }
    std::erase_if(looks_, [&](const auto& entry) {
        return !entry.second.ended.empty() && now - entry.second.ended_at >= kept;
    });
    engines_.dispatcher()->dismiss_idle(this->now(), std::chrono::milliseconds{warm});
}

void Looks::end(Look& look, std::string why) {
    call_off(look);
    look.ended = std::move(why);
    look.ended_at = steady_();
    leave_place(look);
    tell(look);
}

void Looks::leave_place(Look& look) {
    if (look.place) {
        engines_.dispatcher()->release(*look.place, now());
        look.place.reset();
    }
}

void Looks::tell(Look& look) {
    look.untold = false;
    look.told_at = steady_();
    if (listener_.changed) {
        listener_.changed(look);
    }
}

void Looks::tell_soon(Look& look) {
    if (steady_() - look.told_at >= told_every) {
        tell(look);
    } else {
        look.untold = true;
    }
}

void Looks::end_all(std::function<void()> stopped) {
    stopping_ = true;
    stopped_ = std::move(stopped);
    for (auto& [id, look] : looks_) {
        if (look.ended.empty()) {
            end(look, "the server is stopping");
        }
    }
    scope_.post([this] { finish_stop(); });
}

void Looks::finish_stop() {
    if (stopping_ && out_ == 0 && stopped_) {
        std::exchange(stopped_, nullptr)();
    }
}

// Looks, what is asked: the position at each depth, the best moves one after the other.

namespace {

using analysis::Evaluation;

// An engine that tells so many answers in a row no larger depth goes no deeper.
constexpr int most_alike = 3;

// Plies that a search is good for: what was asked for, or what a search by nodes or time told.
int depth_of(const Evaluation& fact) {
    return fact.question.limit.kind == chess::Limit::Kind::depth
               ? static_cast<int>(fact.question.limit.amount)
               : fact.depth;
}

// A mate that is nearer than the search was deep: a deeper one would say the same.
bool is_decided(const Evaluation& fact) {
    return fact.score->kind() == chess::Score::Kind::mate && fact.score->plies() <= depth_of(fact);
}

const Evaluation* deepest(const std::vector<Evaluation>& known,
                          const std::vector<chess::Move>& excluded) {
    const Evaluation* best = nullptr;
    for (const Evaluation& fact : known) {
        if (fact.question.excluded == excluded &&
            (best == nullptr || depth_of(fact) > depth_of(*best))) {
            best = &fact;
        }
    }
    return best;
}

std::vector<chess::Move> left_out_at(const AnalysisRun& run, const chess::Position& position) {
    const auto node =
        run.slot == nullptr ? std::nullopt : run.slot->graph().find(position.packed());
    return node ? excluded_moves(run, *node) : std::vector<chess::Move>{};
}

void insert_sorted_move(std::vector<chess::Move>& moves, chess::Move move) {
    moves.insert(std::ranges::upper_bound(moves, move), move);
}

} // namespace

void Looks::begin_at(Look& look, const AnalysisRun& run) {
    look.position = run.root.after(look.wish.line);
    look.depth = 0;
    look.deepest = 0;
    look.no_deeper = 0;
    look.lines.clear();
    look.known.clear();
    read_known(look, engines_.named(look.engine)->id);
}

// Nothing is asked before it is there. Without it all is searched again, which costs time and no
// more: the store refuses doubles.
void Looks::read_known(Look& look, analysis::EngineId engine) {
    const std::uint64_t number = look.reading = ++last_read_;
    const auto facts = std::make_shared<std::vector<Evaluation>>();
    const auto later = std::make_shared<bool>(false);
    const auto read = [&store = store_, position = look.position.packed(), facts] {
        *facts = store.evaluations(position);
    };
    reads_.ask(
        "reading what is known of a position", read,
        [this, id = look.id, number, engine, facts, later](const std::optional<Trouble>& trouble) {
            if (trouble) {
                health_.take(*trouble);
            }
            Look* asked = find(id);
            if (asked == nullptr || asked->reading != number) {
                return;
            }
            asked->reading = 0;
            for (Evaluation& fact : trouble ? std::vector<Evaluation>{} : *facts) {
                if (fact.question.engine == engine && usable(fact)) {
                    asked->known.push_back(std::move(fact));
                }
            }
            if (*later) {
                go_on(*asked);
                tell_soon(*asked);
            }
        });
    *later = true;
}

// What it had found becomes known where it was finished; the rest is forgotten.
void Looks::call_off(Look& look) {
    if (look.search) {
        engines_.dispatcher()->cancel(std::exchange(look.search, std::nullopt)->job);
    }
}

// Asks the next question that nobody has answered, or ends.
void Looks::go_on(Look& look) {
    const AnalysisRun* run = queue_.find(look.analysis);
    if (!look.ended.empty() || look.search || look.reading != 0 || run == nullptr) {
        return;
    }
    const std::vector<chess::Move> left_out = left_out_at(*run, look.position);
    const std::size_t count =
        std::min(look.wish.lines, legal_moves_but(look.position, left_out).size());
    if (count == 0) {
        end(look, "all its moves are excluded");
        return;
    }
    for (int depth = std::max(first_depth, look.depth + 1); depth <= last_depth; ++depth) {
        if (!reach(look, depth, left_out, count)) {
            return;
        }
        if (std::ranges::all_of(look.lines, is_decided)) {
            end(look, look.lines.size() == 1 ? "the game is decided: it ends in mate"
                                             : "the game is decided: all these lines end in mate");
            return;
        }
    }
    end(look, "no search can be deeper than " + std::to_string(last_depth));
}

// Whether all lines are known at that depth; if not, the first that is missing is asked for.
bool Looks::reach(Look& look, int depth, const std::vector<chess::Move>& left_out,
                  std::size_t count) {
    std::vector<chess::Move> excluded = left_out;
    std::vector<Evaluation> lines;
    while (lines.size() < count) {
        const Evaluation* fact = deepest(look.known, excluded);
        if (fact == nullptr || (depth_of(*fact) < depth && !is_decided(*fact))) {
            break;
        }
        lines.push_back(*fact);
        insert_sorted_move(excluded, *fact->move);
    }
    const std::size_t number = lines.size();
    for (Evaluation& before : look.lines) { // until they are found anew
        const bool there = std::ranges::find(lines, before.move, &Evaluation::move) != lines.end();
        if (lines.size() < count && !there && !std::ranges::binary_search(left_out, *before.move)) {
            lines.push_back(std::move(before));
        }
    }
    look.lines = std::move(lines);
    if (number == count) {
        look.depth = depth;
        return true;
    }
    ask(look, depth, number, std::move(excluded));
    return false;
}

void Looks::ask(Look& look, int depth, std::size_t number, std::vector<chess::Move> excluded) {
    const EngineSlot& engine = *engines_.named(look.engine);
    Dispatcher& dispatcher = *engine.dispatcher;
    engine_bridge::Job job{dispatcher.next_id(),
                           look.position,
                           {chess::Limit::Kind::depth, static_cast<std::uint64_t>(depth)},
                           {}};
    job.watched = true;
    job.place = look.place;
    if (!excluded.empty()) {
        job.searchmoves = legal_moves_but(look.position, excluded);
    }
    look.search = Look::Search{job.id, depth, number};
    ++out_;
    auto done = recorder_.expect(
        {{look.position.packed(), engine.id, job.limit, std::move(excluded)},
         std::nullopt, // nobody pays
         0,
         [this, id = look.id, job = job.id](const Recorder::Ending& ending) {
             const HoldWatch::Hold hold{health_.watch(), "fact"};
             --out_;
             health_.attempt("an answer about what is looked at", [&] { ended(id, job, ending); });
             finish_stop();
         }});
    dispatcher.submit(look.profile, std::move(job), std::move(done));
}

void Looks::ended(LookId id, engine_bridge::JobId job, const Recorder::Ending& ending) {
    if (const auto* answered = std::get_if<Answered>(&ending.outcome)) {
        listener_.answered(answered->fact);
    }
    Look* look = find(id);
    if (look != nullptr && look->search && look->search->job == job) {
        take(*look, ending);
    }
}

// What came of the question that is out.
void Looks::take(Look& look, const Recorder::Ending& ending) {
    const Look::Search asked = *std::exchange(look.search, std::nullopt);
    const auto* answered = std::get_if<Answered>(&ending.outcome);
    if (const auto* failed = std::get_if<Unanswered>(&ending.outcome)) {
        end(look, "the engine gave no answer: " + failed->reason);
    } else if (answered == nullptr || !usable(answered->fact)) {
        end(look,
            !ending.engine_problem.empty() ? "the engine does not work: " + ending.engine_problem
            : !ending.not_stored.empty()   ? "its answer could not be stored: " + ending.not_stored
                                           : "the search was called off");
    } else {
        const Evaluation& fact = answered->fact;
        look.known.push_back(fact);
        if (asked.number == 0) {
            look.no_deeper = fact.depth > look.deepest ? 0 : look.no_deeper + 1;
            look.deepest = std::max(look.deepest, fact.depth);
        }
        if (look.no_deeper >= most_alike) {
            end(look, "the engine goes no deeper than depth " + std::to_string(look.deepest));
            return;
        }
        go_on(look);
        tell_soon(look);
    }
}

} // namespace adjourn::server
