#include "engine_bridge/dispatch/pool.hpp"

#include "engine_bridge/dispatch/status_board.hpp"
#include "engine_bridge/process/child.hpp"
#include "engine_bridge/process/option_plan.hpp"
#include "engine_bridge/process/process.hpp"
#include "engine_bridge/process/session.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cassert>
#include <csignal>
#include <expected>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace adjourn::engine_bridge {

namespace {

using Clock = std::chrono::steady_clock;

// Threads: everything is called from, and calls back on, one serial executor.
class Worker : public std::enable_shared_from_this<Worker> {
public:
    struct Events {
        std::function<void(const Identity&)> identified; // the handshake is complete
        std::function<void(Result)> ended; // the search is over, search() may be called
        std::function<void()> progress;    // progress() has changed
        // Last call of all: the process is reaped. Never during start(). With the answer to the
        // search, if it was in the last words.
        std::function<void(const Session::Lost&, std::optional<Result>)> gone;
    };

    Worker(const boost::asio::any_io_executor& executor, const Profile& profile,
           const Timeouts& timeouts, Events events)
        : executor_{executor}, events_{std::move(events)}, session_{profile, timeouts},
          timer_{executor}, ladder_{timeouts.quit} {}

    std::expected<void, SpawnError> start(const Profile& profile, ProcessGuard& guard) {
        const std::weak_ptr<Worker> weak = weak_from_this();
        auto process = Process::start(executor_, profile.command,
                                      {.output =
                                           [weak](const LineBuffer::Lines& lines) {
                                               if (const auto self = weak.lock()) {
                                                   self->on_output(lines);
                                               }
                                           },
                                       .exited =
                                           [weak](ExitStatus status) {
                                               if (const auto self = weak.lock()) {
                                                   self->on_exit(status);
                                               }
                                           }},
                                      &guard, profile.limits);
        if (!process) {
            return std::unexpected(std::move(process.error()));
        }
        process_ = std::move(*process);
        session_.start(Clock::now());
        settle();
        return {};
    }
    // REQUIRES: identified, and no search running. Its end is never told from within the call.
    void search(Search search) {
        session_.go(std::move(search), Clock::now());
        if (session_.state() == Session::State::idle) { // answered at once
            boost::asio::post(executor_, [self = shared_from_this()] { self->settle(); });
        } else {
            settle();
        }
    }
    void cancel() {
        session_.cancel(Clock::now());
        settle();
    }
    // Gets rid of the process by the ladder. From now on only `gone` is called.
    void quit() {
        if (!ladder_.begun() && !lost_) {
            const auto now = Clock::now();
            const auto state = session_.state();
            ladder_.begin(state == Session::State::searching || state == Session::State::stopping,
                          now);
            step_ladder(now);
        }
    }
    void kill(Session::Lost why) {
        lost_ = std::move(why);
        child()->signal(SIGKILL);
    }
    // No event is called any more, and the loop is free of it. Does not kill.
    void detach() {
        timer_.cancel();
        if (process_) {
            process_->detach();
        }
    }

    Progress progress() const { return session_.progress(); }
    std::optional<BestLine> best_line() const { return session_.best_line(); }
    const std::shared_ptr<Child>& child() const { return process_->child(); }

private:
    void on_output(const LineBuffer::Lines& lines) {
        if (lost_) {
            return;
        }
        // All lines of one read before anything is done about them: a superfluous second bestmove
        // in the same burst must not be taken for the answer to the next search.
        const auto now = Clock::now();
        for (const std::string_view line : lines.lines) {
            session_.line(line, now);
        }
        if (ladder_.begun()) {
            session_.take_report();
            const auto state = session_.state();
            if (state != Session::State::searching && state != Session::State::stopping) {
                ladder_.search_over(now); // or never will be
            }
            step_ladder(now);
            return;
        }
        if (lines.overlong) {
            session_.broken("sent a line of more than " +
                            std::to_string(LineBuffer::max_line / 1024) + " KiB");
        }
        settle();
    }
    void on_exit(ExitStatus status) {
        timer_.cancel();
        std::optional<Result> last_words;
        if (!lost_) {
            last_words = session_.last_words();
            const auto kind = identified_ ? Failure::Kind::crashed : Failure::Kind::unavailable;
            lost_ = Session::Lost{kind, session_.name() + " " + to_text(status)};
        }
        if (const std::string errors = process_->errors(); !errors.empty()) {
            lost_->reason += "; it said: " + errors;
        }
        events_.gone(*lost_, std::move(last_words));
    }
    void on_timer() {
        if (ladder_.begun()) {
            step_ladder(Clock::now());
        } else if (!lost_) {
            session_.time(Clock::now());
            settle();
        }
    }
    void step_ladder(QuitLadder::Time now) {
        if (const auto step = ladder_.step(now)) {
            switch (*step) {
            case QuitLadder::Step::stop: process_->write("stop\n"); break;
            case QuitLadder::Step::quit:
                process_->write("quit\n");
                process_->close_input();
                break;
            case QuitLadder::Step::terminate: child()->signal(SIGTERM); break;
            case QuitLadder::Step::kill: child()->signal(SIGKILL); break;
            }
        }
        set_timer();
    }
    // Sends what the session has to say, tells what it reports, sets the timer.
    void settle() {
        if (ladder_.begun() || lost_) {
            return;
        }
        for (std::string& command : session_.take_commands()) {
            command += '\n';
            process_->write(command);
        }
        set_timer();
        auto report = session_.take_report();
        if (!report) {
            events_.progress();
        } else if (const Identity* const identity = std::get_if<Identity>(&*report)) {
            identified_ = true;
            events_.identified(*identity);
        } else if (Result* const result = std::get_if<Result>(&*report)) {
            events_.ended(std::move(*result));
        } else {
            kill(std::move(std::get<Session::Lost>(*report)));
        }
    }
    void set_timer() {
        const std::optional<Clock::time_point> due =
            ladder_.begun() ? ladder_.deadline() : session_.deadline();
        // Deadlines move on with every line of output; a timer that goes off too early does no
        // harm.
        if (!due || (timer_set_ && *timer_set_ <= *due)) {
            return;
        }
        timer_set_ = due;
        timer_.expires_at(*due);
        timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
            const auto self = weak.lock();
            if (self && !error) {
                self->timer_set_.reset();
                self->on_timer();
            }
        });
    }

    boost::asio::any_io_executor executor_;
    Events events_;
    Session session_;
    boost::asio::steady_timer timer_;
    std::optional<QuitLadder::Time> timer_set_;
    QuitLadder ladder_;
    bool identified_ = false;
    std::optional<Session::Lost> lost_;
    std::shared_ptr<Process> process_;
};

} // namespace

// The pool on its strand.
class Pool::Impl : public std::enable_shared_from_this<Pool::Impl> {
    // On the strand, as long as the pool is there.
    template <typename Task>
    auto later(Task task) {
        return [weak = weak_from_this(), task](auto... told) {
            if (const auto self = weak.lock()) {
                boost::asio::post(self->strand,
                                  [self, task, told...] { ((*self).*task)(told...); });
            }
        };
    }

public:
    Impl(boost::asio::io_context& context, std::shared_ptr<Dispatcher> dispatcher, ProfileId id,
         Profile profile, Timeouts timeouts, Callbacks callbacks)
        : strand{boost::asio::make_strand(context)}, dispatcher_{std::move(dispatcher)}, id_{id},
          profile_{std::move(profile)}, timeouts_{timeouts}, callbacks_{std::move(callbacks)},
          board_{std::make_shared<StatusBoard>(strand, profile_.count, callbacks_.changed)} {
        assert(profile_.count > 0);
        for (std::size_t i = 0; i < profile_.count; ++i) {
            slots_.push_back(std::make_unique<Slot>(strand));
        }
        children_.resize(profile_.count);
    }

    // From any thread.
    std::vector<ProcessStatus> status() const { return board_->all(); }
    void close_profile() { dispatcher_->close(id_); }
    // Kills and reaps every process; no callback is called any more. Blocks briefly.
    void close() {
        {
            const std::scoped_lock lock{mutex_};
            closed_ = true;
            for (const std::shared_ptr<Child>& child : children_) {
                if (child) {
                    child->kill();
                }
            }
        }
        boost::asio::post(strand, [self = shared_from_this()] { self->clear(); });
    }

    // Takes places at the dispatcher; once, before anything else.
    void enter() {
        for (std::size_t i = 0; i < profile_.count; ++i) {
            const auto place = std::make_shared<PlaceId>(0);
            *place = slots_[i]->place =
                dispatcher_->enter([look = later(&Impl::look), place] { look(*place); });
            offer(i, 2);
        }
        dispatcher_->set_reserving(
            id_, {later(&Impl::open_reserved), later(&Impl::close_reserved), later(&Impl::look)});
    }

    // From here on: on the strand only.
    void start() {
        if (guard_ || stopping_) {
            return;
        }
        guard_.emplace();
        for (std::size_t i = 0; i < slots_.size() && !stopping_; ++i) {
            launch(i);
        }
    }
    void stop(std::function<void()> stopped) {
        when_stopped_.push_back(std::move(stopped));
        if (!std::exchange(stopping_, true)) {
            for (std::size_t i = 0; i < slots_.size(); ++i) {
                quit(i);
            }
        }
        finish_stop_if_done();
    }

    boost::asio::strand<boost::asio::io_context::executor_type> strand;

private:
    using State = ProcessStatus::State;

    // A process and its place.
    struct Slot {
        explicit Slot(const boost::asio::any_io_executor& executor) : backoff{executor} {}

        PlaceId place = 0;
        bool reserved = false;
        std::size_t threads = 0; // 0: as the profile says
        std::shared_ptr<Worker> worker;
        boost::asio::steady_timer backoff;
        bool ready = false; // handshake complete and accepted
        std::optional<Dispatcher::Lease> lease;
        int failures = 0; // since the last finished search
    };

    void launch(std::size_t index) {
        Slot& slot = *slots_[index];
        const std::weak_ptr<Impl> weak = weak_from_this();
        const auto when_alive = [weak](auto action) {
            return [weak, action](auto&&... arguments) {
                if (const auto self = weak.lock()) {
                    action(*self, std::forward<decltype(arguments)>(arguments)...);
                }
            };
        };
        const Profile profile = slot.threads == 0 ? profile_ : with_threads(profile_, slot.threads);
        slot.worker = std::make_shared<Worker>(
            strand, profile, timeouts_,
            Worker::Events{.identified = when_alive([index](Impl& self, const Identity& identity) {
                               self.on_identified(index, identity);
                           }),
                           .ended = when_alive([index](Impl& self, Result result) {
                               self.on_ended(index, std::move(result));
                           }),
                           .progress = when_alive([index](Impl& self) { self.on_progress(index); }),
                           .gone = when_alive([index](Impl& self, const Session::Lost& lost,
                                                      std::optional<Result> last_words) {
                               self.on_gone(index, lost, std::move(last_words));
                           })});
        if (const auto started = slot.worker->start(profile, *guard_); !started) {
            slot.worker.reset();
            retry_later(index, State::failed, profile_.name + ": " + started.error().message);
            tell_if_unavailable();
            return;
        }
        {
            const std::scoped_lock lock{mutex_};
            children_[index] = slot.worker->child();
            if (closed_) {
                slot.worker->child()->kill();
            }
        }
        board_->update(index, [&](ProcessStatus& status) {
            status.state = State::starting;
            status.pid = slot.worker->child()->pid();
        });
        board_->tell(index);
    }
    void on_identified(std::size_t index, const Identity& identity) {
        Slot& slot = *slots_[index];
        const bool same =
            !identity_ || (slot.threads == 0 ? *identity_ == identity
                                             : same_but_for_threads(*identity_, identity));
        if (!same) {
            slot.worker->kill({Failure::Kind::unavailable,
                               profile_.name +
                                   ": the program has changed since the start (it was " +
                                   identity_->name + ", now " + identity.name +
                                   " or other options); restart the server to use it"});
            return;
        }
        slot.ready = true;
        board_->update(index, [](ProcessStatus& status) { status.state = State::idle; });
        if (!identity_ && slot.threads == 0) {
            identity_ = identity;
            dispatcher_->identify(id_, identity);
            if (callbacks_.identified && !closed()) {
                callbacks_.identified(identity);
            }
        }
        offer(index, 2);
        board_->tell(index);
        feed(index);
    }
    void on_ended(std::size_t index, Result result) {
        Slot& slot = *slots_[index];
        if (!slot.lease) {
            return; // the pool was stopped
        }
        slot.failures = 0;
        board_->search_over(index, true);
        answer(index, std::move(result));
        feed(index);
        board_->tell_soon(index);
    }
    void on_progress(std::size_t index) {
        const Slot& slot = *slots_[index];
        if (!slot.lease) {
            return;
        }
        const Progress progress = slot.worker->progress();
        std::optional<BestLine> line = slot.worker->best_line();
        bool changed = false;
        bool first_line = false;
        board_->update(index, [&](ProcessStatus& status) {
            changed = status.depth != progress.depth || status.nodes != progress.nodes;
            first_line = line && !status.line;
            status.line = std::move(line);
            status.depth = progress.depth;
            status.nodes = progress.nodes;
            status.nps = progress.nps;
        });
        if (first_line && slot.lease->job.watched) {
            board_->tell(index);
        } else if (changed) {
            board_->tell_soon(index);
        }
    }
    void on_gone(std::size_t index, const Session::Lost& lost, std::optional<Result> last_words) {
        Slot& slot = *slots_[index];
        const bool was_ready = slot.ready;
        slot.ready = false;
        slot.worker.reset();
        {
            const std::scoped_lock lock{mutex_};
            children_[index].reset();
        }
        if (stopping_ || slot.place == 0) { // sent away
            board_->update(index, [](ProcessStatus& status) {
                status.state = State::stopped;
                status.pid = 0;
            });
            board_->tell(index);
            finish_stop_if_done();
            return;
        }
        dispatcher_->forget(slot.place);
        if (was_ready) {
            offer(index, 0, true); // it comes back, for whatever else is asked
        }
        if (slot.lease) {
            board_->search_over(index, last_words.has_value());
            const std::string about = "; while searching " + slot.lease->job.position.fen();
            answer(index, last_words ? std::move(*last_words)
                                     : std::unexpected(Failure{lost.kind, lost.reason + about}));
        }
        if (was_ready) {
            board_->process_died(index);
            if (callbacks_.died && !closed()) {
                callbacks_.died(index, lost.reason);
            }
        }
        retry_later(index, was_ready ? State::restarting : State::failed, lost.reason);
        tell_if_unavailable();
    }

    std::optional<std::size_t> slot_at(PlaceId place) const {
        const auto found =
            std::ranges::find(slots_, place, [](const auto& slot) { return slot->place; });
        return found == slots_.end()
                   ? std::nullopt
                   : std::optional{static_cast<std::size_t>(found - slots_.begin())};
    }
    // A slot of one that has gone, or a new one.
    void open_reserved(PlaceId place, std::size_t threads) {
        if (stopping_ || !guard_) {
            return;
        }
        auto free = std::ranges::find_if(slots_, [](const auto& slot) {
            return slot->reserved && slot->place == 0 && !slot->worker;
        });
        if (free == slots_.end()) {
            slots_.push_back(std::make_unique<Slot>(strand));
            free = slots_.end() - 1;
            (*free)->reserved = true;
            board_->add_reserved();
            const std::scoped_lock lock{mutex_};
            children_.emplace_back();
        }
        (*free)->place = place;
        (*free)->threads = threads;
        (*free)->failures = 0;
        launch(static_cast<std::size_t>(free - slots_.begin()));
    }
    void close_reserved(PlaceId place) {
        if (const auto index = slot_at(place); index && !stopping_) {
            slots_[*index]->place = 0;
            quit(*index);
        }
    }
    // What the dispatcher has for it.
    void look(PlaceId place) {
        const auto index = slot_at(place);
        if (!index || stopping_) {
            return;
        }
        const Slot& slot = *slots_[*index];
        for (const LeaseId lease : dispatcher_->news(place).withdrawn) {
            if (slot.lease && slot.lease->id == lease) {
                slot.worker->cancel();
            }
        }
        feed(*index);
    }
    void feed(std::size_t index) {
        Slot& slot = *slots_[index];
        if (!slot.ready || slot.lease || stopping_) {
            return;
        }
        auto taken = dispatcher_->take(slot.place, id_, 1, std::chrono::steady_clock::now());
        if (taken.empty()) {
            return;
        }
        slot.lease = std::move(taken.front());
        const Job& job = slot.lease->job;
        board_->search_began(index, job);
        const bool watched = job.watched;
        slot.worker->search({job.position, job.limit, job.searchmoves, job.game});
        watched ? board_->tell(index) : board_->tell_soon(index);
    }
    void offer(std::size_t index, std::size_t most, bool comes_back = false,
               std::string problem = {}) {
        const Slot& slot = *slots_[index];
        if (!stopping_ && slot.place != 0) {
            dispatcher_->offer(slot.place, id_,
                               {1, slot.reserved ? std::min<std::size_t>(most, 1) : most,
                                comes_back, std::move(problem)});
        }
    }
    void answer(std::size_t index, Result result) {
        Slot& slot = *slots_[index];
        const LeaseId lease = std::exchange(slot.lease, std::nullopt)->id;
        if (result) {
            result->process = index;
            const std::string& odd = result->set_aside;
            if (!odd.empty() && told_counters_.insert(odd.substr(0, odd.find(' '))).second) {
                spdlog::warn(
                    "engine {}: it said {}, which cannot be; such numbers are set aside, its "
                    "scores are taken",
                    profile_.name, odd);
            }
        }
        if (!closed()) {
            dispatcher_->answer(lease, slot.place, std::move(result));
        }
    }
    // Shuts the place for a while and sets it going again.
    void retry_later(std::size_t index, State state, const std::string& problem) {
        Slot& slot = *slots_[index];
        constexpr int most_doublings = 30;
        // An engine that answers between its deaths must not come back ever so fast.
        const int doublings =
            std::max(slot.failures, static_cast<int>(board_->recent_deaths(index)) - 1);
        const auto delay = std::min<std::chrono::milliseconds>(
            timeouts_.backoff_first * (1LL << std::clamp(doublings, 0, most_doublings)),
            timeouts_.backoff_most);
        ++slot.failures;
        if (state == State::failed) {
            offer(index, 0, false, problem);
        }
        board_->update(index, [&](ProcessStatus& status) {
            status.state = state;
            status.pid = 0;
            status.problem = problem;
        });
        board_->tell(index);
        slot.backoff.expires_after(delay);
        slot.backoff.async_wait(
            [weak = weak_from_this(), index](const boost::system::error_code& error) {
                const auto self = weak.lock();
                if (self && !error && !self->stopping_) {
                    self->board_->update(index, [](ProcessStatus& status) { ++status.restarts; });
                    self->launch(index);
                }
            });
    }
    // Told once for each reason; the questions that wait have ended with it.
    void tell_if_unavailable() {
        if (stopping_ || identity_ || !callbacks_.identified || closed() ||
            !board_->all_in(State::failed)) {
            return;
        }
        const std::string reason = board_->all().front().problem;
        if (told_problem_ != reason) {
            told_problem_ = reason;
            callbacks_.identified(std::unexpected(reason));
        }
    }
    // What it searches nobody waits for any more.
    void quit(std::size_t index) {
        Slot& slot = *slots_[index];
        slot.backoff.cancel();
        slot.ready = false;
        if (std::exchange(slot.lease, std::nullopt)) {
            board_->search_over(index, false);
        }
        if (slot.worker) {
            slot.worker->quit();
        } else {
            board_->update(index, [](ProcessStatus& status) { status.state = State::stopped; });
            board_->tell(index);
        }
    }
    void finish_stop_if_done() {
        const bool done =
            std::ranges::all_of(slots_, [](const auto& slot) { return !slot->worker; });
        if (!done) {
            return;
        }
        guard_.reset();
        for (const std::function<void()>& stopped : std::exchange(when_stopped_, {})) {
            if (stopped) {
                stopped();
            }
        }
    }
    void clear() {
        stopping_ = true;
        board_->close();
        for (const auto& slot : slots_) {
            slot->backoff.cancel();
            if (slot->worker) {
                slot->worker->detach();
                slot->worker.reset();
            }
        }
        guard_.reset();
    }
    bool closed() const {
        const std::scoped_lock lock{mutex_};
        return closed_;
    }

    const std::shared_ptr<Dispatcher> dispatcher_;
    const ProfileId id_;
    const Profile profile_;
    const Timeouts timeouts_;
    const Callbacks callbacks_;
    const std::shared_ptr<StatusBoard> board_;
    std::optional<ProcessGuard> guard_;
    std::vector<std::unique_ptr<Slot>> slots_;
    std::optional<Identity> identity_;
    std::string told_problem_;            // by `identified`
    std::set<std::string> told_counters_; // that this engine cannot tell
    bool stopping_ = false;
    std::vector<std::function<void()>> when_stopped_;

    mutable std::mutex mutex_; // guards what close() needs, from any thread
    std::vector<std::shared_ptr<Child>> children_;
    bool closed_ = false;
};

Pool::Pool(boost::asio::io_context& context, std::shared_ptr<Dispatcher> dispatcher, ProfileId id,
           Profile profile, Timeouts timeouts, Callbacks callbacks)
    : impl_{std::make_shared<Impl>(context, std::move(dispatcher), id, std::move(profile), timeouts,
                                   std::move(callbacks))} {
    impl_->enter();
}

Pool::~Pool() {
    impl_->close();
}

void Pool::start() {
    boost::asio::post(impl_->strand, [impl = impl_] { impl->start(); });
}

void Pool::stop(std::function<void()> stopped) {
    impl_->close_profile();
    boost::asio::post(impl_->strand, [impl = impl_, stopped = std::move(stopped)]() mutable {
        impl->stop(std::move(stopped));
    });
}

std::vector<ProcessStatus> Pool::status() const {
    return impl_->status();
}

ProcessesFactory pools(boost::asio::io_context& context, Timeouts timeouts) {
    return [&context, timeouts](std::shared_ptr<Dispatcher> dispatcher, ProfileId id,
                                const Profile& profile, Processes::Callbacks callbacks) {
        return std::make_unique<Pool>(context, std::move(dispatcher), id, profile, timeouts,
                                      std::move(callbacks));
    };
}

// Pool::Impl, how processes end.

} // namespace adjourn::engine_bridge
