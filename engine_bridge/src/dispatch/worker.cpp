#include "worker.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <csignal>
#include <utility>

namespace adjourn::engine_bridge {

using Clock = std::chrono::steady_clock;

Worker::Worker(const boost::asio::any_io_executor& executor, const Profile& profile,
               const Timeouts& timeouts, Events events)
    : executor_{executor}, events_{std::move(events)}, session_{profile, timeouts},
      timer_{executor}, ladder_{timeouts.quit} {}

std::expected<void, SpawnError> Worker::start(const Profile& profile, ProcessGuard& guard) {
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

void Worker::search(Search search) {
    session_.go(std::move(search), Clock::now());
    if (session_.state() == Session::State::idle) { // answered at once
        boost::asio::post(executor_, [self = shared_from_this()] { self->settle(); });
    } else {
        settle();
    }
}

void Worker::cancel() {
    session_.cancel(Clock::now());
    settle();
}

void Worker::quit() {
    if (!ladder_.begun() && !lost_) {
        const auto now = Clock::now();
        const auto state = session_.state();
        ladder_.begin(state == Session::State::searching || state == Session::State::stopping, now);
        step_ladder(now);
    }
}

void Worker::kill(Session::Lost why) {
    lost_ = std::move(why);
    child()->signal(SIGKILL);
}

void Worker::detach() {
    timer_.cancel();
    if (process_) {
        process_->detach();
    }
}

void Worker::on_output(const LineBuffer::Lines& lines) {
    if (lost_) {
        return;
    }
    // All lines of one read before anything is done about them: a superfluous second bestmove in
    // the same burst must not be taken for the answer to the next search.
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
        session_.broken("sent a line of more than " + std::to_string(LineBuffer::max_line / 1024) +
                        " KiB");
    }
    settle();
}

void Worker::settle() {
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

void Worker::set_timer() {
    const std::optional<Clock::time_point> due =
        ladder_.begun() ? ladder_.deadline() : session_.deadline();
    // Deadlines move on with every line of output; a timer that goes off too early does no harm.
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

void Worker::on_timer() {
    if (ladder_.begun()) {
        step_ladder(Clock::now());
    } else if (!lost_) {
        session_.time(Clock::now());
        settle();
    }
}

void Worker::step_ladder(QuitLadder::Time now) {
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

void Worker::on_exit(ExitStatus status) {
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

} // namespace adjourn::engine_bridge
