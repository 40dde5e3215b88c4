// PGN into seeds and evaluations.
#include "files/import/import.hpp"

#include "base/line_reader.hpp"
#include "base/text.hpp"
#include "chess/pgn.hpp"
#include "chess/pgn_comment.hpp"
#include "chess/pgn_writer.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

namespace {

constexpr std::size_t most_mates = 1'000; // of a game that are remembered

// One move alone: that is what a score after a move judges.
analysis::Question question_of(const chess::Position& position, chess::Move move, int depth) {
    analysis::Question question;
    question.position = position.packed();
    question.limit = {analysis::Limit::Kind::depth, static_cast<std::uint64_t>(depth)};
    for (const chess::Move other : position.legal_moves()) {
        if (other != move) {
            question.excluded.push_back(other);
        }
    }
    std::sort(question.excluded.begin(), question.excluded.end());
    return question;
}

// Leaves the first `plies`. REQUIRES: there are so many.
void cut(std::vector<chess::Move>& line, std::size_t plies) {
    line.erase(line.begin() + static_cast<std::ptrdiff_t>(plies), line.end());
}

bool is_mate(const chess::Position& before, chess::Move move) {
    const chess::Position after = before.after(move);
    return after.in_check() && !after.has_legal_move();
}

class PgnImporter final : public chess::PgnVisitor {
public:
    PgnImporter(ImportSink& sink, const chess::PgnReader& reader) : sink_{sink}, reader_{reader} {}

    void begin_game() override {
        ++sink_.report.records;
        lines_.clear();
        mates_.clear();
        evaluated_ = false;
        took_ = false;
        broken_ = false;
    }

    void tag(std::string_view name, std::string_view value) override {
        evaluated_ =
            evaluated_ || (name == "Annotator" && value.starts_with("Adjourn ")); // as exported
    }

    bool begin_moves(const chess::Position& start) override {
        lines_.push_back({since_root(start, std::nullopt), {}, {}, {}, {}});
        return true;
    }

    void move(const chess::Position& before, chess::Move move) override {
        ++sink_.report.moves;
        Line& line = lines_.back();
        line.before = since_root(before, line.now);
        line.now = line.before ? std::optional{*line.before + 1} : std::nullopt;
        line.last.emplace(before, move);
        if (line.before) {
            cut(line.path, *line.before);
            line.path.push_back(move);
        }
        if (ignored()) {
            return;
        }
        take_note(std::exchange(line.ahead, ""));
        if (line.before && sink_.wants_seed(before.turn(), *line.before)) {
            sink_.seed(before, move);
            took_ = true;
        }
        if (mates_.size() < most_mates && is_mate(before, move)) {
            mates_.emplace_back(before, move);
        }
    }

    void null_move(const chess::Position&) override {
        Line& line = lines_.back(); // what follows is no line of the analysis
        line.before = line.now;
        line.now.reset();
        line.last.reset();
    }

    void comment(std::string_view text) override {
        if (lines_.empty() || ignored()) {
            return;
        }
        if (!lines_.back().last) { // before the first move
            if (lines_.size() > 1) {
                std::string& ahead = lines_.back().ahead;
                ahead += ahead.size() < base::longest_text ? text : std::string_view{};
            } else {
                take_note(text);
            }
            return;
        }
        const auto& [before, move] = *lines_.back().last;
        if (const auto command = chess::eval_command(text)) {
            take_eval(before, move, text, *command);
        } else if (const auto verdict = chess::verdict_in_comment(text, before.turn())) {
            take_verdict(before, move, *verdict, text);
            return;
        }
        take_note(text);
    }

    void begin_variation() override {
        const Line& parent = lines_.back();
        lines_.push_back({parent.before, {}, {}, parent.path, {}});
        cut(lines_.back().path, lines_.back().now.value_or(0));
    }
    void end_variation() override { lines_.pop_back(); }

    void error(const chess::PgnError& error) override {
        sink_.error(error.game, error.line, with_column(error));
        broken_ = true;
    }

    void warning(const chess::PgnError& warning) override {
        sink_.warning(warning.game, warning.line, with_column(warning));
    }

    void left_out(const chess::PgnError& what) override { warning(what); }

    void end_game(std::string_view) override {
        for (const auto& [before, move] : mates_) {
            if (evaluated_) {
                take(before, move, chess::Score::mate_in(1), 0);
            }
        }
        sink_.report.skipped += took_ || broken_ ? 0 : 1;
    }

private:
    // Plies since the line met the root of the analysis; none: it has not.
    using Plies = std::optional<std::size_t>;

    struct Line {
        Plies now;
        Plies before; // of the position before the last move
        std::optional<std::pair<chess::Position, chess::Move>> last;
        std::vector<chess::Move> path; // from the root, where the line has met it
        std::string ahead;             // said before the first move of a variation
    };

    // What people say becomes a note of the analysis, with what they have drawn.
    void take_note(std::string_view comment) {
        const Line& line = lines_.back();
        if (comment.empty() || chess::is_exported(comment) || !sink_.options().target) {
            return;
        }
        const Plies now =
            line.last ? since_root(line.last->first.after(line.last->second), line.now) : line.now;
        if (!now) {
            return;
        }
        std::vector<chess::Move> path = line.path;
        cut(path, *now);
        if (const std::string note = chess::said_in_comment(comment); !note.empty()) {
            sink_.note(path, note);
            took_ = true;
        }
    }

    // [%eval] speaks of the position after the move.
    void take_eval(const chess::Position& before, chess::Move move, std::string_view text,
                   std::string_view command) {
        const auto eval = chess::eval_in_comment(text, !before.turn());
        evaluated_ = true;
        if (is_mate(before, move)) {
            return; // nothing is left to judge
        }
        // "#0" would say that the move mates.
        if (!eval || (eval->score.kind() == chess::Score::Kind::mate && eval->score.plies() == 0)) {
            leave_out(command, "cannot be understood");
            return;
        }
        if (!within_range(eval->score, eval->depth.value_or(0), command)) {
            return;
        }
        const chess::Score child =
            before.turn() == chess::Color::black ? eval->score : -eval->score;
        take(before, move, child.backed_up(), eval->depth.value_or(0));
    }

    // The engine searched the position and chose the move.
    void take_verdict(const chess::Position& before, chess::Move move,
                      const chess::PgnVerdict& verdict, std::string_view text) {
        if (!within_range(verdict.score, verdict.depth, text)) {
            return;
        }
        analysis::Evaluation fact;
        fact.depth = verdict.depth;
        fact.question.position = before.packed();
        fact.question.limit = {analysis::Limit::Kind::depth,
                               static_cast<std::uint64_t>(fact.depth)};
        fact.move = move;
        fact.score = verdict.score;
        fact.nodes = verdict.nodes;
        fact.pv = {move};
        sink_.fact(std::move(fact), verdict.source == chess::PgnEngine::tcec
                                        ? ImportSource::pgn_tcec
                                        : ImportSource::pgn_cutechess);
        took_ = true;
    }

    void take(const chess::Position& before, chess::Move move, chess::Score score, int depth) {
        analysis::Evaluation fact;
        fact.depth = depth;
        fact.question = question_of(before, move, std::max(fact.depth, 1));
        fact.move = move;
        fact.score = score;
        fact.pv = {move};
        sink_.fact(std::move(fact), ImportSource::pgn_eval);
        took_ = true;
    }

    void leave_out(std::string_view text, const char* why) {
        ++sink_.report.evaluations_unread;
        sink_.warning(sink_.report.records, reader_.line(),
                      "the evaluation " + short_text(text) + " " + why);
    }

    bool within_range(chess::Score score, int depth, std::string_view text) {
        const bool within = chess::may_be_told(score) && depth <= chess::most_told_depth;
        if (!within) {
            leave_out(text, "is out of range");
        }
        return within;
    }

    static std::string with_column(const chess::PgnError& error) {
        return (error.column == 0 ? "" : "column " + std::to_string(error.column) + ": ") +
               error.message;
    }

    static std::string short_text(std::string_view text) {
        constexpr std::size_t longest = 60;
        return "'" +
               (text.size() <= longest ? std::string{text}
                                       : base::to_utf8(text.substr(0, longest)) + "...") +
               "'";
    }

    bool ignored() const { return lines_.size() > 1 && !sink_.options().variations; }

    Plies since_root(const chess::Position& position, Plies plies) const {
        const auto& target = sink_.options().target;
        return target && position.hash() == target->root.hash() && position == target->root
                   ? Plies{0}
                   : plies;
    }

    ImportSink& sink_;
    const chess::PgnReader& reader_;
    std::vector<Line> lines_;
    // Moves that mate have no [%eval]. Where a game's moves are evaluated, they are, too.
    std::vector<std::pair<chess::Position, chess::Move>> mates_;
    bool evaluated_ = false;
    bool took_ = false;
    bool broken_ = false;
};

} // namespace

void read_pgn(std::istream& in, ImportSink& sink) {
    chess::PgnReader reader{in};
    PgnImporter importer{sink, reader};
    while (reader.read_game(importer)) {
    }
}

} // namespace adjourn::server
