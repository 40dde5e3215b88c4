#include "bench/strategies/engine_oracle.hpp"

#include "server/engine_facts.hpp"

#include <boost/asio/executor_work_guard.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace adjourn::bench {

namespace {

engine_bridge::SearchLimit search_limit(const analysis::Limit& limit) {
    using Kind = engine_bridge::SearchLimit::Kind;
    switch (limit.kind) {
    case analysis::Limit::Kind::nodes: return {Kind::nodes, limit.amount};
    case analysis::Limit::Kind::movetime: return {Kind::movetime, limit.amount};
    default: return {Kind::depth, limit.amount};
    }
}

engine_bridge::Job job_of(engine_bridge::JobId id, const analysis::Question& question) {
    engine_bridge::Job job{id,
                           chess::Position::unpack(question.position).value(),
                           search_limit(question.limit),
                           {},
                           0,
                           false};
    if (!question.excluded.empty()) {
        for (const chess::Move move : job.position.legal_moves()) {
            if (!std::binary_search(question.excluded.begin(), question.excluded.end(), move)) {
                job.searchmoves.push_back(move);
            }
        }
    }
    return job;
}

analysis::UnixMs now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace

EngineOracle::EngineOracle(storage::Store& store, engine_bridge::Profile profile) : store_{store} {
    profile.reproducible = true;
    engine_bridge::Pool::Callbacks callbacks;
    callbacks.done = [this](engine_bridge::JobId job, engine_bridge::Result result) {
        on_done(job, std::move(result));
    };
    // Shared, as further calls may come when this constructor is over.
    auto once =
        std::make_shared<std::promise<std::expected<engine_bridge::Identity, std::string>>>();
    auto first = std::make_shared<std::atomic<bool>>(true);
    callbacks.identified = [once, first](std::expected<engine_bridge::Identity, std::string> who) {
        if (first->exchange(false)) {
            once->set_value(std::move(who));
        }
    };
    const std::string name = profile.name;
    pool_ = std::make_unique<engine_bridge::Pool>(context_, std::move(profile),
                                                  engine_bridge::Timeouts{}, std::move(callbacks));
    pool_->start();
    thread_ = std::thread{[this] {
        const auto work = boost::asio::make_work_guard(context_);
        context_.run();
    }};
    const auto who = once->get_future().get();
    if (!who) {
        context_.stop();
        thread_.join();
        throw std::runtime_error(name + ": " + who.error());
    }
    engine_ = store_.engine(server::engine_record(*who));
    store_.for_each_evaluation(engine_, [this](const analysis::Evaluation& fact) {
        std::promise<analysis::Evaluation> known;
        known.set_value(fact);
        answers_.emplace(fact.question, known.get_future().share());
    });
}

EngineOracle::~EngineOracle() {
    std::promise<void> stopped;
    pool_->stop([&stopped] { stopped.set_value(); });
    stopped.get_future().wait();
    context_.stop();
    thread_.join();
}

analysis::Evaluation EngineOracle::ask(const analysis::Question& question) {
    Future answer;
    {
        const std::lock_guard lock{mutex_};
        const auto known = answers_.find(question);
        if (known != answers_.end()) {
            answer = known->second;
        } else {
            const engine_bridge::JobId id = next_job_++;
            Out out{question, {}};
            answer = out.promise.get_future().share();
            answers_.emplace(question, answer);
            out_.emplace(id, std::move(out));
            ++searches_;
            pool_->submit(job_of(id, question));
        }
    }
    return answer.get();
}

void EngineOracle::on_done(engine_bridge::JobId job, engine_bridge::Result result) {
    const std::lock_guard lock{mutex_};
    auto node = out_.extract(job);
    Out& out = node.mapped();
    if (result) {
        analysis::Evaluation fact = server::evaluation_of(*result, std::move(out.question), now());
        store_.append(fact, {});
        out.promise.set_value(std::move(fact));
        return;
    }
    using Kind = engine_bridge::Failure::Kind;
    const engine_bridge::Failure& failure = result.error();
    if (failure.kind == Kind::unavailable || failure.kind == Kind::cancelled) {
        answers_.erase(out.question);
        out.promise.set_exception(std::make_exception_ptr(std::runtime_error(failure.reason)));
        return;
    }
    analysis::Evaluation none; // asked for again in the next run: failures are not kept
    none.question = std::move(out.question);
    none.bound = analysis::Bound::lower;
    out.promise.set_value(std::move(none));
}

} // namespace adjourn::bench
