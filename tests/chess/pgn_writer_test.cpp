// The PGN writer: what it writes reads back, here and in pgn-extract.
#include "pgn_log.hpp"
#include "temporary_directory.hpp"

#include "chess/pgn_writer.hpp"
#include "shared_data.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;
using adjourn::TemporaryDirectory;

namespace {

// A line of SAN as a chain of nodes; the first one.
std::vector<PgnNode> chain(const Position& start, const std::string& text) {
    const auto moves = parse_line(start, text);
    REQUIRE(moves);
    std::vector<PgnNode> below;
    for (auto at = moves->rbegin(); at != moves->rend(); ++at) {
        std::vector<PgnNode> here;
        here.push_back({*at, {}, {}, std::move(below)});
        below = std::move(here);
    }
    return below;
}

PgnTree tree_of(const std::string& text) {
    PgnTree tree;
    tree.moves = chain(tree.start, text);
    return tree;
}

std::string movetext(const PgnTree& tree) {
    const std::string pgn = to_pgn(tree);
    return pgn.substr(pgn.find("\n\n") + 2);
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    for (const std::string& line : lines_of(text)) {
        longest = std::max(longest, line.size());
    }
    return longest;
}

const char* const nasty_comments[] = {
    "plain words",      "a } brace and { another", "; % [Event \"x\"] $1 (1. e4)",
    "[%eval 0.23] d20", "Gr\xc3\xbcnfeld",         "line\nbreaks\tand\rtabs",
    "% at the start",   "[Event \"x\"]",           "}",
    "\x01\x7f"};

// Random moves with random variations, comments and NAGs.
void grow(Random& random, const Position& position, std::vector<PgnNode>& into, int plies,
          int depth) {
    const MoveList moves = position.legal_moves();
    if (plies == 0 || moves.empty()) {
        return;
    }
    const std::size_t count = depth > 0 && random() % 6 == 0 ? 1 + random() % 3 : 1;
    std::vector<Move> chosen;
    for (std::size_t i = 0; i < count; ++i) {
        const Move move = moves[random() % moves.size()];
        if (std::find(chosen.begin(), chosen.end(), move) == chosen.end()) {
            chosen.push_back(move);
        }
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        PgnNode node{chosen[i], {}, {}, {}};
        if (random() % 5 == 0) {
            node.comment = nasty_comments[random() % std::size(nasty_comments)];
        }
        if (random() % 8 == 0) {
            node.nags.push_back(static_cast<int>(random() % 256));
        }
        grow(random, position.after(chosen[i]), node.replies,
             i == 0 ? plies - 1 : static_cast<int>(random() % 8), i == 0 ? depth : depth - 1);
        into.push_back(std::move(node));
    }
}

PgnTree random_tree(Random& random) {
    PgnTree tree;
    tree.start = random_position(random, 30);
    tree.tags = {{"White", "A \"quoted\" \\ name"}, {"Annotator", "x"}};
    grow(random, tree.start, tree.moves, 60, 3);
    Position end = tree.start;
    for (const auto* at = &tree.moves; !at->empty(); at = &at->front().replies) {
        end.play(at->front().move);
    }
    if (end.terminal() == Terminal::checkmate) {
        tree.result = end.turn() == Color::white ? "0-1" : "1-0";
    } else if (end.terminal() == Terminal::stalemate) {
        tree.result = "1/2-1/2";
    }
    return tree;
}

// A comment as the writer may put it: one blank between words, no braces.
std::string tame(const std::string& comment) {
    std::string text;
    bool blank = false;
    for (const char c : comment) {
        if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f) {
            blank = !text.empty();
        } else {
            text += blank ? " " : "";
            text += c == '{' ? '(' : c == '}' ? ')' : c;
            blank = false;
        }
    }
    return text;
}

// The log (see PgnLog) of a line and what hangs on it.
std::string log_of(Position position, const std::vector<PgnNode>& moves) {
    const auto move = [](const Position& before, const PgnNode& node) {
        std::string text = to_san(before, node.move);
        text.erase(text.find_last_not_of("+#") + 1);
        text += ' ';
        for (const int nag : node.nags) {
            text += "$" + std::to_string(nag) + " ";
        }
        const std::string comment = tame(node.comment);
        return comment.empty() ? text : text + "{" + comment + "}";
    };
    std::string log;
    for (const std::vector<PgnNode>* at = &moves; !at->empty(); at = &at->front().replies) {
        log += move(position, at->front());
        for (std::size_t i = 1; i < at->size(); ++i) {
            const PgnNode& other = (*at)[i];
            log += "(" + move(position, other) + log_of(position.after(other.move), other.replies) +
                   ")";
        }
        position.play(at->front().move);
    }
    return log;
}

// Line ends, and the blank that the writer may put after one, are one blank.
std::string one_line(const std::string& text) {
    std::string line;
    for (const char c : text) {
        const bool after_end = !line.empty() && line.back() == '\n';
        if (after_end) {
            line.back() = ' ';
        }
        if (!(after_end && c == ' ')) {
            line += c;
        }
    }
    return line;
}

} // namespace

TEST_CASE("pgn writer: the seven tags, then the others", "[chess]") {
    PgnTree tree = tree_of("e4");
    tree.tags = {{"Annotator", "me"}, {"White", "Carlsen"}, {"Result", "0-1"}, {"SetUp", "0"}};
    tree.result = "1-0";
    CHECK(to_pgn(tree) == "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
                          "[White \"Carlsen\"]\n[Black \"?\"]\n[Result \"1-0\"]\n"
                          "[Annotator \"me\"]\n\n1. e4 1-0\n");
}

TEST_CASE("pgn writer: another start needs SetUp and FEN", "[chess]") {
    PgnTree tree;
    tree.start = position("4k3/8/8/8/8/8/8/4K2R b K - 3 17");
    tree.moves = chain(tree.start, "Kd7 O-O");
    const std::string pgn = to_pgn(tree);
    CHECK(pgn.find("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 17\"]\n[SetUp \"1\"]\n\n"
                   "17... Kd7 18. O-O *\n") != std::string::npos);
    CHECK(pgn.find("Variant") == std::string::npos);
    tree.start = position("1k2r3/8/8/8/8/8/8/R2K3R w AHe - 0 1");
    tree.moves = chain(tree.start, "O-O-O");
    CHECK(to_pgn(tree).find("[SetUp \"1\"]\n[Variant \"Chess960\"]\n") != std::string::npos);
}

TEST_CASE("pgn writer: tags behind the seven stand in the order of ASCII", "[chess]") {
    PgnTree tree;
    tree.start = position("1k2r3/8/8/8/8/8/8/R2K3R w AHe - 0 1");
    tree.tags = {{"ECO", "A00"},
                 {"Annotator", "me"},
                 {"Event", "e"},
                 {"Analysis", "x"},
                 {"annotator", "small letters come last"}};
    const std::string pgn = to_pgn(tree);
    std::vector<std::string> names;
    for (const std::string& line : lines_of(pgn.substr(0, pgn.find("\n\n")))) {
        names.push_back(line.substr(1, line.find(' ') - 1));
    }
    CHECK(names == std::vector<std::string>{"Event", "Site", "Date", "Round", "White", "Black",
                                            "Result", "Analysis", "Annotator", "ECO", "FEN",
                                            "SetUp", "Variant", "annotator"});
}

TEST_CASE("pgn writer: numbers, variations, comments, NAGs", "[chess]") {
    PgnTree tree = tree_of("e4 e5 Nf3");
    tree.comment = "before";
    CHECK(movetext(tree) == "{before} 1. e4 e5 2. Nf3 *\n");
    tree.comment.clear();
    PgnNode& e5 = tree.moves[0].replies[0];
    e5.nags = {1, 14};
    e5.comment = "solid";
    const Position after_e4 = Position::initial().after(tree.moves[0].move);
    tree.moves[0].replies.push_back(chain(after_e4, "c5 Nf3").front());
    CHECK(movetext(tree) == "1. e4 e5 $1 $14 {solid} (1... c5 2. Nf3) 2. Nf3 *\n");
    tree.moves.push_back(chain(tree.start, "d4 d5").front());
    CHECK(movetext(tree) == "1. e4 (1. d4 d5) 1... e5 $1 $14 {solid} (1... c5 2. Nf3) 2. Nf3 *\n");
}

TEST_CASE("pgn writer: no moves at all", "[chess]") {
    CHECK(movetext({}) == "*\n");
}

TEST_CASE("pgn writer: tag values are escaped", "[chess]") {
    PgnTree tree;
    tree.tags = {{"White", "a \"b\" \\ c\n"}};
    CHECK(to_pgn(tree).find("[White \"a \\\"b\\\" \\\\ c \"]\n") != std::string::npos);
    const auto game = read_first_game(to_pgn(tree));
    REQUIRE(game);
    CHECK(std::count(game->tags.begin(), game->tags.end(), PgnTag{"White", "a \"b\" \\ c "}) == 1);
}

TEST_CASE("pgn writer: comments cannot break out", "[chess]") {
    for (const char* comment : nasty_comments) {
        PgnTree tree = tree_of("e4 e5");
        tree.moves[0].comment = comment;
        INFO(comment);
        const std::string pgn = to_pgn(tree);
        CHECK(one_line(pgn_log(pgn))
                  .ends_with("|start|" + log_of(tree.start, tree.moves) + "|end *|"));
    }
}

TEST_CASE("pgn writer: lines stay below 80 columns and at word ends", "[chess]") {
    PgnTree tree = tree_of("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4");
    CHECK(longest_line(movetext(tree)) <= 79);
    CHECK(lines_of(movetext(tree)).size() == 2);
    for (std::size_t length = 60; length < 100; ++length) {
        tree.moves[0].comment = std::string(length, 'x');
        CHECK(longest_line(movetext(tree)) <= std::max<std::size_t>(79, length + 2));
    }
    tree.moves[0].comment.clear();
    for (int i = 0; i < 60; ++i) {
        tree.moves[0].comment += "words and words %";
    }
    CHECK(longest_line(movetext(tree)) <= 79);
    for (const std::string& line : lines_of(movetext(tree))) {
        CHECK_FALSE(line.starts_with('%'));
        CHECK_FALSE(line.ends_with(' '));
    }
}

TEST_CASE("pgn writer: a command in a comment is not broken", "[chess]") {
    PgnTree tree = tree_of("e4 e5");
    for (std::size_t length = 40; length < 80; ++length) {
        tree.moves[0].comment = std::string(length, 'x') + " [%eval 0.23] d20";
        CHECK(to_pgn(tree).find("[%eval 0.23]") != std::string::npos);
    }
}

TEST_CASE("pgn writer: random trees read back as they were", "[chess]") {
    Random random{17};
    for (int i = 0; i < 40; ++i) {
        const PgnTree tree = random_tree(random);
        const std::string pgn = to_pgn(tree);
        INFO(pgn);
        REQUIRE(longest_line(pgn.substr(pgn.find("\n\n"))) <= 79);
        const PgnLog log = read_pgn(pgn);
        REQUIRE(log.games == 1);
        REQUIRE(log.errors.empty());
        const std::string start =
            tree.start == Position::initial() ? "|start|" : "|start " + tree.start.fen() + "|";
        const std::string expected = log_of(tree.start, tree.moves);
        INFO("expected " << expected);
        INFO("log      " << one_line(log.log));
        REQUIRE(one_line(log.log).ends_with(start + expected + (expected.empty() ? "" : "|") +
                                            "end " + tree.result + "|"));
    }
}

TEST_CASE("pgn writer: pgn-extract has nothing to say", "[chess]") {
    if (!std::filesystem::exists("/usr/games/pgn-extract")) {
        adjourn::skip("pgn-extract is not installed");
        return;
    }
    Random random{18};
    std::string pgn;
    int games = 0;
    while (games < 30) {
        const PgnTree tree = random_tree(random);
        if (!tree.start.chess960() && !tree.moves.empty()) {
            pgn += to_pgn(tree) + "\n";
            ++games;
        }
    }
    const TemporaryDirectory directory;
    directory.write("games.pgn", pgn);
    const std::string command =
        "/usr/games/pgn-extract -r --quiet '" + directory.file("games.pgn") + "' 2>&1 >/dev/null";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe{popen(command.c_str(), "r"), pclose};
    REQUIRE(pipe);
    std::string said;
    for (int c = fgetc(pipe.get()); c != EOF; c = fgetc(pipe.get())) {
        said += static_cast<char>(c);
    }
    CHECK(said == "");
}
