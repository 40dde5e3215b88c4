#include "uci/input_queue.hpp"

#include "core/guards/guard.hpp"
#include "engine_bridge/process/text.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace adjourn::server::uci {

void InputQueue::push(Line line) {
    const std::scoped_lock lock{mutex_};
    lines_.push_back(std::move(line));
    changed_.notify_one();
}

void InputQueue::notify() {
    const std::scoped_lock lock{mutex_};
    notified_ = true;
    changed_.notify_one();
}

std::optional<InputQueue::Line> InputQueue::wait_until(std::optional<Clock::time_point> deadline) {
    std::unique_lock lock{mutex_};
    const auto news = [&] { return notified_ || !lines_.empty(); };
    if (deadline) {
        changed_.wait_until(lock, *deadline, news);
    } else {
        changed_.wait(lock, news);
    }
    notified_ = false;
    if (lines_.empty()) {
        return std::nullopt;
    }
    Line line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void read_lines(int input, int stop, int leave, InputQueue& input_queue) {
    engine_bridge::LineBuffer buffer;
    std::array<char, 16 * 1024> bytes{};
    // What follows an overlong line up to its end is a part of it.
    bool skipping = false;
    while (true) { // poll() takes no notice of −1
        std::array<pollfd, 3> fds{{{input, POLLIN, 0}, {stop, POLLIN, 0}, {leave, POLLIN, 0}}};
        if (poll(fds.data(), fds.size(), -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            break;
        }
        if (fds[1].revents != 0 || fds[2].revents != 0) {
            break;
        }
        const ssize_t count = ::read(input, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            if (const std::string_view rest = buffer.rest(); !rest.empty()) {
                input_queue.push({std::string{rest}, InputQueue::Clock::now()});
            }
            input_queue.push({"", InputQueue::Clock::now(), InputQueue::Line::Kind::end});
            input = -1;
            continue;
        }
        const auto now = InputQueue::Clock::now();
        std::string_view read{bytes.data(), static_cast<std::size_t>(count)};
        if (skipping) {
            const std::size_t end = read.find('\n');
            if (end == std::string_view::npos) {
                continue;
            }
            read.remove_prefix(end + 1);
            skipping = false;
        }
        const engine_bridge::LineBuffer::Lines lines = buffer.feed(read);
        for (const std::string_view line : lines.lines) {
            input_queue.push({std::string{line}, now});
        }
        skipping = lines.overlong;
        if (skipping) {
            input_queue.push({"", now, InputQueue::Line::Kind::left_out});
        }
    }
    input_queue.push({"quit", InputQueue::Clock::now()});
}

Reader::Reader(int input, int stop, InputQueue& input_queue) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw std::system_error{errno, std::generic_category(), "no pipe can be made"};
    }
    leave_ = base::UniqueFd{ends[0]};
    hold_ = base::UniqueFd{ends[1]};
    thread_ = std::thread{[input, stop, leave = leave_.get(), &input_queue] {
        if (guarded("reading the GUI's lines",
                    [&] { read_lines(input, stop, leave, input_queue); })) {
            input_queue.push({"quit", InputQueue::Clock::now()});
        }
    }};
}

Reader::~Reader() {
    hold_.close();
    thread_.join();
}

} // namespace adjourn::server::uci
