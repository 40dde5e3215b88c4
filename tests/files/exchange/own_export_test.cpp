// What people brought and wrote is in every export, token by token, beside the engine's moves.
#include "analysed.hpp"
#include "analysis/root_answer.hpp"
#include "api_fixture.hpp"
#include "chess/pgn_writer.hpp"

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
        // A second export takes the place of the first one's, whatever it adds.
        CHECK(a.pgn(limits, out) == text);
        for (const bool nags : {false, true}) {
            for (const auto density : {CommentDensity::branches, CommentDensity::leaves}) {
                for (const auto engine : {EnginePart::all, EnginePart::best}) {
                    limits.pgn.nags = nags;
                    limits.pgn.comments = density;
                    limits.engine = engine;
                    const std::string second = a.pgn(limits, out);
                    CHECK(has_all(read(second).at(0), pupil[0]));
                    // Glyphs without a comment of ours are the person's then.
                    const std::string third = a.pgn(limits, read(second));
                    CHECK((nags || third == second));
                    CHECK(a.pgn(limits, read(third)) == third);
                }
            }
        }
        check_by_pgn_extract(a.directory.path(), text);
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

TEST_CASE("own export: a repertoire has the person's answers") {
    Analysed a{"1. e4 e5"};
    const chess::Move mine = a.worst();
    const auto best = analysis::root_answer(a.run().slot->graph(), a.run().root_node, {})->move;
    REQUIRE(mine != best);
    ExportLimits limits = from_game();
    limits.one_sided = chess::Color::white;
    const auto answers = [&](const Games& games) {
        const Games out = read(a.pgn(limits, games));
        const chess::GameTree tree{out[0]};
        std::vector<chess::Move> moves;
        const auto root = *tree.find(*chess::parse_line(out[0].start, "1. e4 e5"));
        for (auto at = tree.first_child(root); at != 0; at = tree.next_sibling(at)) {
            moves.push_back(tree.move(at));
        }
        return moves;
    };
    CHECK(answers({}) == std::vector{best});
    limits.own_only = true;
    CHECK(answers({}).empty());
    limits.own_only = false;
    chess::AnnotatedGame game;
    const auto before = *chess::parse_line(game.start, "1. e4 e5");
    game.moves = {before[0], before[1], mine};
    CHECK(answers({game}) == std::vector{mine});
    REQUIRE(a.core.core->direct(a.id, {mine}, "include", "").wait());
    a.settle();
    CHECK(answers({}) == std::vector{mine});
    limits.own_only = true;
    CHECK(answers({}) == std::vector{mine});
}

TEST_CASE("own export: over HTTP, with the analysis's players, and a file named after them") {
    ApiFixture f;
    json wanted = ApiFixture::wanted({{"moves", "1. e4 e5"}});
    wanted["game"] = {{"white", "Müller, J."}, {"black", "Çelik"},     {"event", "Club"},
                      {"site", "Town"},        {"date", "2026-11-20"}, {"round", "3"}};
    const auto id = f.post(wanted);
    f.settle(id);
    const std::string path = "/analyses/" + std::to_string(id);
    const auto said = f.send(http::Method::post, path + "/directives",
                             {{"moves", {"a2a4"}}, {"action", "note"}, {"text", "rare"}});
    REQUIRE(said.status == 201);
    const auto file = f.send(http::Method::get, path + "/export?from=game");
    REQUIRE(file.status == 200);
    CHECK(file.headers.at("Content-Disposition") == "attachment; filename=\"muller-j-celik.pgn\"");
    for (const char* tag : {"[Event \"Club\"]", "[Site \"Town\"]", "[Date \"2026.11.20\"]",
                            "[Round \"3\"]", "[White \"Müller, J.\"]", "[Black \"Çelik\"]"}) {
        CHECK(file.body.find(tag) != std::string::npos);
    }
    CHECK(file.body.find("a4 {rare}") != std::string::npos);
    const auto get = [&](const std::string& more) {
        return f.send(http::Method::get, path + "/export?" + more).body;
    };
    CHECK(get("mine=none").find("rare") == std::string::npos);
    CHECK(get("mine=annotated").find("a4 {rare}") != std::string::npos);
    CHECK(get("engine=none").find("%eval") == std::string::npos);
    CHECK(get("engine=best&mine=none&comments=none").find('(') == std::string::npos);
    CHECK(get("side=white&own_only=true&mine=none").find("2. ") == std::string::npos);
    f.refuse(http::Method::get, path + "/export?mine=some", {}, 400, "bad_value", "query.mine");
    f.refuse(http::Method::get, path + "/export?engine=some", {}, 400, "bad_value", "query.engine");
}

TEST_CASE("own export: what was said before the game went on is there, where it went and where it "
          "did not") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", "1. e4 e5"}}));
    f.settle(id);
    const std::string path = "/analyses/" + std::to_string(id);
    const auto note = [&](const json& line, const char* text) {
        REQUIRE(f.send(http::Method::post, path + "/directives",
                       {{"moves", line}, {"action", "note"}, {"text", text}})
                    .status == 201);
    };
    note({"g1f3"}, "the knight");
    note({"f2f4"}, "the gambit");
    note({"g1f3", "b8c6", "f1b5"}, "the pin");
    REQUIRE(f.send(http::Method::post, path + "/advance", {{"moves", {"g1f3", "b8c6"}}}).status ==
            200);
    f.settle(id);
    std::string whole = f.send(http::Method::get, path + "/export?from=game").body;
    std::ranges::replace(whole, '\n', ' '); // lines end anywhere
    for (const char* said : {"the knight", "the gambit", "the pin"}) {
        INFO(whole);
        CHECK(whole.find(said) != std::string::npos);
    }
    const std::string below = f.send(http::Method::get, path + "/export").body;
    CHECK(below.find("the pin") != std::string::npos);
    CHECK(below.find("the gambit") == std::string::npos);
}
