#include "server/export.hpp"

#include "chess/notation.hpp"
#include "chess/pgn_writer.hpp"
#include "export_tree.hpp"
#include "openings.hpp"

#include <spdlog/fmt/fmt.h>

#include <ctime>

namespace adjourn::server {

namespace {

// Turns the chosen tree into the writer's.
class PgnTreeMaker {
public:
    PgnTreeMaker(const storage::Store& store, const chess::Position& from)
        : facts_{store}, from_{from} {}

    std::vector<chess::PgnNode> make(const std::vector<ExportMove>& moves,
                                     const chess::Position& position) {
        std::vector<chess::PgnNode> nodes;
        nodes.reserve(moves.size());
        for (const ExportMove& move : moves) {
            nodes.push_back({move.move.move, {}, comment(move, position), {}});
        }
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (!moves[i].replies.empty()) {
                nodes[i].replies = make(moves[i].replies, position.after(moves[i].move.move));
            }
        }
        return nodes;
    }

private:
    std::string comment(const ExportMove& move, const chess::Position& position) {
        const chess::Color mover = position.turn();
        const auto white = [&](chess::Score score) {
            return mover == chess::Color::white ? score : -score;
        };
        if (move.solved) {
            return "[%eval " + chess::to_eval_text(white(move.alpha)) + "] " +
                   chess::to_text(white(move.alpha));
        }
        const analysis::Evaluation* fact = facts_.of(move, position);
        std::string text = "[%eval " + chess::to_eval_text(white(move.alpha)) + "] d" +
                           (fact == nullptr ? "?" : std::to_string(fact->depth));
        if (move.idea.rank() != move.alpha.rank()) {
            text += ", idea " + chess::to_text(white(move.idea));
        }
        if (move.repetition) {
            text += ", repetition";
        }
        if (move.transposes) {
            text += ", transposes to " + (move.transposes->empty()
                                              ? "the start of this file"
                                              : chess::to_san_line(from_, *move.transposes));
        }
        return text;
    }

    ExportFacts facts_;
    chess::Position from_;
};

std::string limit_text(const analysis::Limit& limit) {
    switch (limit.kind) {
    case analysis::Limit::Kind::depth: return fmt::format("depth {}", limit.amount);
    case analysis::Limit::Kind::nodes: return fmt::format("{} nodes", limit.amount);
    case analysis::Limit::Kind::movetime: return fmt::format("{} ms", limit.amount);
    }
    return "";
}

std::vector<chess::PgnTag> tags_of(const Core& core, const AnalysisRun& run,
                                   const std::vector<chess::Move>& line) {
    const std::time_t seconds = core.now() / 1000;
    std::tm local{};
    localtime_r(&seconds, &local);
    std::vector<chess::PgnTag> tags;
    tags.push_back({"Event", run.record.name.empty() ? "?" : run.record.name});
    tags.push_back({"Date", fmt::format("{:04}.{:02}.{:02}", local.tm_year + 1900, local.tm_mon + 1,
                                        local.tm_mday)});
    tags.push_back({"Round", "-"});
    const nlohmann::json opening = opening_json(run, line);
    if (opening.is_object()) {
        tags.push_back({"ECO", opening["eco"].get<std::string>()});
        tags.push_back({"Opening", opening["name"].get<std::string>()});
    }
    std::vector<chess::Move> before = run.record.root_moves;
    before.insert(before.end(), line.begin(), line.end());
    if (!before.empty()) {
        tags.push_back({"Moves", chess::to_san_line(run.start, before)});
    }
    tags.push_back({"Annotator", fmt::format("Adjourn {}", ADJOURN_VERSION)});
    tags.push_back({"Engine", run.slot->engine().name});
    const analysis::StrategyParameters& strategy = run.spec.strategy;
    tags.push_back(
        {"Analysis", fmt::format("{} an evaluation; {}, distance {}, settled to depth {}",
                                 limit_text(run.record.limit), analysis::to_text(strategy.kind),
                                 strategy.move_distance, run.settled)});
    return tags;
}

} // namespace

ExportWriter pgn_writer(const Core& core, const AnalysisRun& run,
                        const std::vector<chess::Move>& line) {
    return [&store = core.store(), tags = tags_of(core, run, line)](const ExportTree& chosen) {
        chess::PgnTree tree;
        tree.tags = tags;
        tree.start = chosen.start;
        tree.moves = PgnTreeMaker{store, chosen.start}.make(chosen.moves, chosen.start);
        return chess::to_pgn(tree);
    };
}

std::string export_pgn(const Core& core, const AnalysisRun& run,
                       const std::vector<chess::Move>& line, const ExportLimits& limits) {
    return pgn_writer(core, run, line)(choose_tree(run, line, limits));
}

} // namespace adjourn::server
