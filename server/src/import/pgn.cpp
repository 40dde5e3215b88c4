// PGN into seeds and evaluations.
#include "sink.hpp"

#include "chess/pgn.hpp"
#include "chess/pgn_comment.hpp"

#include <algorithm>

namespace adjourn::server {

namespace {

constexpr int deepest = 245; // plies that a [%eval] may claim

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

class PgnImporter final : public chess::PgnVisitor {
public:
    explicit PgnImporter(ImportSink& sink) : sink_{sink} {}

    void begin_game() override {
        ++sink_.report.records;
        lines_.clear();
        took_ = false;
        broken_ = false;
    }

    bool begin_moves(const chess::Position& start) override {
        lines_.push_back({since_root(start, std::nullopt), {}, {}});
        return true;
    }

    void move(const chess::Position& before, chess::Move move) override {
        ++sink_.report.moves;
        Line& line = lines_.back();
        line.before = since_root(before, line.now);
        line.now = line.before ? std::optional{*line.before + 1} : std::nullopt;
        line.last.emplace(before, move);
        if (ignored()) {
            return;
        }
        if (line.before && sink_.wants_seed(before.turn(), *line.before)) {
            sink_.seed(before, move);
            took_ = true;
        }
    }

    void null_move(const chess::Position&) override {
        Line& line = lines_.back(); // what follows is no line of the analysis
        line.before = line.now;
        line.now.reset();
        line.last.reset();
    }

    void comment(std::string_view text) override {
        if (lines_.empty() || !lines_.back().last || ignored() ||
            text.find("[%eval") == std::string_view::npos) {
            return;
        }
        const auto& [before, move] = *lines_.back().last;
        const auto eval = chess::eval_in_comment(text, !before.turn());
        if (!eval) {
            return;
        }
        const chess::Score child =
            before.turn() == chess::Color::black ? eval->score : -eval->score;
        analysis::Evaluation fact;
        fact.depth = std::clamp(eval->depth.value_or(0), 0, deepest);
        fact.question = question_of(before, move, std::max(fact.depth, 1));
        fact.move = move;
        fact.score = child.backed_up();
        fact.pv = {move};
        sink_.fact(std::move(fact));
        took_ = true;
    }

    void begin_variation() override {
        const Line& parent = lines_.back();
        lines_.push_back({parent.before, {}, {}});
    }
    void end_variation() override { lines_.pop_back(); }

    void error(const chess::PgnError& error) override {
        sink_.error(error.game, error.line, error.message);
        broken_ = true;
    }

    void end_game(std::string_view) override { sink_.report.skipped += took_ || broken_ ? 0 : 1; }

private:
    // Plies since the line met the root of the analysis; none: it has not.
    using Plies = std::optional<std::size_t>;

    struct Line {
        Plies now;
        Plies before; // of the position before the last move
        std::optional<std::pair<chess::Position, chess::Move>> last;
    };

    bool ignored() const { return lines_.size() > 1 && !sink_.options().variations; }

    Plies since_root(const chess::Position& position, Plies plies) const {
        const auto& target = sink_.options().target;
        return target && position.hash() == target->root.hash() && position == target->root
                   ? Plies{0}
                   : plies;
    }

    ImportSink& sink_;
    std::vector<Line> lines_;
    bool took_ = false;
    bool broken_ = false;
};

} // namespace

void read_pgn(std::istream& in, ImportSink& sink) {
    chess::PgnReader reader{in};
    PgnImporter importer{sink};
    while (reader.read_game(importer)) {
    }
}

} // namespace adjourn::server
