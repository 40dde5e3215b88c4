#include "bench/strategies/recorded_trees.hpp"

#include "bench/strategies/course.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

constexpr const char* first_line = "adjourn bench recorded trees 1";

std::string excluded_text(const chess::Position& position, const std::vector<chess::Move>& moves) {
    std::string text;
    for (const chess::Move move : moves) {
        text += (text.empty() ? "" : ",") + chess::to_uci(position, move);
    }
    return text.empty() ? "-" : text;
}

class Reader {
public:
    explicit Reader(std::istream& in) : in_{in} {}

    std::vector<RecordedTree> run() {
        std::string line;
        next(line);
        require(line == first_line, "not a file of recorded trees");
        while (next(line)) {
            std::istringstream words{line};
            std::string word;
            words >> word;
            if (word == "root") {
                trees_.push_back({position_of(words), {}, {}});
            } else if (word == "judged") {
                judged(words);
            } else if (word == "fact") {
                fact(words);
            } else {
                require(false, "neither root, judged nor fact");
            }
        }
        return std::move(trees_);
    }

private:
    bool next(std::string& line) {
        ++number_;
        return static_cast<bool>(std::getline(in_, line));
    }

    void require(bool right, const std::string& what) const {
        if (!right) {
            throw std::runtime_error("line " + std::to_string(number_) + ": " + what);
        }
    }

    chess::Position position_of(std::istringstream& words) const {
        std::string fen;
        std::getline(words >> std::ws, fen);
        auto position = chess::Position::from_fen(fen);
        require(position.has_value(), "no FEN");
        return *position;
    }

    chess::Move move_of(const chess::Position& position, const std::string& text) const {
        const auto move = chess::parse_uci(position, text);
        require(move.has_value(), "'" + text + "' is no move there");
        return *move;
    }

    RecordedTree& tree() {
        require(!trees_.empty(), "no root yet");
        return trees_.back();
    }

    void judged(std::istringstream& words) {
        std::string move;
        Judgement judgement;
        require(static_cast<bool>(words >> move >> judgement.at_root >> judgement.below),
                "judged MOVE CP CP");
        RecordedTree& of = tree();
        of.judged.emplace(move_of(of.root, move), judgement);
    }

    void fact(std::istringstream& words) {
        std::string move;
        std::string excluded;
        std::uint32_t code = 0;
        std::uint64_t nodes = 0;
        require(static_cast<bool>(words >> nodes >> move >> code >> excluded),
                "fact NODES MOVE SCORE EXCLUDED FEN");
        const chess::Position position = position_of(words);
        analysis::Evaluation fact;
        fact.at = static_cast<analysis::UnixMs>(tree().facts.size()) + 1;
        fact.id = analysis::EvaluationId{fact.at};
        fact.question = {
            position.packed(), analysis::EngineId{1}, {analysis::Limit::Kind::nodes, nodes}, {}};
        fact.move = move_of(position, move);
        const auto score = chess::Score::decode(code);
        require(score.has_value(), "no score");
        fact.score = *score;
        fact.pv = {*fact.move};
        fact.nodes = nodes;
        std::istringstream list{excluded == "-" ? "" : excluded};
        for (std::string one; std::getline(list, one, ',');) {
            fact.question.excluded.push_back(move_of(position, one));
        }
        std::ranges::sort(fact.question.excluded);
        tree().facts.push_back(std::move(fact));
    }

    std::istream& in_;
    std::size_t number_ = 0;
    std::vector<RecordedTree> trees_;
};

} // namespace

void write_recorded_trees(const std::filesystem::path& file,
                          const std::vector<RecordedTree>& trees) {
    std::ofstream out{file};
    out << first_line << '\n';
    for (const RecordedTree& tree : trees) {
        out << "root " << tree.root.fen() << '\n';
        for (const auto& [move, judgement] : tree.judged) {
            out << "judged " << chess::to_uci(tree.root, move) << ' ' << judgement.at_root << ' '
                << judgement.below << '\n';
        }
        for (const analysis::Evaluation& fact : tree.facts) {
            const auto position = chess::Position::unpack(fact.question.position).value();
            out << "fact " << fact.question.limit.amount << ' '
                << chess::to_uci(position, *fact.move) << ' ' << fact.score->encode() << ' '
                << excluded_text(position, fact.question.excluded) << ' ' << position.fen() << '\n';
        }
    }
    if (!out.flush()) {
        throw std::runtime_error(file.string() + ": cannot be written");
    }
}

std::vector<RecordedTree> read_recorded_trees(std::istream& in) {
    return Reader{in}.run();
}

std::map<chess::Move, analysis::Estimate> estimates_of(const RecordedTree& tree) {
    analysis::Graph graph;
    const analysis::NodeId root = graph.intern(tree.root);
    graph.add_root(root);
    for (const analysis::Evaluation& fact : tree.facts) {
        graph.apply(fact);
        graph.intern(chess::Position::unpack(fact.question.position).value().after(*fact.move));
    }
    return root_estimates(graph, root);
}

Coverage coverage_of(const std::map<chess::Move, analysis::Estimate>& estimates,
                     const std::map<chess::Move, Judgement>& judged, double near) {
    Coverage result;
    double best = 0;
    for (const auto& [move, judgement] : judged) {
        best =
            move == judged.begin()->first ? judgement.value() : std::max(best, judgement.value());
    }
    for (const auto& [move, estimate] : estimates) {
        const auto found = judged.find(move);
        if (found == judged.end() || best - found->second.value() > near) {
            continue;
        }
        const double value = found->second.value();
        ++result.moves;
        result.half_widths += (estimate.high - estimate.low) / 2;
        result.held += estimate.low <= value && value <= estimate.high ? 1 : 0;
    }
    return result;
}

} // namespace adjourn::bench
