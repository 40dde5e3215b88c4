#include "lichess/engine_session.hpp"

#include "chess/uci/report.hpp"
#include "core/guards/guard.hpp"
#include "engine_bridge/process/text.hpp"
#include "uci/front_end.hpp"
#include "uci/settings.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

namespace adjourn::server::lichess {

namespace {

constexpr std::string_view for_people = "info string ";

std::pair<base::UniqueFd, base::UniqueFd> new_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error{errno, std::generic_category(), "no pipe can be made"};
    }
    return {base::UniqueFd{ends[0]}, base::UniqueFd{ends[1]}};
}

std::string set_option(const std::string& name, std::int64_t value) {
    return "setoption name " + name + " value " + std::to_string(value);
}

// Also for a time: what a move of a game is worth is not asked here, and evaluations of one size
// are found again, however long the page looks.
std::string go_command(const Work& work) {
    return work.depth   ? "go depth " + std::to_string(*work.depth)
           : work.nodes ? "go nodes " + std::to_string(*work.nodes)
                        : "go infinite";
}

} // namespace

EngineSession::EngineSession(Config config, const std::filesystem::path& store,
                             std::function<void(const std::string&)> tell)
    : workers_{static_cast<int>(config.engines.front().count)},
      threads_{std::max<std::int64_t>(1, uci::option_of(config.engines.front(), "Threads", 1))},
      tell_{std::move(tell)}, wake_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
    auto [input, to_input] = new_pipe();
    auto [output, from_output] = new_pipe();
    input_ = std::move(input);
    to_input_ = std::move(to_input);
    output_ = std::move(output);
    if (!wake_.open()) {
        throw std::system_error{errno, std::generic_category(), "no event can be made"};
    }
    uci::FrontEndOptions options{store, input_.get(), from_output.get()};
    front_end_ =
        std::thread{[config = std::move(config), options, end = std::move(from_output)]() mutable {
            guarded("the analysis", [&] { uci::run_front_end(std::move(config), options); });
            end.close();
        }};
    listener_ = std::thread{[this] { guarded("the analysis's lines", [this] { listen(); }); }};
    const std::lock_guard lock{mutex_};
    say("setoption name UCI_Chess960 value true"); // as lichess writes castling
    say("setoption name EngineDepth value true");
    say("isready"); // opens the store and starts the engines before anything is asked
}

EngineSession::~EngineSession() {
    to_input_.close(); // "quit"
    front_end_.join();
    listener_.join();
}

void EngineSession::begin(const Work& work, Body body) {
    const std::lock_guard lock{mutex_};
    if (!searches_.empty()) {
        searches_.back().body->end();
    }
    if (work.game.position.legal_moves().empty()) {
        body->end(); // the page knows that the game is over
        if (!searches_.empty()) {
            stop(searches_.back());
        }
        return;
    }
    if (work.session != session_) {
        session_ = work.session;
        say("ucinewgame");
    }
    say(set_option("Workers", std::clamp<std::int64_t>(work.threads / threads_, 1, workers_)));
    say(set_option("MultiPV", work.lines));
    say(work.position);
    say(go_command(work)); // has the search before answer at once
    searches_.push_back({std::move(body), work.movetime
                                              ? std::optional{Clock::now() + *work.movetime}
                                              : std::nullopt});
    const std::uint64_t one = 1;
    (void)!::write(wake_.get(), &one, sizeof one);
}

void EngineSession::stop(const Body& body) {
    const std::lock_guard lock{mutex_};
    body->end();
    // Only the last: what comes after one has ended it.
    if (!searches_.empty() && searches_.back().body == body) {
        stop(searches_.back());
    }
}

void EngineSession::stop(Search& search) {
    if (!std::exchange(search.stopped, true)) {
        say("stop");
    }
}

// The front end reads its input all the time, whatever goes on.
void EngineSession::say(const std::string& line) {
    const std::string text = line + '\n';
    std::string_view rest{text};
    while (!rest.empty()) {
        const ssize_t count = ::write(to_input_.get(), rest.data(), rest.size());
        if (count > 0) {
            rest.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            return; // it has ended, which is in the log
        }
    }
}

void EngineSession::hear(std::string_view line) {
    if (line.starts_with(for_people)) {
        const std::string said{line.substr(for_people.size())};
        if (said.contains(chess::uci::any_legal_move)) {
            arbitrary_ = true;
        } else if (said != told_) {
            tell_(said);
            told_ = said;
        }
    } else if (line.starts_with("bestmove")) {
        arbitrary_ = false;
        if (!searches_.empty()) {
            searches_.front().body->end();
            searches_.pop_front();
        }
    } else if (!searches_.empty() && !arbitrary_ && line.starts_with("info depth ") &&
               line.contains(" score ") && line.contains(" pv ")) {
        searches_.front().body->add(std::string{line} + '\n');
    }
}

// Milliseconds, rounded up; −1 where nothing is due.
std::chrono::milliseconds EngineSession::until_due() {
    if (searches_.empty() || !searches_.back().due || searches_.back().stopped) {
        return std::chrono::milliseconds{-1};
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*searches_.back().due - Clock::now());
    if (left > std::chrono::milliseconds{0}) {
        return std::min(left, std::chrono::milliseconds{std::numeric_limits<int>::max()});
    }
    stop(searches_.back());
    return std::chrono::milliseconds{-1};
}

void EngineSession::listen() {
    engine_bridge::LineBuffer buffer;
    std::array<char, 16 * 1024> bytes{};
    while (true) {
        std::chrono::milliseconds patience{};
        {
            const std::lock_guard lock{mutex_};
            patience = until_due();
        }
        std::array<pollfd, 2> fds{{{output_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
        if (poll(fds.data(), fds.size(), static_cast<int>(patience.count())) < 0) {
            if (errno == EINTR) {
                continue;
            }
            return;
        }
        if (fds[1].revents != 0) {
            std::uint64_t count = 0;
            (void)!::read(wake_.get(), &count, sizeof count);
        }
        if (fds[0].revents == 0) {
            continue;
        }
        const ssize_t count = ::read(output_.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        const std::lock_guard lock{mutex_};
        if (count <= 0) {
            for (const Search& search : searches_) {
                search.body->end();
            }
            return;
        }
        for (const std::string_view line :
             buffer.feed({bytes.data(), static_cast<std::size_t>(count)}).lines) {
            hear(line);
        }
    }
}

} // namespace adjourn::server::lichess
