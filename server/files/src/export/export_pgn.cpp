#include "chess/notation.hpp"
#include "chess/pgn_comment.hpp"
#include "chess/pgn_writer.hpp"
#include "chess/winning_chances.hpp"
#include "core/graphs/move_clock.hpp"
#include "files/export/export.hpp"
#include "files/export/export_tree.hpp"
#include "files/openings/openings.hpp"
#include "study.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <span>
#include <unordered_map>
#include <utility>

namespace adjourn::server {

namespace {

using Notes = std::unordered_map<chess::PackedPosition, std::string, chess::PackedPositionHash>;

// As "note: …", with nothing in them that reads as a command but what was drawn on the board.
Notes notes_in_pgn(const AnalysisRun& run) {
    Notes notes;
    for (const Directive* said : notes_of(run.directives)) {
        const std::string& whole = std::get<Note>(said->action).text;
        const std::string drawn = chess::marks_in_comment(whole);
        std::string& here = notes[said->position];
        if (!drawn.empty()) {
            here.insert(0, drawn + (here.empty() ? "" : " "));
        }
        std::string text = drawn.empty() ? whole : chess::text_of_comment(whole);
        if (text.empty()) {
            continue;
        }
        for (auto at = text.find("[%"); at != std::string::npos; at = text.find("[%", at)) {
            text.insert(at + 1, " ");
        }
        here += (here.empty() ? "" : here.ends_with(']') ? " " : "; ") + ("note: " + text);
    }
    return notes;
}

// Turns the chosen tree into the writer's.
class PgnTreeMaker {
public:
    PgnTreeMaker(const storage::Store& store, const Notes& notes, const chess::Position& from,
                 const PgnOptions& options)
        : facts_{store}, from_{from}, notes_{notes}, options_{options} {}

    std::vector<chess::PgnNode> make(const std::vector<ExportMove>& moves,
                                     const chess::Position& position) {
        std::vector<chess::PgnNode> nodes;
        nodes.reserve(moves.size());
        for (const ExportMove& move : moves) {
            const chess::Position after = position.after(move.move.move);
            nodes.push_back(
                {move.move.move,
                 nags(moves.front(), move),
                 shown(moves, move) ? comment(move, position, after) : quiet_comment(after),
                 {}});
            add_arrows(nodes.back().comment, move.replies, after);
        }
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (!moves[i].replies.empty()) {
                nodes[i].replies = make(moves[i].replies, position.after(moves[i].move.move));
            }
        }
        return nodes;
    }

    // Before the first move of the tree.
    std::string first_comment(const std::vector<ExportMove>& moves, const chess::Position& at) {
        std::string text = quiet_comment(at);
        add_arrows(text, moves, at);
        return text;
    }

    // What people noted at a position.
    std::string notes_at(const chess::Position& position) const {
        const auto found = notes_.find(position.packed());
        return found == notes_.end() ? "" : found->second;
    }

    // Where nothing is said of the move itself.
    std::string quiet_comment(const chess::Position& after) const {
        return options_.comments == CommentDensity::none ? "" : notes_at(after);
    }

private:
    bool shown(const std::vector<ExportMove>& siblings, const ExportMove& move) const {
        switch (options_.comments) {
        case CommentDensity::all: return true;
        case CommentDensity::branches: return siblings.size() > 1 || move.replies.empty();
        case CommentDensity::leaves: return move.replies.empty();
        case CommentDensity::none: break;
        }
        return false;
    }

    std::vector<int> nags(const ExportMove& best, const ExportMove& move) const {
        const double loss = chess::winning_chances(best.alpha) - chess::winning_chances(move.alpha);
        const int nag = options_.nags ? chess::nag_of_loss(loss) : 0;
        return nag == 0 ? std::vector<int>{} : std::vector{nag};
    }

    void add_arrows(std::string& comment, const std::vector<ExportMove>& moves,
                    const chess::Position& at) const {
        if (!options_.arrows || moves.size() < 2) {
            return;
        }
        // Readers have a longest word (pgn-extract: a line of 75), and more arrows say nothing.
        constexpr std::size_t most_arrows = 8;
        std::string arrows;
        for (const ExportMove& move : std::span{moves}.first(std::min(moves.size(), most_arrows))) {
            arrows += (arrows.empty() ? "[%cal G" : ",Y") +
                      chess::to_uci(at, move.move.move).substr(0, 4);
        }
        comment = arrows + "]" + (comment.empty() ? "" : " ") + comment;
    }

    std::string comment(const ExportMove& move, const chess::Position& position,
                        const chess::Position& after) {
        std::string text = eval(move, position, after);
        const auto add = [&text](const std::string& words) {
            text += (text.empty() ? "" : text.ends_with(']') ? " " : ", ") + words;
        };
        if (move.solved) {
            if (!text.empty()) {
                add(chess::to_text(from_white(move.alpha, !after.turn())));
            }
            return text;
        }
        if (move.idea.rank() != move.alpha.rank()) {
            add("idea " + chess::to_text(after_move(move.idea, after)));
        }
        if (move.estimate && move.estimate->searches > 1) {
            add(estimate_text(*move.estimate, !after.turn()));
        }
        if (move.repetition) {
            add("repetition");
        }
        if (move.transposes) {
            add("transposes to " + (move.transposes->empty()
                                        ? "the start of this file"
                                        : chess::to_san_line(from_, *move.transposes)));
        }
        if (const std::string notes = notes_at(after);
            !notes.empty() && !move.repetition && !move.transposes) {
            add(notes);
        }
        return text;
    }

    // "[%eval 0.23,18]". Nothing is left to judge where the move has mated.
    std::string eval(const ExportMove& move, const chess::Position& position,
                     const chess::Position& after) {
        if (after.terminal() == chess::Terminal::checkmate) {
            return "";
        }
        const analysis::Evaluation* fact = facts_.of(move, position);
        return "[%eval " + chess::to_eval_text(after_move(move.alpha, after)) +
               (fact == nullptr || fact->depth < 1 ? "" : "," + std::to_string(fact->depth)) + "]";
    }

    // "estimate +0.21 (+0.05 to +0.37, 12 searches)": no command, so that nobody takes it for a
    // score.
    static std::string estimate_text(const analysis::Estimate& estimate, chess::Color mover) {
        const auto text = [&](double cp) {
            return chess::to_text(from_white(chess::Score::cp(std::lround(cp)), mover));
        };
        const bool white = mover == chess::Color::white;
        return fmt::format("estimate {} ({} to {}, {} searches)", text(estimate.cp),
                           text(white ? estimate.low : estimate.high),
                           text(white ? estimate.high : estimate.low), estimate.searches);
    }

    static chess::Score from_white(chess::Score score, chess::Color side) {
        return side == chess::Color::white ? score : -score;
    }
    // A move's value as that of the position it leads to, where readers count mates from.
    static chess::Score after_move(chess::Score move_value, const chess::Position& after) {
        return from_white(move_value.followed(), after.turn());
    }

    ExportFacts facts_;
    chess::Position from_;
    const Notes& notes_;
    PgnOptions options_;
};

std::string result_of(chess::Position position, const std::vector<ExportMove>& moves) {
    for (const std::vector<ExportMove>* at = &moves; !at->empty(); at = &at->front().replies) {
        position.play(at->front().move.move);
    }
    switch (position.terminal()) {
    case chess::Terminal::checkmate: return position.turn() == chess::Color::white ? "0-1" : "1-0";
    case chess::Terminal::stalemate:
    case chess::Terminal::dead: return "1/2-1/2";
    case chess::Terminal::no: break;
    }
    return "*";
}

// Makes the tree begin at `start`, with the moves from there.
void put_before(chess::PgnTree& tree, const chess::Position& start,
                const std::vector<chess::Move>& moves, const PgnTreeMaker& maker) {
    std::vector<chess::Position> positions{start};
    for (const chess::Move move : moves) {
        positions.push_back(positions.back().after(move));
    }
    for (std::size_t i = moves.size(); i-- > 0;) {
        chess::PgnNode node{moves[i], {}, std::exchange(tree.comment, ""), std::move(tree.moves)};
        tree.moves.clear();
        tree.moves.push_back(std::move(node));
        tree.comment = maker.quiet_comment(positions[i]);
    }
    tree.start = start;
}

std::string limit_text(const analysis::Limit& limit) {
    switch (limit.kind) {
    case analysis::Limit::Kind::depth: return fmt::format("depth {}", limit.amount);
    case analysis::Limit::Kind::nodes: return fmt::format("{} nodes", limit.amount);
    case analysis::Limit::Kind::movetime: return fmt::format("{} ms", limit.amount);
    }
    return "";
}

std::vector<chess::PgnTag> tags_of(const Core& core, const AnalysisRun& run,
                                   const std::vector<chess::Move>& line,
                                   const PgnOptions& options) {
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
    std::vector<chess::Move> before = run.moves_before();
    before.insert(before.end(), line.begin(), line.end());
    if (!before.empty() && !options.from_game) {
        tags.push_back({"Moves", chess::to_san_line(run.start, before)});
    }
    tags.push_back({"Annotator", fmt::format("Adjourn {}", ADJOURN_VERSION)});
    tags.push_back({"Engine", run.slot->engine().name});
    const analysis::StrategyParameters& strategy = run.spec.strategy;
    tags.push_back(
        {"Analysis", fmt::format("{} an evaluation; {}, distance {}, settled to depth {}",
                                 limit_text(run.record.limit), analysis::to_text(strategy.kind),
                                 strategy.move_distance, settled_level(run))});
    return tags;
}

} // namespace

ExportWriter pgn_writer(const Core& core, const AnalysisRun& run,
                        const std::vector<chess::Move>& line, const PgnOptions& options) {
    std::vector<chess::Move> before = run.moves_before();
    before.insert(before.end(), line.begin(), line.end());
    chess::Position at = run.root;
    for (const chess::Move move : line) {
        at.play(move);
    }
    const std::string clock = options.comments == CommentDensity::none ? "" : clock_note(run, at);
    return [&store = core.store(), clock, drawn = drawn_by_clock(run, at),
            tags = tags_of(core, run, line, options), notes = notes_in_pgn(run), options,
            name = run.record.name, start = run.start,
            before = std::move(before)](const ExportTree& chosen) -> ExportText {
        chess::PgnTree tree;
        tree.tags = tags;
        tree.start = chosen.start;
        PgnTreeMaker maker{store, notes, chosen.start, options};
        tree.comment = maker.first_comment(chosen.moves, chosen.start);
        tree.moves = maker.make(chosen.moves, chosen.start);
        tree.result = drawn ? "1/2-1/2" : result_of(chosen.start, chosen.moves);
        if (!clock.empty()) {
            tree.comment += (tree.comment.empty() ? "" : " ") + clock;
        }
        if (options.from_game) {
            put_before(tree, start, before, maker);
        }
        if (options.chapter == 0) {
            return {chess::to_pgn(tree)};
        }
        const auto chapters =
            study_chapters(std::move(tree), name.empty() ? "Analysis" : name, options.chapter);
        ExportText file;
        for (const chess::PgnTree& chapter : chapters) {
            file.text += (file.text.empty() ? "" : "\n") + chess::to_pgn(chapter);
        }
        file.chapters = chapters.size();
        return file;
    };
}

} // namespace adjourn::server
