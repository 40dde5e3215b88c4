#include "uci_engine.hpp"

#include "chess/notation.hpp"
#include "engine_bridge/uci.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace adjourn::bench {

namespace uci = engine_bridge::uci;

namespace {

constexpr int patience_ms = 600'000; // without a line

} // namespace

UciEngine::UciEngine(std::vector<std::string> command, std::map<std::string, std::string> options)
    : command_{std::move(command)} {
    spawn();
    send("uci");
    std::vector<std::string> known;
    for (;;) {
        const std::string text = line();
        const uci::Line said = uci::parse(text);
        if (const auto* id = std::get_if<uci::Id>(&said)) {
            identity_ += id->field == uci::Id::Field::name ? std::string{id->value} : "";
        } else if (const auto* option = std::get_if<uci::Option>(&said)) {
            known.push_back(option->name);
        } else if (std::holds_alternative<uci::UciOk>(said)) {
            break;
        }
    }
    for (const auto& [name, value] : options) {
        if (std::ranges::any_of(known, [&, &wanted = name](const std::string& text) {
                return uci::equal_ignoring_case(text, wanted);
            })) {
            send("setoption name " + name + " value " + value);
            identity_ += " " + name + "=" + value;
        }
    }
    ready();
}

UciEngine::~UciEngine() {
    if (to_ >= 0) {
        close(to_);
        close(from_);
    }
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
}

void UciEngine::spawn() {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0) {
        fail("no pipe");
    }
    to_ = in[1];
    if (pipe2(out.data(), O_CLOEXEC) != 0) {
        close(in[0]);
        fail("no pipe");
    }
    from_ = out[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (std::string& part : command_) {
        arguments.push_back(part.data());
    }
    arguments.push_back(nullptr);
    const int trouble = posix_spawnp(&process_, command_.front().c_str(), &actions, nullptr,
                                     arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    if (trouble != 0) {
        process_ = -1;
        close(to_);
        close(from_);
        to_ = from_ = -1;
        fail("does not start");
    }
}

void UciEngine::fail(const std::string& what) const {
    throw std::runtime_error(command_.front() + ": " + what);
}

void UciEngine::send(const std::string& text) {
    // A dead engine must not kill us by SIGPIPE: the pipe is looked at first.
    pollfd writable{to_, POLLOUT, 0};
    const std::string whole = text + "\n";
    if (poll(&writable, 1, patience_ms) != 1 || (writable.revents & POLLERR) != 0 ||
        write(to_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) {
        fail("is gone");
    }
}

std::string UciEngine::line() {
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != std::string::npos) {
            std::string text = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            if (!text.empty() && text.back() == '\r') {
                text.pop_back();
            }
            return text;
        }
        pollfd readable{from_, POLLIN, 0};
        if (poll(&readable, 1, patience_ms) < 1) {
            fail("is silent");
        }
        std::array<char, 4096> chunk{};
        const ssize_t got = read(from_, chunk.data(), chunk.size());
        if (got <= 0) {
            fail("is gone");
        }
        buffer_.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

void UciEngine::ready() {
    send("isready");
    while (!std::holds_alternative<uci::ReadyOk>(uci::parse(line()))) {
    }
}

void UciEngine::new_game() {
    send("ucinewgame");
    ready();
}

Found UciEngine::search(const Query& query) {
    if (query.lines != lines_) {
        lines_ = query.lines;
        send("setoption name MultiPV value " + std::to_string(lines_));
    }
    ready();
    send(uci::position_command(query.position));
    const auto begin = std::chrono::steady_clock::now();
    send(uci::go_command({engine_bridge::SearchLimit::Kind::nodes, query.nodes}, query.position,
                         query.only, chess::CastlingStyle::standard));
    Found found;
    std::map<int, Found::Line> lines;
    for (;;) {
        const std::string text = line();
        const uci::Line said = uci::parse(text);
        if (std::holds_alternative<uci::BestMove>(said)) {
            break;
        }
        const auto* info = std::get_if<uci::Info>(&said);
        if (info == nullptr) {
            continue;
        }
        found.nodes = info->nodes.value_or(found.nodes);
        if (info->score && info->bound == engine_bridge::BoundKind::exact && !info->pv.empty()) {
            const auto move = chess::parse_uci(query.position, info->pv.front());
            if (move) {
                found.depth = info->depth.value_or(found.depth);
                lines.insert_or_assign(
                    info->multipv,
                    Found::Line{*move, uci::to_score(*info->score, info->tbhits > 0)});
            }
        }
    }
    found.ms = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                              std::chrono::steady_clock::now() - begin)
                                              .count());
    for (const auto& [rank, said] : lines) { // a line of an older iteration may name a move twice
        if (std::ranges::none_of(
                found.lines, [&](const Found::Line& other) { return other.move == said.move; })) {
            found.lines.push_back(said);
        }
    }
    std::ranges::stable_sort(
        found.lines, [](const Found::Line& a, const Found::Line& b) { return a.score > b.score; });
    return found;
}

} // namespace adjourn::bench
