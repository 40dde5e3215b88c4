// What people brought and wrote is in every export, token by token, beside the engine's moves.
#include "analysed.hpp"
#include "analysis/root_answer.hpp"
#include "chess/pgn_writer.hpp"
#include "program.hpp"

namespace {

std::string one_line(std::string pgn) {
    std::ranges::replace(pgn, '\n', ' ');
    return pgn;
}

// All tokens of the one are among those of the other, in their order.
bool has_all(const chess::AnnotatedGame& whole, const chess::AnnotatedGame& part) {
    auto at = whole.moves.begin();
    for (const chess::GameToken& token : part.moves) {
        at = std::find(at, whole.moves.end(), token);
        if (at == whole.moves.end()) {
            return false;
        }
        ++at;
    }
    return true;
}

// Each move of the part is in the whole where it was, with what was said of it first, and the
// variations to it in their order.
void check_kept(const chess::AnnotatedGame& whole, const chess::AnnotatedGame& part) {
    CHECK(has_all(whole, part));
    const chess::GameTree all{whole};
    const chess::GameTree tree{part};
    for (chess::GameTree::Node node = 0; node < tree.size(); ++node) {
        const auto there = all.find(tree.moves_to(node));
        REQUIRE(there);
        CHECK((node == 0 || all.in_main_line(*there) == tree.in_main_line(node)));
        const auto said = tree.behind(node);
        const auto now = all.behind(*there);
        REQUIRE(now.end - now.first >= said.end - said.first);
        std::vector<chess::GameToken> left{whole.moves.begin() + static_cast<long>(now.first),
                                           whole.moves.begin() + static_cast<long>(now.end)};
        chess::AnnotatedGame behind{{}, whole.start, left, "*", {}};
        chess::remove_exported(behind);
        CHECK(std::equal(behind.moves.begin(), behind.moves.end(),
                         part.moves.begin() + static_cast<long>(said.first),
                         part.moves.begin() + static_cast<long>(said.end)));
        chess::GameTree::Node at = all.first_child(*there);
        for (auto child = tree.first_child(node); child != 0; child = tree.next_sibling(child)) {
            while (at != 0 && all.move(at) != tree.move(child)) {
                at = all.next_sibling(at);
            }
            CHECK(at != 0); // in their order
        }
    }
    for (const chess::PgnTag& tag : part.tags) {
        CHECK(chess::tag_value(whole.tags, tag.name) == tag.value);
    }
    CHECK(whole.result == part.result);
}

} // namespace

TEST_CASE("own export: an included move far behind, a note, arrows and a glyph are there") {
    Analysed a{"1. e4 e5"};
    const chess::Move bad = a.worst();
    std::vector<chess::Move> line{bad};
    chess::Position at = a.run().root.after(bad);
    std::vector<std::string> sans;
    for (int ply = 0; ply < 2; ++ply) { // the first moves that there are: nobody analyses these
        line.push_back(at.legal_moves()[0]);
        sans.push_back(chess::to_san(at, line.back()));
        at.play(line.back());
    }
    REQUIRE(a.core.core->direct(a.id, {bad}, "include", "").wait());
    REQUIRE(a.core.core->direct(a.id, {bad}, "note", "[%csl Gd4] [%cal Re2e4] my idea").wait());
    REQUIRE(a.core.core->direct(a.id, line, "note", "never {scored}").wait());
    a.settle();
    const auto& graph = a.run().slot->graph();
    const auto moves = graph.moves(a.run().root_node);
    const auto value = [&](chess::Move move) {
        const auto i =
            std::ranges::find(moves, move, [](const auto& m) { return m.move; }) - moves.begin();
        return graph.game_value_of(a.run().root_node, static_cast<std::size_t>(i)).rank();
    };
    const auto best = analysis::root_answer(graph, a.run().root_node, {})->move;
    ExportLimits limits = from_game();
    limits.margin = value(best) - value(bad) - 1; // just outside
    REQUIRE(limits.margin >= 0);
    const std::string san = chess::to_san(a.run().root, bad);
    const std::string text = one_line(a.pgn(limits));
    INFO(text);
    CHECK(text.find("2. " + san + " {[%csl Gd4] [%cal Re2e4] my idea} {[%adj engine] [%eval ") !=
          std::string::npos);
    CHECK(text.find(sans[1] + " {never (scored)}") != std::string::npos);
    // Nor where nothing else is wanted.
    limits.engine = EnginePart::none;
    const std::string alone = one_line(a.pgn(limits));
    CHECK(alone.find("1. e4 e5 2. " + san + " {[%csl Gd4] [%cal Re2e4] my idea} 2... " + sans[0] +
                     " 3. " + sans[1] + " {never (scored)} *") != std::string::npos);
    CHECK(alone.find("%adj") == std::string::npos);
    limits.engine = EnginePart::best;
    const auto games = read(a.pgn(limits));
    const chess::GameTree tree{games[0]};
    const auto root = *tree.find(*chess::parse_line(games[0].start, "1. e4 e5"));
    CHECK(tree.move(tree.first_child(root)) == best);
    const auto second = tree.next_sibling(tree.first_child(root));
    REQUIRE(second != 0);
    CHECK(tree.move(second) == bad);
    CHECK(tree.next_sibling(second) == 0);
    limits.engine = EnginePart::all;
    limits.mine = OwnPart::none;
    const std::string bare = one_line(a.pgn(limits));
    CHECK(bare.find("my idea") == std::string::npos);
    CHECK(bare.find(" " + san + " ") == std::string::npos);
}

TEST_CASE("own export: a person's game comes out as it went in, beside the engine's moves") {
    for (const std::string root : {"", "1. e4", "1. e4 e5 2. Qh5"}) {
        Analysed a{root};
        const Games pupil = file_of_ours("ours_pupil.pgn");
        REQUIRE(pupil.size() == 1);
        ExportLimits limits = from_game();
        limits.margin = 60;
        limits.pgn.nags = limits.pgn.arrows = true;
        const std::string text = a.pgn(limits, pupil);
        INFO(text);
        const Games out = read(text);
        REQUIRE(out.size() == 1);
        check_kept(out[0], pupil[0]);
        CHECK(out[0].moves.size() > pupil[0].moves.size());
        CHECK(text.find("{[%adj engine") != std::string::npos);
        CHECK(text.find("[Date \"2026.11.20\"]") != std::string::npos);
        // A second export takes the place of the first one's.
        CHECK(a.pgn(limits, out) == text);
        if (const auto tool = pgn_extract()) {
            const auto file = a.directory.path() / "out.pgn";
            std::ofstream{file} << text;
            const Finished said = run_command({*tool, "-r", file.string()});
            CHECK(said.errors.find("arning") == std::string::npos);
            CHECK(said.errors.find("1 game") != std::string::npos);
        }
    }
}

TEST_CASE(
    "own export: chapters stay what they are; the tree goes into the first that leads there") {
    Analysed a{"1. e4 e5 2. Nf3 Nc6 3. Bb5"};
    const Games repertoire = file_of_ours("ours_repertoire.pgn");
    REQUIRE(repertoire.size() == 2);
    ExportLimits limits = from_game();
    const std::string text = a.pgn(limits, repertoire);
    INFO(text);
    const Games out = read(text);
    REQUIRE(out.size() == 2);
    check_kept(out[0], repertoire[0]);
    CHECK(out[1] == repertoire[1]);
    CHECK(a.pgn(limits, out) == text);

    SECTION("a part has what leads there and below") {
        const auto line = *chess::parse_line(a.run().root, "3... a6 4. Bxc6");
        const Games part = read(a.pgn(limits, repertoire, line));
        REQUIRE(part.size() == 1);
        CHECK(has_all(part[0], repertoire[0]));
        const Games other =
            read(a.pgn(limits, repertoire, *chess::parse_line(a.run().root, "Nf6")));
        REQUIRE(other.size() == 1);
        CHECK(has_all(other[0], repertoire[1]));
        limits.pgn.from_game = false;
        const Games below = read(a.pgn(limits, repertoire, line));
        REQUIRE(below.size() == 1);
        const chess::Position there =
            *chess::Position::from_fen(std::string{chess::tag_value(below[0].tags, "FEN")});
        CHECK(below[0].start == there);
        CHECK(chess::to_pgn(below[0]).find("{strong}") == std::string::npos);
        CHECK(one_line(chess::to_pgn(below[0])).find("[%eval 0.6] strong") != std::string::npos);
    }
    SECTION("what is said nowhere is left out of what is annotated") {
        limits.mine = OwnPart::annotated;
        limits.engine = EnginePart::none;
        const Games annotated = read(a.pgn(limits, repertoire));
        REQUIRE(annotated.size() == 1);
        const std::string moves = one_line(chess::to_pgn(annotated[0]));
        CHECK(moves.find("(4... bxc6 5. d4 exd4 6. Qxd4 Qf6 7. e5 {[%eval 0.6] strong})") !=
              std::string::npos);
        CHECK(moves.find("9. Nbd2 O-O-O $14 {transposes} *") != std::string::npos);
        CHECK(moves.find("5... Qd6") == std::string::npos);
    }
}

TEST_CASE("own export: a game from elsewhere that leads to the root keeps its beginning") {
    // The root is a position that nobody has played to.
    const auto root =
        *chess::Position::from_fen("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture core{directory.path(), bench};
    NewAnalysis wanted{"fen", root, {}, "", {analysis::Limit::Kind::depth, 8}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("halving");
    wanted.spec.strategy.move_distance = 20;
    wanted.spec.strategy.refine = 2;
    const auto id = *core.core->create(std::move(wanted)).wait();
    core.work_until([&] { return core.settled(id); });
    const Games games =
        read("[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 {so} (1. d4 d5) c5 2. h4 1-0\n\n"
             "[White \"B\"]\n[Result \"*\"]\n\n1. d4 {another} *\n");
    ExportLimits limits = from_game();
    const Games out = read(exported("pgn", *core.core, core.run(id), {}, limits, games));
    REQUIRE(out.size() == 2);
    check_kept(out[0], games[0]);
    CHECK(out[0].start == chess::Position::initial());
    CHECK(out[1] == games[1]);
    limits.pgn.from_game = false;
    const Games here = read(exported("pgn", *core.core, core.run(id), {}, limits, games));
    CHECK(here[0].start == root);
    CHECK(one_line(chess::to_pgn(here[0])).find(" 2. h4 ") != std::string::npos);
}

TEST_CASE("own export: random games and trees: export, read, export is the same") {
    std::mt19937 random{30};
    for (const std::string root : {"", "1. e4", "1. d4 d5"}) {
        Analysed a{root};
        for (int round = 0; round < 6; ++round) {
            // The tree's own moves among others, in any order, commented and not.
            chess::AnnotatedGame own;
            const auto before = *chess::parse_line(own.start, root);
            own.moves.assign(before.begin(), before.end());
            chess::Position at = a.run().root;
            for (int ply = 0; ply < 8 && at.has_legal_move(); ++ply) {
                const chess::MoveList moves = at.legal_moves();
                const auto any = [&] { return moves[random() % moves.size()]; };
                const chess::Move main = any();
                own.moves.emplace_back(main);
                if (random() % 3 == 0) {
                    own.moves.emplace_back(
                        chess::PgnNag{static_cast<std::uint8_t>(random() % 20), false});
                }
                if (random() % 3 == 0) {
                    own.moves.emplace_back(chess::PgnComment{"c" + std::to_string(random() % 100)});
                }
                if (const chess::Move other = any(); other != main && random() % 2 == 0) {
                    own.moves.emplace_back(chess::VariationStart{});
                    own.moves.emplace_back(chess::PgnComment{"before"});
                    own.moves.emplace_back(other);
                    own.moves.emplace_back(chess::VariationEnd{});
                    own.moves.emplace_back(chess::PgnComment{"between"});
                }
                at.play(main);
            }
            own.tags = {{"Result", "*"}};
            ExportLimits limits = from_game();
            limits.margin = static_cast<int>(random() % 100);
            limits.pgn.nags = random() % 2 == 0;
            limits.pgn.arrows = random() % 2 == 0;
            limits.pgn.comments = static_cast<CommentDensity>(random() % 3);
            limits.engine = random() % 3 == 0 ? EnginePart::best : EnginePart::all;
            const std::string first = a.pgn(limits, {own});
            INFO(first);
            const Games out = read(first);
            REQUIRE(out.size() == 1);
            CHECK(has_all(out[0], own));
            const std::string second = a.pgn(limits, out);
            if (limits.pgn.comments == CommentDensity::all || !limits.pgn.nags) {
                CHECK(second == first);
            }
            CHECK(a.pgn(limits, read(second)) == second);
        }
    }
}
