// What the front end makes of what is known: pure, without processes and clocks.
#include "gui.hpp"
#include "uci/search.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::server;
using namespace adjourn::server::uci;
using chess::Score;
using std::chrono::milliseconds;

namespace {

Game game_of(const std::string& line) {
    return std::get<Game>(parse("position " + line));
}

std::vector<chess::Move> all_moves(const chess::Position& position) {
    std::vector<chess::Move> moves;
    for (const chess::Move move : position.legal_moves()) {
        moves.push_back(move);
    }
    return moves;
}

std::vector<chess::Move> choice_line(const chess::Position& position, const std::string& text) {
    std::vector<chess::Move> moves;
    chess::Position at = position;
    for (std::size_t i = 0; i < text.size(); i += 5) {
        const auto move = chess::parse_uci(at, text.substr(i, 4));
        REQUIRE(move);
        moves.push_back(*move);
        at.play(*move);
    }
    return moves;
}

RankedLine ranked(const Game& game, Score score, const std::string& text,
                  analysis::Bound bound = analysis::Bound::exact) {
    return {score, choice_line(game.position, text), bound};
}

std::string first_move(const Game& game, const std::vector<RankedLine>& lines) {
    return lines.empty() ? ""
                         : chess::to_uci(game.position, lines.front().pv.front(),
                                         chess::CastlingStyle::standard);
}

const Search::Time start{std::chrono::hours{1}};

struct Board {
    explicit Board(const std::string& position, const std::string& go,
                   const std::string& strategy = "", double nodes_per_second = 0,
                   std::size_t processes = 1)
        : game{game_of(position)} {
        config.engines.resize(1);
        config.engines[0].name = "engine";
        config.engines[0].count = processes;
        settings.emplace(config);
        if (!strategy.empty()) {
            REQUIRE(settings->set("Strategy", strategy));
        }
        search.emplace(game, std::get<Go>(parse(go)), *settings, nodes_per_second, start);
    }
    Config config;
    Game game;
    std::optional<Settings> settings;
    std::optional<Search> search;
};

} // namespace

TEST_CASE("uci choice: a search that runs answers until the tree stands on more") {
    const Game game = game_of("startpos");
    const Choice choice{game, all_moves(game.position)};
    Finding finding;
    CHECK(choice.lines(finding).empty());
    finding.stored = Candidate{ranked(game, Score::cp(5), "a2a3"), 30};
    CHECK(first_move(game, choice.lines(finding)) == "a2a3");
    finding.running = Candidate{ranked(game, Score::cp(10), "d2d4 d7d5"), 3};
    CHECK(first_move(game, choice.lines(finding)) == "d2d4");
    // A tree that stands on shallower searches than the one that runs now is stale.
    finding.lines = {ranked(game, Score::cp(20), "e2e4")};
    finding.evidence = 3;
    CHECK(first_move(game, choice.lines(finding)) == "e2e4");
    finding.running->depth = 4;
    CHECK(first_move(game, choice.lines(finding)) == "d2d4");
    finding.running->line.bound = analysis::Bound::upper; // not said in earnest
    CHECK(first_move(game, choice.lines(finding)) == "e2e4");
    finding.running->line.bound = analysis::Bound::exact;
    finding.settled = 1; // a tree of its own
    CHECK(first_move(game, choice.lines(finding)) == "e2e4");
    finding.running->line.score = Score::mate_in(5); // unless it sees the end
    CHECK(first_move(game, choice.lines(finding)) == "d2d4");
    finding.lines.front().score = Score::mate_in(3);
    CHECK(first_move(game, choice.lines(finding)) == "e2e4");
}

TEST_CASE("uci choice: with anchored the long search that runs answers as soon as it is deeper") {
    const Game game = game_of("startpos");
    const Choice choice{game, all_moves(game.position)};
    Finding finding;
    finding.lines = {ranked(game, Score::cp(20), "e2e4")};
    finding.settled = 3;
    finding.evidence = 12;
    finding.running = Candidate{ranked(game, Score::cp(10), "d2d4 d7d5"), 13};
    CHECK(first_move(game, choice.lines(finding)) == "e2e4"); // of another strategy
    finding.anchored = true;
    CHECK(first_move(game, choice.lines(finding)) == "d2d4");
    finding.running->depth = 12; // has not caught up with the one before
    CHECK(first_move(game, choice.lines(finding)) == "e2e4");
    // It ended while it was about to prefer another move: what it says then counts, bound or not.
    finding.running->line.bound = analysis::Bound::lower;
    CHECK(first_move(game, choice.lines(finding)) == "e2e4");
    finding.running->final = true;
    CHECK(first_move(game, choice.lines(finding)) == "d2d4");
    finding.running->depth = 11; // of an earlier one
    CHECK(first_move(game, choice.lines(finding)) == "e2e4");
}

TEST_CASE("uci choice: a search that runs takes one of several lines, and first place") {
    const Game game = game_of("startpos");
    const Choice choice{game, all_moves(game.position)};
    Finding finding;
    finding.lines = {ranked(game, Score::cp(20), "e2e4"), ranked(game, Score::cp(15), "d2d4"),
                     ranked(game, Score::cp(5), "a2a3")};
    finding.evidence = 3;
    const auto told = [&](const char* running, std::size_t most) {
        finding.running = Candidate{ranked(game, Score::cp(10), running), 4};
        std::string moves;
        for (const RankedLine& line : choice.lines(finding, most)) {
            moves += chess::to_uci(game.position, line.pv.front()) + " ";
        }
        return moves;
    };
    CHECK(told("d2d4 d7d5", 3) == "d2d4 e2e4 a2a3 ");
    CHECK(told("e2e4 e7e5", 3) == "e2e4 d2d4 a2a3 ");
    CHECK(told("c2c4 e7e5", 3) == "c2c4 e2e4 d2d4 ");
    CHECK(told("c2c4 e7e5", 9) == "c2c4 e2e4 d2d4 a2a3 ");
    CHECK(told("c2c4 e7e5", 1) == "c2c4 ");
}

TEST_CASE("uci choice: only moves that may be played are chosen") {
    const Game game = game_of("startpos");
    const Choice choice{game, choice_line(game.position, "h2h4")};
    Finding finding;
    finding.lines = {ranked(game, Score::cp(20), "e2e4")};
    finding.running = Candidate{ranked(game, Score::cp(10), "d2d4"), 3};
    finding.stored = Candidate{ranked(game, Score::cp(5), "a2a3"), 30};
    CHECK(choice.lines(finding).empty());
    finding.stored->line = ranked(game, Score::cp(5), "h2h4");
    CHECK(first_move(game, choice.lines(finding)) == "h2h4");
}

TEST_CASE("uci choice: lines end where the game is over or has been before") {
    const auto shown = [](const Game& game, const std::string& pv) {
        const Choice choice{game, all_moves(game.position)};
        return choice.within_the_game(ranked(game, Score::cp(50), pv));
    };
    // The game has been at the start once, and that is no draw.
    const Game knights = game_of("startpos moves g1f3 g8f6 f3g1");
    const RankedLine back = shown(knights, "f6g8 e2e4 e7e5");
    CHECK(back.pv.size() == 3);
    CHECK(back.score == Score::cp(50));
    const RankedLine third =
        shown(game_of("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"), "f6g8 e2e4 e7e5");
    CHECK(third.pv.size() == 1);
    CHECK(third.score == Score::cp(0)); // the move itself makes three of it
    const RankedLine later = shown(knights, "d7d5 g1f3 f6g8 f3g1 g8f6 e2e4");
    CHECK(later.pv.size() == 5);
    CHECK(later.score == Score::cp(50));
    CHECK(shown(knights, "d7d5 e2e4 d5e4 b1c3").pv.size() == 4);
    // What cannot recur is forgotten.
    CHECK(shown(game_of("startpos moves g1f3 g8f6 f3g1 f6g8 e2e4 e7e5"), "g1f3 g8f6").pv.size() ==
          2);
    // No piece to mate with, and fifty moves.
    CHECK(shown(game_of("fen 8/8/4k3/8/8/4K3/4r3/8 w - - 0 1"), "e3e2 e6e5 e2e3").pv.size() == 1);
    CHECK(shown(game_of("fen 8/8/4k3/8/8/4K3/4R3/8 w - - 98 80"), "e3d3 e6d5 e2e3").pv.size() == 2);
    const Game late = game_of("fen 8/8/4k3/8/8/4K3/4R3/8 w - - 97 80 moves e3d3 e6d5");
    CHECK(late.position.halfmove_clock() == 99);
    CHECK(shown(late, "e2e3 d5d6").score == Score::cp(0)); // the other side can claim a draw
    CHECK(shown(game_of("fen 7k/R7/6K1/8/8/8/8/8 w - - 99 80"), "a7a8").score == Score::cp(50));
}

TEST_CASE("uci search: the clock runs out with what the running search says, not with any move") {
    Board board{"startpos", "go movetime 1000"}; // 970 of them are allotted
    Finding finding;
    finding.ready = finding.looked = true;
    CHECK(board.search->look(finding, start).empty());
    CHECK_FALSE(board.search->over(start + milliseconds{970}));
    CHECK_FALSE(board.search->needs_a_word(start + milliseconds{970}));
    CHECK(board.search->needs_a_word(start + milliseconds{977})); // who is silent must answer
    CHECK_FALSE(board.search->over(start + milliseconds{984}));
    CHECK(board.search->over(start + milliseconds{985})); // nobody is waited for beyond the time
    finding.running = Candidate{ranked(board.game, Score::cp(31), "d2d4 d7d5"), 2};
    const auto said = board.search->look(finding, start + milliseconds{980});
    CHECK(says(said, " score cp 31 "));
    CHECK(says(said, " pv d2d4 d7d5"));
    CHECK(board.search->over(start + milliseconds{980}));
    const auto last = board.search->last_words(std::nullopt, start + milliseconds{981});
    REQUIRE(last.size() == 2);
    CHECK(last[0].find(" score cp 31 ") != std::string::npos);
    CHECK(last[1] == "bestmove d2d4 ponder d7d5");
}

TEST_CASE("uci search: whoever is silent, the move comes before the time is over") {
    const auto answered_after = [](const std::string& go, bool looked, const char* word = "") {
        Board board{"startpos", go};
        Finding finding;
        finding.ready = true;
        finding.looked = looked;
        board.search->look(finding, start);
        if (std::string{word} == "stop") {
            board.search->stop(start);
        } else if (std::string{word} == "ponderhit") {
            board.search->ponderhit(start);
        }
        int ms = 0;
        while (ms < 20'000 && !board.search->over(start + milliseconds{ms})) {
            ++ms;
        }
        const auto words = board.search->last_words(std::nullopt, start + milliseconds{ms});
        CHECK(says(words, "info string no engine has said anything of this position; any"));
        best_of(words, board.game.position);
        return ms;
    };
    for (const bool looked : {false, true}) {
        CAPTURE(looked);
        CHECK(answered_after("go movetime 60", looked) == 45);
        CHECK(answered_after("go movetime 1", looked) <= 1);
        CHECK(answered_after("go wtime 100 btime 100", looked) == 50);
        CHECK(answered_after("go wtime 60000 btime 60000", looked) == 5'000);
        CHECK(answered_after("go ponder wtime 100", looked, "ponderhit") == 50);
        // Where no time is shown, an engine that has been asked is waited for a little.
        const int moment = looked ? 1'000 : 100;
        CHECK(answered_after("go movetime 0", looked) == moment);
        CHECK(answered_after("go wtime 0 btime 0", looked) == moment);
        CHECK(answered_after("go btime 100", looked) == moment); // White's clock is not told
        CHECK(answered_after("go infinite", looked, "stop") == moment);
        CHECK(answered_after("go depth 5", looked, "stop") == moment);
    }
}

TEST_CASE("uci search: anchored is told what a move may cost, by nodes or by the clock") {
    const auto assigned = [](const std::string& go, const std::string& strategy, double speed = 0,
                             std::size_t processes = 1) {
        return *Board{"startpos", go, strategy, speed, processes}.search->request();
    };
    const auto nodes = assigned("go nodes 100000", "anchored");
    CHECK(nodes.nodes == 100'000);
    // Eight times as much is the first long search, half of all: so it is the last one, too.
    CHECK(nodes.limit == analysis::Limit{analysis::Limit::Kind::nodes, 6'250});
    CHECK(assigned("go nodes 100000", "halving").nodes == 100'000);
    CHECK_FALSE(assigned("go movetime 1030", "halving", 1'000'000).nodes);
    CHECK(assigned("go nodes 100000", "halving").limit.amount == 4'096);
    const auto timed = assigned("go movetime 1030", "anchored", 1'000'000, 2);
    CHECK(timed.nodes == 2'000'000);                             // both processes
    CHECK(timed.limit.amount == 62'500);                         // of one of the two
    CHECK_FALSE(assigned("go movetime 1030", "anchored").nodes); // no speed is known yet
    CHECK(assigned("go nodes 5000 movetime 1030", "anchored", 1'000'000).nodes == 5'000);
    CHECK_FALSE(assigned("go ponder movetime 1030", "anchored", 1'000'000).nodes);
    CHECK_FALSE(assigned("go infinite", "anchored", 1'000'000).nodes);
}

TEST_CASE("uci search: go nodes waits for the answer of the search that spent them") {
    for (const char* strategy : {"anchored", "halving"}) {
        Board board{"startpos", "go nodes 20000", strategy};
        Search& search = *board.search;
        Finding finding;
        finding.looked = true;
        finding.running = Candidate{ranked(board.game, Score::cp(-14), "f2f3"), 6};
        search.look(finding, start);
        CHECK_FALSE(search.over(start));
        finding.nodes = 20'018; // all are spent, what they found is not known yet
        search.look(finding, start);
        CHECK_FALSE(search.over(start));
        finding.running.reset();
        finding.lines = {ranked(board.game, Score::cp(3), "g1f3")};
        finding.evidence = 10;
        finding.finished = true;
        search.look(finding, start);
        CHECK(search.over(start));
        CHECK(search.last_words({}, start).back().starts_with("bestmove g1f3"));
    }
}

TEST_CASE("uci search: what an engine said before it died still counts") {
    Board board{"startpos", "go movetime 1000"};
    Finding finding;
    finding.ready = finding.looked = true;
    finding.running = Candidate{ranked(board.game, Score::cp(31), "d2d4"), 9};
    board.search->look(finding, start);
    finding.running = Candidate{ranked(board.game, Score::cp(-400), "a2a3"), 1}; // its successor
    board.search->look(finding, start + milliseconds{300});
    finding.running.reset();
    finding.finished = true;
    board.search->look(finding, start + milliseconds{400});
    REQUIRE(board.search->over(start + milliseconds{400}));
    CHECK(board.search->last_words(std::nullopt, start + milliseconds{400}).back() ==
          "bestmove d2d4");
}

TEST_CASE("uci search: every bestmove has a line with a score before it") {
    const auto last_of = [](const std::string& position, const std::string& go) {
        Board board{position, go};
        Finding finding;
        finding.ready = true;
        std::vector<std::string> said = board.search->look(finding, start);
        board.search->stop(start);
        const auto late = start + std::chrono::hours{1};
        const auto add = [&](std::vector<std::string> more) {
            std::ranges::move(more, std::back_inserter(said));
        };
        add(board.search->look(finding, late));
        REQUIRE(board.search->over(late));
        add(board.search->last_words(std::nullopt, late));
        return said;
    };
    for (const std::string go : {"go movetime -5", "go wtime 0 btime 0", "go infinite", "go",
                                 "go depth 3", "go nodes 1", "go mate 2", "go ponder wtime 1"}) {
        for (const std::string position :
             {"startpos", "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1", "fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
              "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "fen k7/8/1K6/8/8/8/8/7R b - - 0 1"}) {
            INFO(position << ": " << go);
            const auto lines = last_of(position, go);
            REQUIRE(lines.size() >= 2);
            CHECK(lines[lines.size() - 2].starts_with("info depth "));
            CHECK(lines[lines.size() - 2].find(" score ") != std::string::npos);
            CHECK(lines.back().starts_with("bestmove "));
        }
    }
    CHECK(says(last_of("startpos", "go infinite"), "info string no engine has said anything"));
    CHECK(last_of("fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go depth 1") ==
          std::vector<std::string>{"info depth 0 score mate 0", "info depth 0 score mate 0",
                                   "bestmove (none)"});
}

TEST_CASE("uci search: without any engine what is stored is played, else any legal move") {
    Board board{"startpos", "go wtime 60000 btime 60000"};
    Finding finding;
    finding.problem = "cannot be started";
    board.search->look(finding, start);
    CHECK_FALSE(board.search->over(start)); // the store has not been asked yet
    finding.looked = true;
    board.search->look(finding, start);
    REQUIRE(board.search->over(start)); // there is nobody to wait for
    const auto words = board.search->last_words(std::nullopt, start);
    CHECK(words.front() == "info string no engine: cannot be started; any legal move is played");
    best_of(words, board.game.position);
    finding.starting = true; // or there may be
    board.search->look(finding, start);
    CHECK_FALSE(board.search->over(start));
    CHECK(board.search->over(start + milliseconds{5'000}));

    Board again{"startpos", "go wtime 60000 btime 60000"};
    finding.starting = false;
    finding.stored = Candidate{ranked(again.game, Score::cp(12), "c2c4 e7e5"), 8};
    again.search->look(finding, start);
    REQUIRE(again.search->over(start));
    CHECK(again.search->last_words(std::nullopt, start).back() == "bestmove c2c4 ponder e7e5");
}

TEST_CASE("uci search: a longer mate than the one asked for is searched behind") {
    Board board{"fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2"};
    const auto first = board.search->request();
    REQUIRE(first);
    Finding finding;
    finding.ready = finding.looked = finding.finished = true;
    finding.lines = {ranked(board.game, Score::mate_in(37), "a1a5")};
    finding.nodes = 100;
    board.search->look(finding, start);
    CHECK_FALSE(board.search->over(start));
    const auto second = board.search->next_request();
    REQUIRE(second);
    CHECK(second->limit.amount == 2 * first->limit.amount);
    CHECK_FALSE(board.search->next_request()); // one at a time
    finding.lines = {ranked(board.game, Score::mate_in(3), "a1a6"),
                     ranked(board.game, Score::mate_in(37), "a1a5")};
    board.search->look(finding, start);
    REQUIRE(board.search->over(start));
    CHECK_FALSE(board.search->next_request());
    const auto lines = board.search->last_words(std::nullopt, start);
    CHECK(says(lines, " score mate 2 nodes 200 "));
    CHECK(lines.back() == "bestmove a1a6");
    // Where the mover is mated there is nothing to be found.
    Board lost{"fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "go mate 2"};
    finding.lines = {ranked(lost.game, Score::mated_in(4), "a1a5")};
    lost.search->look(finding, start);
    CHECK(lost.search->over(start));
}
