// fake_engine: a UCI engine for tests that misbehaves on request (switches.hpp). Without switches
// it answers at once with the first legal move. It exits with code 9 when it gets go, position,
// setoption or ucinewgame while it searches, as real engines deadlock or worse then.
#include "console.hpp"
#include "switches.hpp"
#include "truth.hpp"

#include "chess/notation.hpp"
#include "chess/position.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace fake_engine {
namespace {

using namespace std::chrono_literals;
namespace chess = adjourn::chess;

class Engine {
public:
    Engine(const Switches& switches, Console& console) : switches_{switches}, console_{console} {}

    void run() {
        std::string line;
        while (read(line)) {
            std::istringstream words{line};
            std::string verb;
            words >> verb;
            if (verb == "uci") {
                introduce();
            } else if (verb == "isready") {
                console_.print("readyok");
            } else if (verb == "position") {
                set_position(line);
            } else if (verb == "go") {
                go(words);
            }
        }
    }

private:
    // False when it is time to leave.
    bool read(std::string& line) {
        const Console::Read got = console_.read(line);
        if (got == Console::Read::end) {
            stay_if("ignore-eof");
            return false;
        }
        if (line == "quit") {
            if (!switches_.has("ignore-quit")) {
                return false;
            }
            line.clear();
        }
        return true;
    }

    void stay_if(const char* name) {
        while (switches_.has(name)) {
            ::pause();
        }
    }

    void introduce() {
        std::string name = "Fake Engine";
        if (std::ifstream file{switches_.text("name-file")}; file) {
            std::getline(file, name);
        }
        console_.print("id name " + name);
        console_.print("id author somebody else");
        console_.print("option name Hash type spin default 16 min 1 max 1024");
        console_.print("option name Threads type spin default 1 min 1 max 8");
        console_.print("option name UCI_Chess960 type check default false");
        console_.print("option name OwnBook type check default true");
        if (!switches_.has("never-uciok")) {
            console_.print("uciok");
        }
    }

    void set_position(const std::string& line) {
        const std::string_view prefix = "position fen ";
        if (!line.starts_with(prefix)) {
            std::exit(8);
        }
        const auto position =
            chess::Position::from_fen(std::string_view{line}.substr(prefix.size()));
        if (!position) {
            std::exit(8);
        }
        position_ = *position;
    }

    void go(std::istringstream& words) {
        ++goes_;
        if (switches_.has("crash-on-go") && switches_.number("crash-on-go", goes_) == goes_) {
            std::cerr << "fake_engine: about to crash" << std::endl;
            std::signal(SIGSEGV, SIG_DFL);
            std::raise(SIGSEGV);
        }
        stay_if("stall");
        if (switches_.has("flood-stderr")) {
            console_.flood();
        }
        if (switches_.has("long-line")) {
            console_.print("info string " + std::string(1 << 20, 'x'));
        }
        std::string kind;
        std::uint64_t amount = 0;
        words >> kind >> amount;
        std::vector<chess::Move> asked;
        std::string word;
        while (words >> word) {
            if (const auto move = parse_uci(position_, word)) {
                asked.push_back(*move);
            }
        }
        depth_ = kind == "depth" ? static_cast<int>(amount) : 5;
        nodes_ = kind == "nodes" ? amount : 1'000;
        best_ = asked.empty() ? position_.legal_moves()[0] : asked.front();
        centipawns_ = 23;
        if (switches_.has("hashed")) {
            const Truth truth = fake_engine::truth(position_, asked, depth_);
            best_ = truth.move;
            centipawns_ = truth.centipawns;
        }
        before_ = std::move(said_);
        said_.clear();
        late("late", false);
        late("late-info", true);
        search(kind == "nodes");
    }

    std::string best_text() const {
        return to_uci(position_, best_, chess::CastlingStyle::king_rook);
    }

    bool now(const char* name) const {
        return switches_.has(name) && switches_.number(name, goes_) == goes_;
    }

    // What belongs to the search before this one comes now.
    void late(const char* name, bool with_info) {
        if (!now(name)) {
            return;
        }
        for (const std::string& line : before_) {
            if (with_info || line.starts_with("bestmove")) {
                console_.print(line);
            }
        }
        if (before_.empty()) {
            console_.print("bestmove a2a3");
        }
    }

    void say(const std::string& line) {
        console_.print(line);
        said_.push_back(line);
    }

    void info(int depth, std::uint64_t nodes) {
        if (now("bare")) {
            return;
        }
        say("info depth " + std::to_string(depth) + " seldepth 9 score cp " +
            std::to_string(centipawns_) + " nodes " + std::to_string(nodes) + " nps 0 pv " +
            best_text());
    }

    void search(bool by_nodes) {
        info(1, std::min<std::uint64_t>(nodes_, 20));
        late("late-mid", false);
        if (switches_.has("ignore-nodes") && by_nodes) {
            for (int depth = 2; !until_stop(5ms); ++depth) {
                info(depth, nodes_ / 10 * static_cast<std::uint64_t>(depth));
            }
        }
        if (switches_.has("think")) {
            until_stop(std::chrono::milliseconds{switches_.number("think", 0)});
        }
        info(depth_, nodes_);
        best_move();
    }

    // True if stop came. Does what an engine must in mid-search, and dies of what it must not get.
    bool until_stop(std::chrono::milliseconds patience) {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (true) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                deadline - std::chrono::steady_clock::now());
            std::string line;
            switch (console_.read(line, left)) {
            case Console::Read::timeout: return false;
            case Console::Read::end: stay_if("ignore-eof"); std::exit(0);
            case Console::Read::line: break;
            }
            if (line == "stop") {
                return true;
            }
            if (line == "quit" && !switches_.has("ignore-quit")) {
                std::exit(0);
            }
            if (line == "isready") {
                console_.print("readyok");
            } else if (line.starts_with("go") || line.starts_with("position") ||
                       line.starts_with("setoption") || line.starts_with("ucinewgame")) {
                std::cerr << "fake_engine: '" << line << "' in mid-search" << std::endl;
                std::exit(9);
            }
        }
    }

    void best_move() {
        std::string text = "bestmove " + best_text();
        if (now("none")) {
            text = "bestmove (none)";
        }
        if (now("wrong")) {
            text = "bestmove e4e4";
        }
        if (switches_.has("half-line")) {
            console_.write(text.substr(0, 11));
            std::exit(0);
        }
        say(text);
        if (now("late-idle")) {
            ::usleep(20'000);
            console_.print(text);
        }
        if (switches_.has("last-words")) {
            std::exit(0);
        }
    }

    const Switches& switches_;
    Console& console_;
    chess::Position position_ = chess::Position::initial();
    int goes_ = 0;
    int centipawns_ = 23;
    std::vector<std::string> said_;   // in this search
    std::vector<std::string> before_; // in the one before
    int depth_ = 1;
    std::uint64_t nodes_ = 1;
    chess::Move best_ = chess::Position::initial().legal_moves()[0];
};

} // namespace
} // namespace fake_engine

int main(int argc, char** argv) {
    const fake_engine::Switches switches{argc, argv};
    fake_engine::Console console{switches};
    if (switches.has("die-at-start")) {
        std::cerr << "fake_engine: cannot open my network file\n";
        return 3;
    }
    if (switches.has("ignore-term")) {
        std::signal(SIGTERM, SIG_IGN);
    }
    if (switches.has("flood-stderr")) {
        console.flood();
    }
    if (switches.has("spawn-child") && ::fork() == 0) {
        while (true) {
            ::pause();
        }
    }
    fake_engine::Engine{switches, console}.run();
}
