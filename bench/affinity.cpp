#include "affinity.hpp"

#include "analysis/strategy.hpp"
#include "base/files.hpp"
#include "strategies/course.hpp"
#include "strategies/kept_searches.hpp"
#include "strategies/talk.hpp"
#include "strategies/uci_engine.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>

namespace adjourn::bench {

namespace {

// Passes questions on, and keeps them.
class Listener final : public Oracle {
public:
    explicit Listener(Oracle& oracle) : oracle_{oracle} {}

    analysis::EngineId engine() const override { return oracle_.engine(); }
    analysis::Evaluation ask(const analysis::Question& question) override {
        return ask_on(question, {});
    }
    analysis::Evaluation ask_on(const analysis::Question& question,
                                std::span<const chess::Move> line) override {
        TreeQuestion asked{chess::Position::unpack(question.position).value(), {}, 1};
        if (!question.excluded.empty()) {
            for (const chess::Move move : asked.position.legal_moves()) {
                if (!std::ranges::binary_search(question.excluded, move)) {
                    asked.searchmoves.push_back(move);
                }
            }
        }
        for (std::size_t i = 0; i < std::min<std::size_t>(line.size(), 2); ++i) {
            asked.line = (asked.line << 16) | line[i].raw();
        }
        heard.push_back(std::move(asked));
        return oracle_.ask_on(question, line);
    }

    std::vector<TreeQuestion> heard;

private:
    Oracle& oracle_;
};

} // namespace

std::vector<TreeQuestion> questions_of_tree(const std::string& engine, std::size_t count,
                                            int depth) {
    const base::ScratchDirectory directory{std::filesystem::temp_directory_path(),
                                           "adjourn-affinity-"};
    KeptSearches kept{directory.path() / "searches"};
    UciEngine program{{engine}, {{"Threads", "1"}, {"Hash", "16"}}};
    Conversation conversation{program, kept};
    Talk talk{conversation};
    Listener listener{talk};
    CourseRequest request{chess::Position::initial(),
                          analysis::default_parameters("halving"),
                          {analysis::Limit::Kind::depth, static_cast<std::uint64_t>(depth)}};
    request.budget = count;
    follow_course(request, listener);
    return std::move(listener.heard);
}

ArrangementCost ask_all(const std::vector<TreeQuestion>& questions, int depth,
                        engine_bridge::Profile profile, Arrangement arrangement) {
    ArrangementCost cost;
    boost::asio::io_context context;
    std::size_t next = 0;
    std::size_t out = 0;
    std::string trouble;
    const auto dispatcher = std::make_shared<engine_bridge::Dispatcher>();
    const engine_bridge::ProfileId index = dispatcher->add(profile.name, profile.reproducible);
    engine_bridge::Pool* asked = nullptr;
    const std::function<void()> give = [&] {
        while (next < questions.size() && dispatcher->room(index) > 0) {
            const TreeQuestion& question = questions[next++];
            engine_bridge::Job job{next,
                                   question.position,
                                   {chess::Limit::Kind::depth, static_cast<std::uint64_t>(depth)},
                                   question.searchmoves};
            job.affinity = arrangement == Arrangement::affinity ? question.line : 0;
            job.game = arrangement == Arrangement::empty ? next : 1;
            ++out;
            dispatcher->submit(index, std::move(job), [&](const engine_bridge::Result& result) {
                --out;
                if (result) {
                    cost.nodes += result->nodes;
                } else {
                    ++cost.unanswered;
                }
                give();
            });
        }
        if (out == 0) {
            asked->stop([&context] { context.stop(); });
        }
    };
    engine_bridge::Pool pool{
        context,
        dispatcher,
        index,
        std::move(profile),
        {},
        {.identified = [&](const std::expected<engine_bridge::Identity, std::string>& identity) {
            if (!identity) {
                trouble = identity.error();
                context.stop();
            } else if (next == 0) {
                give();
            }
        }}};
    asked = &pool;
    const auto begin = std::chrono::steady_clock::now();
    pool.start();
    context.run();
    if (!trouble.empty()) {
        throw std::runtime_error(trouble);
    }
    cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return cost;
}

} // namespace adjourn::bench
