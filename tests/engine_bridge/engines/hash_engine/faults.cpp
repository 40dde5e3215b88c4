#include "faults.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>

namespace hash_engine {

namespace {

constexpr int flood_lines = 3'000;
constexpr std::size_t long_line = std::size_t{64} << 10;

void say(std::string_view text) {
    while (!text.empty()) {
        const ssize_t sent = ::write(STDOUT_FILENO, text.data(), text.size());
        if (sent < 0) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

[[noreturn]] void wait_for_ever() {
    while (true) {
        ::pause();
    }
}

} // namespace

std::optional<Fault> Faults::draw() {
    if (often_ == 0) {
        return std::nullopt;
    }
    const int number = std::uniform_int_distribution{0, 9'999}(chance_) / often_;
    return number < fault_kinds ? std::optional{static_cast<Fault>(number)} : std::nullopt;
}

void begin(Fault fault) {
    switch (fault) {
    case Fault::crash: {
        const rlimit none{0, 0}; // no core file
        setrlimit(RLIMIT_CORE, &none);
        say("info depth 3 score cp 9");
        std::raise(SIGSEGV);
        break;
    }
    case Fault::leave: std::_Exit(0);
    case Fault::hang: wait_for_ever();
    case Fault::child:
        if (::fork() == 0) {
            wait_for_ever();
        }
        break;
    case Fault::stubborn: std::signal(SIGTERM, SIG_IGN); break;
    default: break;
    }
}

std::string_view answer_line(std::string_view output) {
    const std::size_t start = output.find("bestmove ");
    return start == output.npos ? "" : output.substr(start, output.find('\n', start) + 1 - start);
}

std::string spoilt(std::optional<Fault> fault, std::string output) {
    const std::string answer{answer_line(output)};
    if (!fault || answer.empty()) {
        return output;
    }
    switch (*fault) {
    case Fault::lie: return "info depth 40 score cp 900 nodes 5 pv a1a1 e2e4\nbestmove a1a1\n";
    case Fault::no_score: return answer;
    case Fault::flood: {
        std::string flood;
        for (int i = 0; i < flood_lines; ++i) {
            flood += "info depth 1 currmove e2e4 currmovenumber " + std::to_string(i) + "\n";
        }
        return flood + output;
    }
    case Fault::long_line: return "info string " + std::string(long_line, 'x') + "\n" + output;
    case Fault::garbage: return std::string{"info string \xff\xfe \0 \xc3\n\n", 20} + output;
    case Fault::twice: return output + answer;
    default: return output;
    }
}

} // namespace hash_engine
