#include "player.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

namespace adjourn::match {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

engine_bridge::Spawned start(const PlayerSetup& setup) {
    auto spawned = engine_bridge::spawn(setup.command);
    if (!spawned) {
        throw PlayerError{setup.name + ": " + spawned.error().message};
    }
    return std::move(*spawned);
}

} // namespace

Player::Player(const PlayerSetup& setup) : name_{setup.name}, process_{start(setup)} {
    send("uci");
    wait_for("uciok", seconds{30});
    for (const auto& [option, value] : setup.options) {
        send("setoption name " + option + " value " + value);
    }
    send("isready");
    wait_for("readyok", seconds{60});
}

Player::~Player() {
    try {
        send("quit");
        const auto deadline = Clock::now() + seconds{5};
        while (read(deadline)) {
        }
    } catch (const PlayerError&) { // it is gone, as it should be
    }
}

void Player::send(const std::string& line) {
    const std::string text = line + "\n";
    std::string_view rest{text};
    while (!rest.empty()) {
        const ssize_t count = ::write(process_.input.get(), rest.data(), rest.size());
        if (count > 0) {
            rest.remove_prefix(static_cast<std::size_t>(count));
        } else if (count < 0 && errno == EAGAIN) {
            pollfd fd{process_.input.get(), POLLOUT, 0};
            poll(&fd, 1, 1'000);
        } else if (count < 0 && errno != EINTR) {
            throw PlayerError{name_ + " is gone"};
        }
    }
}

std::optional<std::string> Player::read(Clock::time_point deadline) {
    while (lines_.empty()) {
        std::array<pollfd, 2> fds{
            {{process_.output.get(), POLLIN, 0}, {process_.errors.get(), POLLIN, 0}}};
        const auto left =
            std::chrono::duration_cast<milliseconds>(deadline - Clock::now()).count() + 1;
        const int ready = left <= 0 ? 0 : poll(fds.data(), fds.size(), static_cast<int>(left));
        if (ready == 0) {
            return std::nullopt;
        }
        std::array<char, 16 * 1024> bytes{};
        if (fds[1].revents != 0 && ::read(process_.errors.get(), bytes.data(), bytes.size()) == 0) {
            process_.errors.close(); // poll leaves it out from now on
        }
        if (fds[0].revents == 0) {
            continue;
        }
        const ssize_t count = ::read(process_.output.get(), bytes.data(), bytes.size());
        if (count == 0) {
            const auto status = process_.child->reap();
            throw PlayerError{name_ + (status ? " " + to_text(*status) : " closed its output")};
        }
        if (count > 0) {
            const std::string_view all{bytes.data(), static_cast<std::size_t>(count)};
            for (const std::string_view line : buffer_.feed(all).lines) {
                lines_.emplace_back(line);
            }
        }
    }
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void Player::wait_for(const std::string& word, seconds patience) {
    const auto deadline = Clock::now() + patience;
    while (true) {
        const auto line = read(deadline);
        if (!line) {
            throw PlayerError{name_ + " did not say " + word};
        }
        if (line->starts_with(word)) {
            return;
        }
    }
}

} // namespace adjourn::match
