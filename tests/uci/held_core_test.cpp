// What `adjourn uci` answers while the core does nothing: the front end in this process, with a
// core that is held.
#include "core_fixture.hpp"
#include "gui.hpp"

#include "uci/front_end.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace {

// Where the core stops before each request, if it is closed.
class Gate {
public:
    void open(bool open) {
        const std::scoped_lock lock{mutex_};
        open_ = open;
        changed_.notify_all();
    }
    void pass() {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return open_; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = true;
};

class HeldSeat {
public:
    explicit HeldSeat(const std::filesystem::path& directory, bool open = true,
                      const std::string& engine = hash_engine_path().string()) {
        gate.open(open);
        REQUIRE(pipe2(in_.data(), O_CLOEXEC) == 0);
        REQUIRE(pipe2(out_.data(), O_CLOEXEC) == 0);
        Config config;
        config.engines.resize(1);
        config.engines[0].name = "engine";
        config.engines[0].command = {engine};
        uci::FrontEndOptions options{directory / "data", in_[0], out_[1]};
        options.before_request = [this] { gate.pass(); };
        if (!open || engine != hash_engine_path().string()) {
            options.patience = std::chrono::milliseconds{50}; // until readyok all the same
        }
        front_end_ = std::thread{[this, config = std::move(config), options] {
            uci::run_front_end(config, options);
            ::close(out_[1]);
        }};
    }
    ~HeldSeat() {
        gate.open(true);
        close_input();
        front_end_.join();
        ::close(in_[0]);
        ::close(out_[0]);
    }

    // As Gui::say().
    std::vector<std::string> say(const std::vector<std::string>& lines,
                                 const std::string& until = "bestmove") {
        for (const std::string& line : lines) {
            const std::string text = line + "\n";
            REQUIRE(write(in_[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
        }
        std::vector<std::string> heard;
        while (heard.empty() || !heard.back().starts_with(until)) {
            heard.push_back(read_line());
        }
        return heard;
    }
    // The end of the input, which is "quit".
    void close_input() {
        if (in_[1] >= 0) {
            ::close(std::exchange(in_[1], -1));
        }
    }
    std::string read_line() {
        std::string line;
        for (char byte = 0;;) {
            pollfd fd{out_[0], POLLIN, 0};
            constexpr int patience_ms = 180'000;
            REQUIRE(poll(&fd, 1, patience_ms) == 1);
            REQUIRE(read(out_[0], &byte, 1) == 1);
            if (byte == '\n') {
                return line;
            }
            line += byte;
        }
    }

    Gate gate;

private:
    std::array<int, 2> in_{};
    std::array<int, 2> out_{};
    std::thread front_end_;
};

} // namespace

TEST_CASE("uci held core: there is a legal move for every go, and nobody is waited for") {
    TemporaryDirectory directory;
    HeldSeat seat{directory.path()};
    seat.say({"uci", "isready"}, "readyok");
    const chess::Position start = chess::Position::initial();
    seat.gate.open(false);
    for (const std::vector<std::string>& go :
         std::vector<std::vector<std::string>>{{"go movetime 0"},
                                               {"go wtime 100 btime 100"},
                                               {"go btime 1000"},
                                               {"go infinite", "stop"},
                                               {"go mate 2", "stop"},
                                               {"go ponder wtime 100 btime 100", "ponderhit"},
                                               {"go depth 3 movetime 60"}}) {
        INFO(go.front());
        seat.say({"position startpos", "isready"}, "readyok");
        const auto heard = seat.say(go);
        best_of(heard, start);
        CHECK(says(heard, "; any legal move is played"));
    }
    CHECK(seat.say({"go searchmoves e2e5 h2h4 wtime 100 btime 100"}).back() == "bestmove h2h4");
    // A second go while the first is out: each has its move.
    best_of(seat.say({"go infinite", "go movetime 60"}), start);
    best_of(seat.say({}), start);
    // The only move, a check, the ends of games.
    const auto only = *chess::Position::from_fen("k7/8/1K6/8/8/8/8/7R b - - 0 1");
    CHECK(seat.say({"position fen " + only.fen(), "go movetime 60"}).back() == "bestmove a8b8");
    CHECK(seat.say({"position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go movetime 60"}).back() ==
          "bestmove (none)");
    // The core goes on: what it finds is the answer again.
    seat.gate.open(true);
    const auto found = seat.say({"position startpos", "go depth 1"});
    best_of(found, start);
    CHECK_FALSE(says(found, "any legal move"));
}

TEST_CASE("uci held core: the end of the input is answered with a legal move, too") {
    TemporaryDirectory directory;
    HeldSeat seat{directory.path()};
    seat.say({"isready"}, "readyok");
    seat.gate.open(false);
    seat.say({"position startpos", "go infinite", "isready"}, "readyok");
    seat.close_input();
    best_of(seat.say({}), chess::Position::initial());
}

TEST_CASE(
    "uci held core: a store that does not open, and engines that do not go, hold nothing up") {
    TemporaryDirectory directory;
    const chess::Position start = chess::Position::initial();
    HeldSeat seat{directory.path(), false};
    best_of(seat.say({"position startpos", "go movetime 60"}), start); // without any isready
    seat.say({"isready"}, "readyok");                                  // its patience is over
    best_of(seat.say({"go wtime 100 btime 100"}), start);
    best_of(seat.say({"go infinite", "stop"}), start);
    seat.gate.open(true);
    // The search that runs when it has opened goes on with it.
    CHECK_FALSE(says(seat.say({"go depth 1 movetime 600000"}), "any legal move"));
    // Other options: the engines are started anew, but the core does not get there.
    seat.gate.open(false);
    best_of(seat.say({"setoption name Hash value 32", "go movetime 60"}), start);
    best_of(seat.say({"setoption name Hash value 64", "go movetime 60"}), start);
    seat.gate.open(true);
    const auto found = seat.say({"go depth 1 movetime 600000"});
    best_of(found, start);
    CHECK_FALSE(says(found, "any legal move"));
}

TEST_CASE("uci held core: readyok does not wait for ever for an engine that never says uciok") {
    TemporaryDirectory directory;
    HeldSeat seat{directory.path(), true, "cat"};
    CHECK(says(seat.say({"isready"}, "readyok"),
               "info string engine has been started but does not answer"));
    const auto heard = seat.say({"position startpos", "go depth 3"});
    CHECK(says(heard, "info string no engine: engine has been started but does not answer; any "
                      "legal move is played"));
    best_of(heard, chess::Position::initial());
}
