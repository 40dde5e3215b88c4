#include "bench/strategies/grown_trees.hpp"

#include "analysis/root_answer.hpp"
#include "analysis/verdict.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

constexpr int contested = 30; // cp, as the server says it

GrownTree look_at(const RecordedTree& recorded) {
    std::uint64_t all = 0;
    GrownTree tree{recorded.root, {analysis::Limit::Kind::nodes, ~std::uint64_t{0}}, {}};
    for (const analysis::Evaluation& fact : recorded.facts) {
        all += fact.question.limit.amount;
        tree.limit.amount = std::min(tree.limit.amount, fact.question.limit.amount);
    }
    analysis::Graph graph;
    const analysis::NodeId root = graph.intern(recorded.root);
    graph.add_root(root);
    std::uint64_t nodes = 0;
    std::size_t taken = 0;
    for (int number = 0; number < looks; ++number) {
        while (taken < recorded.facts.size() &&
               nodes + recorded.facts[taken].question.limit.amount <=
                   all / static_cast<std::uint64_t>(share_of(number))) {
            const analysis::Evaluation& fact = recorded.facts[taken++];
            nodes += fact.question.limit.amount;
            graph.apply(fact);
            graph.intern(chess::Position::unpack(fact.question.position).value().after(*fact.move));
        }
        Look& look = tree.at.at(static_cast<std::size_t>(number));
        look.evaluations = taken;
        const auto answer = analysis::anchored_answer(graph, root, {}, tree.limit);
        if (!answer) {
            continue;
        }
        look.answer = answer->move;
        const std::array line{root};
        const auto found =
            analysis::verdict(graph, line, answer->move, analysis::overruling_lead,
                              analysis::leaf_noise(analysis::measure_noise(graph), tree.limit));
        if (found) {
            look.cost = found->cost;
            look.lead = found->lead;
        }
    }
    return tree;
}

} // namespace

analysis::AnswerKind GrownTree::kind(int number) const {
    using Group = analysis::AnswerGroup;
    const bool hard = number >= quarter && look(number - quarter).answer &&
                      look(number - quarter).answer != look(number).answer;
    const Group group = hard                            ? Group::hard
                        : look(number).lead > contested ? Group::clear
                                                        : Group::contested;
    return {group, analysis::size_class(limit, look(number).evaluations)};
}

int share_of(int look) {
    return 1 << (looks - 1 - look);
}

std::vector<GrownTree> read_grown_trees(const std::vector<std::string>& files) {
    std::vector<GrownTree> trees;
    for (const std::string& path : files) {
        std::ifstream file{path};
        if (!file) {
            throw std::runtime_error("'" + path + "' cannot be read");
        }
        for (const RecordedTree& tree : read_recorded_trees(file)) {
            trees.push_back(look_at(tree));
        }
    }
    return trees;
}

} // namespace adjourn::bench
