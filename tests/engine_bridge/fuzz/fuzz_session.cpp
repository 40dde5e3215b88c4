// Any talk of an engine: lines, and control bytes 1 to 7 at the start of a line for what happens on
// our side. Parsing neither crashes nor reads outside a line, what is found points into it, and
// what is written back holds no line break. The session keeps its promises: never go, position,
// setoption or ucinewgame while it searches, one report for each search, every move of an answer
// legal, no deadline that is not there.
#include "chess/notation.hpp"
#include "engine_bridge/process/session.hpp"
#include "engine_bridge/process/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace adjourn::engine_bridge;
namespace chess = adjourn::chess;
using State = Session::State;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void check_within(std::string_view part, std::string_view line) {
    require(part.data() >= line.data() && part.data() + part.size() <= line.data() + line.size());
}

void check_line(std::string_view line) {
    const uci::Line parsed = uci::parse(line);
    if (const auto* const info = std::get_if<uci::Info>(&parsed)) {
        for (const std::string_view move : info->pv) {
            require(!move.empty());
            check_within(move, line);
        }
        require(!info->depth || *info->depth >= 0);
        if (info->score) {
            const auto score = uci::to_score(*info->score, info->tbhits.value_or(0) > 0);
            require(!score || adjourn::chess::Score::decode(score->encode()) == *score);
        }
    } else if (const auto* const option = std::get_if<uci::Option>(&parsed)) {
        require(!option->name.empty());
        const auto command = uci::setoption_command(*option, option->initial.value_or(""));
        require(!command || command->find_first_of("\r\n") == command->npos);
    } else if (const auto* const best = std::get_if<uci::BestMove>(&parsed)) {
        require(!best->move || !best->move->empty());
    }
    for (const char c : printable(line)) {
        require(static_cast<unsigned char>(c) >= 0x20 || c == '\t');
    }
}

class Talk {
public:
    explicit Talk(bool reproducible)
        : session_{{"fuzz", {"x"}, {{"Hash", "64"}}, 1, reproducible}, {}} {
        session_.start(now_);
        check(State::created);
    }

    void line(std::string_view text) {
        check_line(text);
        const State before = session_.state();
        const char first = text.empty() ? ' ' : text.front();
        if (first >= 1 && first <= 3 && before == State::idle) {
            go(static_cast<adjourn::chess::Limit::Kind>(first - 1), text.size());
        } else if (first == 4) {
            session_.cancel(now_);
        } else if (first == 5) {
            now_ += std::chrono::seconds{text.size() * 10};
            session_.time(now_);
        } else if (first == 6 && text.size() > 60) {
            session_.broken("fuzz");
        } else if (first == 7) {
            shake_hands();
        } else {
            session_.line(text, now_);
        }
        check(before);
    }

private:
    void go(adjourn::chess::Limit::Kind kind, std::size_t amount) {
        static constexpr std::array fens{
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"};
        position_ = chess::Position::from_fen(fens[amount % fens.size()]).value();
        searchmoves_.clear();
        for (const chess::Move move : position_.legal_moves()) {
            if (amount % 5 == 0) {
                searchmoves_.push_back(move);
            }
        }
        open_ = true;
        session_.go({position_, {kind, amount}, searchmoves_}, now_);
    }

    void shake_hands() {
        for (const std::string_view text :
             {"id name X", "option name Hash type spin default 16 min 1 max 1024",
              "option name UCI_Chess960 type check default false", "uciok", "readyok"}) {
            const State before = session_.state();
            session_.line(text, now_);
            check(before);
        }
    }

    void check(State before) {
        const bool was_searching = before == State::searching || before == State::stopping;
        for (const std::string& command : session_.take_commands()) {
            require(command.find_first_of("\r\n") == command.npos);
            require(!was_searching || command == "stop" || command == "isready");
        }
        if (const auto report = session_.take_report()) {
            if (const auto* const result = std::get_if<Result>(&*report)) {
                require(open_);
                open_ = false;
                check(*result);
            } else if (std::holds_alternative<Identity>(*report)) {
                require(before == State::configuring && session_.state() == State::idle);
            } else {
                require(session_.state() == State::lost);
                open_ = false;
            }
        }
        const State state = session_.state();
        const bool waiting = state != State::idle && state != State::lost;
        require(session_.deadline().has_value() == waiting);
        require(open_ == (state == State::preparing || state == State::searching ||
                          state == State::stopping || state == State::confirming ||
                          state == State::clearing));
    }

    void check(const Result& result) const {
        if (!result) {
            require(!result.error().reason.empty());
            return;
        }
        require(!result->pv.empty() && result->pv.front() == result->move);
        require(searchmoves_.empty() ||
                std::ranges::find(searchmoves_, result->move) != searchmoves_.end());
        chess::Position at = position_;
        for (const chess::Move move : result->pv) {
            require(at.is_legal(move));
            at.play(move);
        }
    }

    Session session_;
    Session::Time now_{std::chrono::hours{1}};
    chess::Position position_ = chess::Position::initial();
    std::vector<chess::Move> searchmoves_;
    bool open_ = false;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    Talk talk{size > 0 && data[0] % 2 == 1};
    // In pieces whose size they choose themselves.
    LineBuffer buffer;
    const std::size_t piece = size == 0 ? 1 : 1 + data[0] % 64;
    for (std::size_t at = 0; at < size; at += piece) {
        for (const std::string_view line : buffer.feed(bytes.substr(at, piece)).lines) {
            require(line.find('\n') == line.npos);
            talk.line(line);
        }
    }
    talk.line(buffer.rest());
    return 0;
}
