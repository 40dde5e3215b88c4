#include "analysis/estimate.hpp"

#include "analysis/graph.hpp"
#include "api/views/graph_views.hpp"
#include "api/views/view.hpp"
#include "chess/notation.hpp"
#include "core/graphs/line_end.hpp"
#include "files/openings/openings.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>

namespace adjourn::server {

using analysis::Graph;
using analysis::NodeId;
using nlohmann::json;

namespace {

json estimate_json(const std::optional<analysis::Estimate>& estimate, chess::Color mover) {
    if (!estimate) {
        return nullptr;
    }
    const bool white = mover == chess::Color::white;
    const auto whole = [&](double cp) { return std::lround(white ? cp : -cp); };
    return {{"cp", whole(estimate->cp)},
            {"low", whole(white ? estimate->low : estimate->high)},
            {"high", whole(white ? estimate->high : estimate->low)},
            {"searches", estimate->searches}};
}

class NodeView {
public:
    NodeView(const Core& core, const AnalysisRun& run, const std::vector<chess::Move>& line)
        : run_{run}, line_{line}, standing_{line_end(run, line)},
          searched_{searched_now(core, run)}, drawn_{drawn_by_clock(run, standing_.position)},
          solved_{drawn_ ? std::nullopt : solved_value(run, standing_.position)} {}

    NodeDraft make() {
        draft_.position = standing_.position.packed();
        draft_.legal = standing_.position.legal_moves().size();
        json& out = draft_.out;
        out["fen"] = standing_.position.fen();
        out["line"] = line_json(run_.root, line_);
        out["turn"] = mover() == chess::Color::white ? "white" : "black";
        out["terminal"] = terminal();
        out["status"] = status();
        out["idea"] = nullptr;
        out["alpha"] = nullptr;
        out["estimate"] = nullptr;
        out["moves"] = json::array();
        out["pv"] = {{"idea", json::array()}, {"alpha", json::array()}};
        out["parents"] = json::array();
        out["proposals"] = {{"engine", 0}, {"person", 0}, {"import", 0}};
        if (drawn_) { // the game is over
            out["idea"] = out["alpha"] = score_json(chess::Score::cp(0), mover());
            out["rest"] = {{"count", 0}, {"bound", nullptr}};
        } else if (solved_) {
            add_solved(out);
        } else if (standing_.node) {
            add_values(out);
        } else {
            out["rest"] = {{"count", standing_.position.legal_moves().size()}, {"bound", nullptr}};
        }
        const auto left = clock_left(run_, standing_.position);
        out["clock"] = left ? json(*left) : json(nullptr);
        const std::string note = clock_note(run_, standing_.position, value_);
        out["clock_note"] = note.empty() ? json(nullptr) : json(note);
        out["opening"] = opening_json(run_, line_);
        out["notes"] = notes();
        out["version"] = run_.version();
        if (run_.shown() != nullptr) {
            draft_.engine = run_.shown()->engine();
            draft_.key = run_.shown()->key();
        }
        return std::move(draft_);
    }

private:
    struct Row {
        json entry;
        analysis::MoveOrder order; // by alpha
        NodeDraft::Move move;
    };

    chess::Color mover() const { return standing_.position.turn(); }
    const Graph& graph() const { return run_.shown()->graph(); }

    json terminal() const {
        if (drawn_) {
            return "seventy_five_moves";
        }
        switch (standing_.position.terminal()) {
        case chess::Terminal::checkmate: return "checkmate";
        case chess::Terminal::stalemate: return "stalemate";
        case chess::Terminal::dead: return "dead";
        case chess::Terminal::no: return nullptr;
        }
        return nullptr;
    }

    std::string waiting_at(NodeId node) const {
        if (!run_.shown()->waits_at(node)) {
            return "";
        }
        return searched_.contains(graph().position(node).packed()) ? "searching" : "queued";
    }

    std::string status() const {
        if (drawn_ || solved_ || standing_.position.terminal() != chess::Terminal::no) {
            return "terminal";
        }
        if (!standing_.node) {
            return "unscored";
        }
        if (graph().expanded(*standing_.node)) {
            return "expanded";
        }
        const std::string waiting = waiting_at(*standing_.node);
        return waiting.empty() ? "leaf" : waiting;
    }

    std::string status_of(const analysis::GraphMove& move, bool repetition,
                          const analysis::NodeDirectives* directives) const {
        if (directives != nullptr && contains(directives->excluded, move.move)) {
            return "excluded";
        }
        if (repetition) {
            return "repetition";
        }
        if (graph().exact(move.target)) {
            return "terminal";
        }
        if (graph().expanded(move.target)) {
            return "expanded";
        }
        const std::string waiting = waiting_at(move.target);
        return waiting.empty() ? "leaf" : waiting;
    }

    static bool contains(const std::vector<chess::Move>& moves, chess::Move move) {
        return std::find(moves.begin(), moves.end(), move) != moves.end();
    }

    void add_values(json& out) {
        const NodeId node = *standing_.node;
        court_ = line_.empty() ? court_of(run_) : nullptr;
        const analysis::LineValues values{graph(), standing_.nodes, court_};
        const auto found = run_.node_directives.find(node);
        const analysis::NodeDirectives* directives =
            found == run_.node_directives.end() ? nullptr : &found->second;
        const auto moves = graph().moves(node);
        const analysis::Estimates estimated =
            analysis::estimates(graph(), node, analysis::error_model(run_.shown()->noise()));
        out["estimate"] = estimate_json(estimated.position, mover());
        std::vector<Row> rows;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            rows.push_back(row(node, i, values, directives));
            rows.back().entry["estimate"] = estimate_json(estimated.moves[i], mover());
        }
        std::ranges::sort(rows, {}, &Row::order);
        for (Row& row : rows) {
            draft_.moves.emplace(out["moves"].size(), row.move);
            out["moves"].push_back(std::move(row.entry));
        }
        std::size_t listed = moves.size();
        listed += add_unscored(out["moves"], node, directives);
        out["idea"] = score_json(idea_after(graph(), node, court_), mover());
        out["alpha"] = score_json(values.alpha(), mover());
        out["pv"]["idea"] = line_json(standing_.position, analysis::idea_pv(graph(), node));
        value_ = analysis::alpha_pv(graph(), standing_.nodes, analysis::longest_pv, court_);
        if (clock_ends_next_) { // the best of what the rule leaves
            out["alpha"] = score_json(best_, mover());
            if (best_move_ && (value_.empty() || value_.front() != *best_move_)) {
                value_ = {*best_move_};
            }
        }
        out["pv"]["alpha"] = line_json(standing_.position, value_);
        draft_.behind = behind(out["alpha"]);
        const std::vector<chess::Move> ignored =
            directives == nullptr ? std::vector<chess::Move>{} : directives->excluded;
        out["rest"] = {{"count", standing_.position.legal_moves().size() -
                                     std::min(listed, standing_.position.legal_moves().size())},
                       {"bound", score_json(graph().rest_bound(
                                                node, analysis::effort(run_.record.limit), ignored),
                                            mover())}};
        const std::string failure = run_.shown()->failure_at(node);
        if (!failure.empty()) {
            out["failure"] = failure;
        }
        add_parents(out["parents"], node);
    }

    // Nothing is asked and nothing searched here: every move has its exact value. What engines once
    // said of a move stays in view.
    void add_solved(json& out) {
        const auto found = standing_.node ? run_.node_directives.find(*standing_.node)
                                          : run_.node_directives.end();
        for (const SolvedMove& solved : solved_moves(run_, line_)) {
            const chess::Move move = solved.move.move;
            json entry = move_json(standing_.position, move);
            entry["engine"] = nullptr;
            if (standing_.node) {
                for (const analysis::GraphMove& known : graph().moves(*standing_.node)) {
                    if (known.move == move) {
                        entry["engine"] = engine_score(known);
                        draft_.moves.emplace(out["moves"].size(),
                                             NodeDraft::Move{move, known.evaluation});
                    }
                }
            }
            entry["idea"] = score_json(solved.move.value, mover());
            entry["alpha"] = score_json(solved.alpha(), mover());
            entry["status"] =
                found != run_.node_directives.end() && contains(found->second.excluded, move)
                    ? "excluded"
                : solved.repetition ? "repetition"
                                    : "terminal";
            entry["estimate"] = nullptr; // it is known
            entry["positions"] = 0;
            entry["transposition"] = false;
            entry["source"] = "tables";
            out["moves"].push_back(std::move(entry));
        }
        out["idea"] = score_json(solved_, mover());
        out["alpha"] = score_json(solved_, mover());
        const json pv = line_json(
            standing_.position,
            analysis::table_line(*graph().tables(), standing_.position, analysis::longest_pv));
        out["pv"] = {{"idea", pv}, {"alpha", pv}};
        out["rest"] = {{"count", standing_.position.legal_moves().size() - out["moves"].size()},
                       {"bound", nullptr}};
        if (standing_.node) {
            add_parents(out["parents"], *standing_.node);
        }
    }

    Row row(NodeId node, std::size_t i, const analysis::LineValues& values,
            const analysis::NodeDirectives* directives) {
        const analysis::GraphMove& move = graph().moves(node)[i];
        analysis::MoveValue alpha = values.alpha_of(i);
        const bool draws = drawn_by_clock(run_, standing_.position.after(move.move));
        if (draws) {
            alpha.value = chess::Score::cp(0);
            clock_ends_next_ = true;
        }
        if ((directives == nullptr || !contains(directives->excluded, move.move)) &&
            (!best_ || alpha.value.rank() > best_->rank())) {
            best_ = alpha.value;
            best_move_ = move.move;
        }
        json entry = move_json(standing_.position, move.move);
        entry["engine"] = engine_score(move);
        entry["idea"] = score_json(idea_after(graph(), node, i, court_), mover());
        entry["alpha"] = score_json(alpha.value, mover());
        entry["status"] = draws ? "terminal" : status_of(move, alpha.repetition, directives);
        entry["positions"] = graph().expanded(move.target)
                                 ? run_.shown()->positions_below(move.target, count_most)
                                 : std::size_t{0};
        entry["transposition"] = graph().parents(move.target).size() > 1;
        const bool counts = alpha.repetition || graph().exact(move.target);
        if (const auto below = graph().game_value(move.target); below && move.trusted && !counts) {
            entry["outvoted"] = score_json(below->backed_up(), mover());
        }
        return {std::move(entry),
                analysis::move_order(graph(), move, alpha.value),
                {move.move, move.evaluation,
                 directives != nullptr && contains(directives->included, move.move),
                 seeded(node, move.move)}};
    }

    bool seeded(NodeId node, chess::Move move) const {
        const auto found = run_.seeds->find(node);
        return found != run_.seeds->end() && contains(found->second, move);
    }

    json engine_score(const analysis::GraphMove& move) const {
        return {{"score", score_json(move.engine_score, mover())},
                {"engine", run_.shown()->engine().name}};
    }

    // Moves that people and games named and no engine has scored yet.
    std::size_t add_unscored(json& rows, NodeId node,
                             const analysis::NodeDirectives* directives) const {
        std::size_t added = 0;
        std::vector<chess::Move> listed;
        for (const analysis::GraphMove& known : graph().moves(node)) {
            listed.push_back(known.move);
        }
        const auto add = [&](chess::Move move, const std::string& status, const char* source) {
            if (contains(listed, move)) {
                return;
            }
            listed.push_back(move);
            json entry = move_json(standing_.position, move);
            entry["engine"] = nullptr;
            entry["idea"] = nullptr;
            entry["alpha"] = nullptr;
            entry["estimate"] = nullptr;
            entry["status"] = status;
            entry["positions"] = 0;
            entry["transposition"] = false;
            entry["source"] = source;
            rows.push_back(std::move(entry));
            ++added;
        };
        const std::string waiting = waiting_at(node);
        if (directives != nullptr) {
            for (const chess::Move move : directives->included) {
                add(move, waiting.empty() ? "unscored" : waiting, "person");
            }
            for (const chess::Move move : directives->excluded) {
                add(move, "excluded", "person");
            }
        }
        if (const auto found = run_.seeds->find(node); found != run_.seeds->end()) {
            for (const chess::Move move : found->second) {
                add(move, "unscored", "import");
            }
        }
        return added;
    }

    // Null where alpha is no engine's score: of a repetition, a mate, a table.
    std::optional<NodeDraft::Behind> behind(const json& alpha) const {
        if (value_.empty()) {
            return std::nullopt;
        }
        chess::Position at = standing_.position;
        for (std::size_t i = 0; i + 1 < value_.size(); ++i) {
            at.play(value_[i]);
        }
        const auto node = graph().find(at.packed());
        const auto moves = node ? graph().moves(*node) : std::span<const analysis::GraphMove>{};
        const auto last = std::ranges::find(moves, value_.back(), &analysis::GraphMove::move);
        if (last == moves.end() || score_json(last->engine_score, at.turn()) != alpha) {
            return std::nullopt;
        }
        return NodeDraft::Behind{at.packed(), at.turn(), last->evaluation};
    }

    void add_parents(json& out, NodeId node) const {
        for (const Graph::Parent& parent : graph().parents(node)) {
            const chess::Position from = graph().position(parent.node);
            json entry = move_json(from, graph().moves(parent.node)[parent.move].move);
            entry["fen"] = from.fen();
            out.push_back(std::move(entry));
        }
    }

    json notes() const {
        json out = json::array();
        for (const Directive* note : notes_of(run_.directives)) {
            if (note->position == standing_.position.packed()) {
                out.push_back({{"at", note->at}, {"text", std::get<Note>(note->action).text}});
            }
        }
        return out;
    }

    const AnalysisRun& run_;
    const std::vector<chess::Move>& line_;
    LineEnd standing_;
    Searched searched_;
    bool drawn_;                                   // by the clock
    std::optional<chess::Score> solved_;           // by endgame tables, mover's side
    std::vector<chess::Move> value_;               // the line behind alpha
    const analysis::JointSearch* court_ = nullptr; // that decides here
    // Some move draws by the clock; then these are the best value and its move.
    bool clock_ends_next_ = false;
    std::optional<chess::Score> best_;
    std::optional<chess::Move> best_move_;
    NodeDraft draft_;
};

using Facts = std::vector<analysis::Evaluation>;

// A person who included it, the engine if it chose it among several, else whoever had it scored.
const char* source_of(const NodeDraft& draft, const NodeDraft::Move& move, const Facts& facts) {
    if (move.person) {
        return "person";
    }
    bool own = false;
    for (const analysis::Evaluation& fact : facts) {
        if (fact.move == move.move && fact.question.engine == draft.engine.id) {
            own = true;
            if (fact.question.excluded.size() + 1 < draft.legal || draft.legal == 1) {
                return "engine";
            }
        }
    }
    return move.seed || !own ? "import" : "engine";
}

std::string name_of(const storage::Store& store, analysis::EngineId id) {
    for (const storage::EngineRecord& engine : store.engines()) {
        if (engine.id == id) {
            return engine.name;
        }
    }
    return "";
}

void add_provenance(json& said, const analysis::Evaluation& fact, chess::Color mover) {
    said["depth"] = fact.depth;
    said["nodes"] = fact.nodes;
    said["at"] = fact.at;
    said["limit"] = limit_json(fact.question.limit);
    if (fact.wdl) {
        said["wdl"] = wdl_json(*fact.wdl, mover);
    }
    if (!fact.machine.empty()) {
        said["machine"] = fact.machine;
    }
}

json said_by(const storage::Store& store, const analysis::Evaluation& fact, chess::Color mover) {
    json said{{"score", score_json(fact.score, mover)},
              {"engine", name_of(store, fact.question.engine)}};
    add_provenance(said, fact, mover);
    return said;
}

const char* bound_word(analysis::Bound bound) {
    return bound == analysis::Bound::lower   ? "lower"
           : bound == analysis::Bound::upper ? "upper"
                                             : "exact";
}

// From White's side an upper bound for Black is a lower one.
analysis::Bound white_bound(analysis::Bound bound, chess::Color mover) {
    if (mover == chess::Color::white || bound == analysis::Bound::exact) {
        return bound;
    }
    return bound == analysis::Bound::lower ? analysis::Bound::upper : analysis::Bound::lower;
}

// Shortest line of graph moves from the root to a node; nullopt if there is none.
std::optional<std::vector<chess::Move>> line_to(const AnalysisRun& run, NodeId wanted) {
    const analysis::Graph& graph = run.shown()->graph();
    std::unordered_map<NodeId, std::pair<NodeId, chess::Move>> came_from;
    std::deque<NodeId> open{run.root_node};
    while (!open.empty()) {
        const NodeId node = open.front();
        open.pop_front();
        if (node == wanted) {
            std::vector<chess::Move> line;
            for (NodeId at = wanted; at != run.root_node;) {
                const auto& [from, move] = came_from.at(at);
                line.insert(line.begin(), move);
                at = from;
            }
            return line;
        }
        for (const analysis::GraphMove& move : graph.moves(node)) {
            if (move.target != run.root_node &&
                came_from.emplace(move.target, std::pair{node, move.move}).second) {
                open.push_back(move.target);
            }
        }
    }
    return std::nullopt;
}

} // namespace

NodeDraft node_draft(const Core& core, const AnalysisRun& run,
                     const std::vector<chess::Move>& line) {
    return NodeView{core, run, line}.make();
}

// What the store knows of the moves of a position: who scored them, when and how deep, and who
// brought them up.

// Words that the graph does not rest on: of moves that are excluded, and of smaller limits where
// nothing of the analysis's limit names the move.
void NodeDraft::add_what_has_no_part(json& result, const Facts& facts,
                                     const storage::Store& store) const {
    const auto here = chess::Position::unpack(position);
    if (!here || key.engine == analysis::EngineId{}) {
        return;
    }
    const auto rank = [](const analysis::Evaluation& fact) {
        return std::tuple{analysis::effort(fact.question.limit), fact.at, fact.id};
    };
    std::map<chess::Move, const analysis::Evaluation*> words; // the largest of each move
    for (const analysis::Evaluation& fact : facts) {
        if (usable(fact) && key.holds(fact.question.engine) && here->is_legal(*fact.move)) {
            const analysis::Evaluation*& word = words[*fact.move];
            word = word == nullptr || rank(*word) < rank(fact) ? &fact : word;
        }
    }
    json& rows = result["moves"];
    const std::size_t scored = moves.size();
    std::vector<const analysis::Evaluation*> provisional;
    for (const auto& [move, word] : words) {
        const std::string uci = chess::to_uci(*here, move);
        const auto row =
            std::ranges::find_if(rows, [&](const json& entry) { return entry["uci"] == uci; });
        if (row == rows.end()) {
            provisional.push_back(word);
        } else if ((*row)["engine"].is_null() && (*row)["status"] == "excluded") {
            (*row)["engine"] = said_by(store, *word, here->turn());
        } else if ((*row)["engine"].is_null()) {
            provisional.push_back(word);
            rows.erase(row); // named by a person or a game, and scored by a small search
        }
    }
    std::ranges::stable_sort(provisional, [](const auto* a, const auto* b) {
        return a->score->rank() > b->score->rank();
    });
    auto place = static_cast<json::difference_type>(std::min(scored, rows.size()));
    for (const analysis::Evaluation* word : provisional) {
        json entry = move_json(*here, *word->move);
        entry["engine"] = said_by(store, *word, here->turn());
        entry["idea"] = entry["engine"]["score"];
        entry["alpha"] = entry["engine"]["score"];
        entry["estimate"] = nullptr;
        entry["status"] = "leaf";
        entry["provisional"] = true;
        entry["positions"] = 0;
        entry["transposition"] = false;
        entry["source"] = source_of(*this, {*word->move, word->id}, facts);
        rows.insert(rows.begin() + place++, std::move(entry));
    }
    if (scored == 0 && !provisional.empty() && result["alpha"].is_null()) {
        result["alpha"] = score_json(provisional.front()->score, here->turn());
        result["idea"] = result["alpha"];
        result["provisional"] = true;
    }
    const std::size_t legal_moves = here->legal_moves().size();
    result["rest"]["count"] = legal_moves - std::min(legal_moves, rows.size());
}

json NodeDraft::finish(const storage::Store& store) const {
    json result = out;
    const bool asks = !moves.empty() || key.engine != analysis::EngineId{};
    const Facts facts = asks ? store.evaluations(position) : Facts{};
    const chess::Color turn = result["turn"] == "white" ? chess::Color::white : chess::Color::black;
    for (const auto& [place, move] : moves) {
        json& entry = result["moves"][place];
        const auto fact = std::ranges::find(facts, move.evaluation, &analysis::Evaluation::id);
        if (fact != facts.end()) {
            json& said = entry["engine"];
            if (fact->question.engine != engine.id) {
                said["engine"] = name_of(store, fact->question.engine);
            }
            add_provenance(said, *fact, turn);
        }
        if (!entry.contains("source")) {
            entry["source"] = source_of(*this, move, facts);
        }
    }
    if (result["terminal"].is_null() && result["status"] != "terminal") {
        add_what_has_no_part(result, facts, store);
    }
    count_proposals(result);
    if (behind) {
        const Facts there =
            behind->position == position ? facts : store.evaluations(behind->position);
        const auto fact = std::ranges::find(there, behind->evaluation, &analysis::Evaluation::id);
        if (fact != there.end() && fact->wdl) {
            result["wdl"] = wdl_json(*fact->wdl, behind->mover);
        }
    }
    return result;
}

json NodeDraft::without_store() const {
    json result = out;
    for (const auto& [place, move] : moves) {
        json& entry = result["moves"][place];
        if (!entry.contains("source")) {
            entry["source"] = move.person ? "person" : move.seed ? "import" : "engine";
        }
    }
    count_proposals(result);
    result["left_out"] = {"provenance", "provisional"};
    return result;
}

void NodeDraft::count_proposals(json& result) {
    for (const json& entry : result["moves"]) {
        const std::string source = entry["source"];
        if (source != "tables") {
            json& count = result["proposals"][source];
            count = count.get<std::size_t>() + 1;
        }
    }
}

// Raw facts with their provenance, and which analyses hold a position.

json evaluations_json(const storage::Store& store, const chess::Position& position) {
    std::map<analysis::EngineId, storage::EngineRecord> engines;
    for (storage::EngineRecord& engine : store.engines()) {
        engines.emplace(engine.id, std::move(engine));
    }
    json list = json::array();
    for (const analysis::Evaluation& fact : store.evaluations(position.packed())) {
        json entry;
        entry["id"] = static_cast<std::int64_t>(fact.id);
        const auto engine = engines.find(fact.question.engine);
        if (engine != engines.end()) {
            entry["engine"] = engine->second.name;
            entry["fingerprint"] = engine->second.fingerprint();
        }
        entry["limit"] = limit_json(fact.question.limit);
        json excluded = json::array();
        for (const chess::Move move : fact.question.excluded) {
            excluded.push_back(chess::to_uci(position, move));
        }
        entry["excluded"] = std::move(excluded);
        // Of facts that somebody has damaged, what is no legal move is not shown.
        const bool legal = fact.move && position.is_legal(*fact.move);
        entry["move"] = legal ? move_json(position, *fact.move) : json(nullptr);
        entry["score"] = score_json(fact.score, position.turn());
        entry["bound"] = bound_word(white_bound(fact.bound, position.turn()));
        entry["depth"] = fact.depth;
        entry["seldepth"] = fact.seldepth;
        entry["nodes"] = fact.nodes;
        entry["time_ms"] = fact.time_ms;
        json pv = json::array();
        chess::Position at = position;
        for (const chess::Move move : fact.pv) {
            if (!at.is_legal(move)) {
                break;
            }
            pv.push_back(chess::to_san(at, move));
            at.play(move);
        }
        entry["pv"] = std::move(pv);
        entry["at"] = fact.at;
        if (fact.wdl) {
            entry["wdl"] = wdl_json(*fact.wdl, position.turn());
        }
        if (!fact.machine.empty()) {
            entry["machine"] = fact.machine;
        }
        list.push_back(std::move(entry));
    }
    return {{"fen", position.fen()}, {"evaluations", std::move(list)}};
}

json positions_json(const Core& core, const chess::Position& position) {
    json analyses = json::array();
    for (const auto& run : core.queue().runs()) {
        if (run->shown() == nullptr || run->transient) {
            continue;
        }
        const auto node = run->shown()->graph().find(position.packed());
        if (!node) {
            continue;
        }
        if (const auto line = line_to(*run, *node)) {
            json moves = json::array();
            chess::Position at = run->root;
            for (const chess::Move move : *line) {
                moves.push_back(chess::to_uci(at, move));
                at.play(move);
            }
            analyses.push_back({{"id", static_cast<std::int64_t>(run->record.id)},
                                {"name", run->record.name},
                                {"line", std::move(moves)}});
        }
    }
    return {{"fen", position.fen()}, {"analyses", std::move(analyses)}};
}

} // namespace adjourn::server
