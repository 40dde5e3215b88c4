// `adjourn lichess` beside both of lichess' servers, as the page sees it.
#include "fake_lichess.hpp"
#include "program.hpp"
#include "temporary_directory.hpp"

#include "storage/open.hpp"

using namespace adjourn::server::lichess;

namespace {

const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr int day_ms = 86'400'000; // that the page asks for without end

json work_of(const json& moves, int movetime_ms = day_ms, const std::string& session = "s") {
    return {{"sessionId", session}, {"threads", 2},           {"hash", 16},
            {"multiPv", 1},         {"variant", "chess"},     {"initialFen", start},
            {"moves", moves},       {"movetime", movetime_ms}};
}

// Ends when they are spent, and has lines then, however slow the machine is.
json work_of_nodes(const json& moves) {
    json work = work_of(moves);
    work.erase("movetime");
    work["nodes"] = 300'000;
    return work;
}

struct Board {
    TemporaryDirectory directory;
    FakeLichess lichess;
    std::filesystem::path token = directory.path() / "token";
    std::filesystem::path log = directory.path() / "adjourn.log";
    std::filesystem::path config = write_config(directory.path(), 2, 5);
    std::unique_ptr<RunningProgram> program;

    Board() { write_token(FakeLichess::good_token); }

    void write_token(const std::string& text) const {
        std::ofstream{token} << text << '\n';
        std::filesystem::permissions(token, std::filesystem::perms::owner_read |
                                                std::filesystem::perms::owner_write);
    }
    std::vector<std::string> words() const {
        return {"lichess",
                "--url",
                lichess.url(),
                "--token-file",
                token.string(),
                "--data",
                (directory.path() / "data").string(),
                "--config",
                config.string()};
    }
    void start_program() { program = std::make_unique<RunningProgram>(words(), log); }
    void start_and_poll() {
        start_program();
        lichess.wait("it waits for work", [&] { return lichess.polls > 0; });
    }
    std::string logged() const {
        std::ifstream in{log};
        return {std::istreambuf_iterator<char>{in}, {}};
    }
    std::size_t times_logged(const std::string& text) const {
        const std::string all = logged();
        std::size_t count = 0;
        for (std::size_t at = all.find(text); at != std::string::npos;
             at = all.find(text, at + 1)) {
            ++count;
        }
        return count;
    }
    void wait_for_log(const std::string& text) {
        lichess.wait("the log says " + text, [&] { return times_logged(text) > 0; });
    }
    void wait_for_emits(const std::shared_ptr<Page>& page, std::size_t count = 1) {
        lichess.wait("there are lines", [&] { return page->emits.size() >= count; });
        CHECK(page->broken.empty());
    }
    int engine_told(const std::string& command) const {
        std::ifstream in{directory.path() / "engine.log"};
        int count = 0;
        for (std::string line; std::getline(in, line);) {
            count += line.starts_with(command) ? 1 : 0;
        }
        return count;
    }
};

} // namespace

TEST_CASE("lichess program: it registers with the least it can say, later changes that, and the "
          "secret is a new one") {
    Board board;
    board.start_and_poll();
    json first;
    board.lichess.wait("it is registered", [&] {
        first = board.lichess.engines.at(0);
        return true;
    });
    CHECK(first["name"] == "Adjourn");
    CHECK(first["maxThreads"] == 2);
    CHECK(first["variants"] == json::array({"chess"}));
    CHECK(first["providerSecret"].get<std::string>().size() == 64); // 256 bits
    CHECK(board.program->interrupt() == 0);
    board.start_and_poll();
    board.lichess.wait("it is one engine", [&] {
        CHECK(board.lichess.engines.size() == 1);
        CHECK(board.lichess.engines[0]["id"] == first["id"]);
        CHECK(board.lichess.engines[0]["providerSecret"] != first["providerSecret"]);
        for (const FakeLichess::Call& call : board.lichess.calls) { // the token is for the site
            CHECK(call.headers.contains("authorization") == !call.line.contains("/work"));
        }
        return true;
    });
    CHECK(board.program->interrupt() == 0);
    CHECK(board.logged().contains("registered as \"Adjourn\""));
    CHECK(board.logged().contains("registered again"));
    CHECK_FALSE(board.logged().contains(FakeLichess::good_token));
    CHECK_FALSE(board.logged().contains(first["providerSecret"].get<std::string>()));
}

TEST_CASE("lichess program: what was found is kept, and is the first answer next time, also of an "
          "engine that says nothing") {
    Board board;
    board.start_and_poll();
    // Of many evaluations: a line alone may be of a search that has not ended, which is not kept.
    const auto page = board.lichess.analyse(work_of_nodes({"e2e4", "e7e5"}));
    board.lichess.wait("the nodes are spent", [&] { return page->ended; });
    board.wait_for_emits(page);
    CHECK(page->emits.back().nodes > 0);
    CHECK(page->emits.back().depth > 0);
    const auto timed = board.lichess.analyse(work_of({"e2e4", "c7c5"}, 100));
    board.lichess.wait("the time is over", [&] { return timed->ended; });
    CHECK(timed->broken.empty());
    CHECK(board.program->interrupt() == 0);
    const auto data = board.directory.path() / "data";
    CHECK(storage::open_store(data, storage::OpenMode::read)->evaluation_count() > 0);
    CHECK(run_program({"check", "--data", data.string()}).code == 0);

    constexpr int never_ms = 3'600'000;
    board.config = write_config(board.directory.path(), 2, never_ms);
    board.start_and_poll();
    const auto again = board.lichess.analyse(work_of({"e2e4", "e7e5"}));
    board.wait_for_emits(again);
    CHECK(again->emits.front().depth > 0);
    CHECK(board.program->interrupt() == 0);
}

TEST_CASE("lichess program: several variations; depth and nodes end by themselves") {
    Board board;
    board.start_and_poll();
    json work = work_of({"d2d4"});
    work["multiPv"] = 3;
    const auto three = board.lichess.analyse(work);
    board.lichess.wait("three lines", [&] {
        return !three->emits.empty() && three->emits.back().variations.size() == 3;
    });
    CHECK(three->broken.empty());
    work = work_of_nodes({"d2d4"});
    work["multiPv"] = 3;
    const auto nodes = board.lichess.analyse(work);
    board.lichess.wait("the nodes are spent", [&] { return nodes->ended; });
    board.wait_for_emits(nodes);
    work.erase("nodes");
    work["depth"] = nodes->emits.back().depth + 1;
    const auto depth = board.lichess.analyse(work);
    board.lichess.wait("the depth is reached", [&] { return depth->ended; });
    board.wait_for_emits(depth);
    CHECK(depth->emits.back().depth >= work["depth"]);
    CHECK(three->ended); // by the newer one
    const auto mated = board.lichess.analyse(work_of({"f2f3", "e7e5", "g2g4", "d8h4"}));
    board.lichess.wait("it ends at once", [&] { return mated->ended; });
    CHECK(mated->lines.empty());
    CHECK(board.program->interrupt() == 0);
}

TEST_CASE("lichess program: a page that goes away ends its search, a newer work takes the place of "
          "the running one, another session is a new game") {
    Board board;
    board.start_and_poll();
    const auto first = board.lichess.analyse(work_of({"e2e4"}));
    board.wait_for_emits(first);
    const auto second = board.lichess.analyse(work_of({"d2d4"}));
    board.lichess.wait("the first ends", [&] { return first->ended; });
    board.wait_for_emits(second);
    CHECK_FALSE(second->ended);
    board.lichess.go_away(second);
    // The engines are told to stop, and nothing is asked any more.
    const auto searches = [&] { return board.engine_told("go"); };
    int before = -1;
    int same = 0;
    board.lichess.wait("nothing is asked", [&] {
        const int now = searches();
        same = now == before ? same + 1 : 0;
        before = now;
        return same > 100; // looks, ten milliseconds apart; a search takes five
    });
    const int games = board.engine_told("ucinewgame");
    const auto third = board.lichess.analyse(work_of({"c2c4"}, day_ms, "another"));
    board.wait_for_emits(third);
    CHECK(board.engine_told("ucinewgame") > games);
    const auto began = std::chrono::steady_clock::now();
    board.program->signal(SIGTERM);
    board.lichess.wait("the stream ends", [&] { return third->ended; });
    CHECK(board.program->interrupt() == 0);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{20});
}

TEST_CASE("lichess program: nonsense is left out, and the next work is served") {
    Board board;
    board.start_and_poll();
    const auto page = board.lichess.analyse(work_of({"e2e4"}));
    board.wait_for_emits(page);
    for (const char* text :
         {"", "{", "[[[[", R"({"id":"x"})", R"({"id":"x","work":{"sessionId":1}})"}) {
        board.lichess.hand_out(text);
    }
    json illegal = {{"id", "gone"}, {"work", work_of({"e2e5"})}};
    board.lichess.hand_out(illegal.dump());
    illegal["work"]["moves"] = {"g2g4"}; // legal, but nobody waits for it any more: 404
    board.lichess.hand_out(illegal.dump());
    const auto next = board.lichess.analyse(work_of_nodes({"c2c4"}));
    board.lichess.wait("the next is served", [&] { return next->ended; });
    board.wait_for_emits(next);
    CHECK(board.times_logged("is not understood") == 6);
    CHECK(board.logged().contains("'e2e5' is not legal"));
    CHECK_FALSE(board.logged().contains("404"));
    CHECK(board.program->interrupt() == 0);
}

TEST_CASE("lichess program: a token that does not do ends it, with what to do") {
    Board board;
    board.write_token("lip_unknown");
    const Finished unknown = run_program(board.words());
    CHECK(unknown.code == 1);
    CHECK(unknown.errors.contains("refuses the token (401: No such token)"));
    CHECK(unknown.errors.contains("/account/oauth/token/create?scopes[]=engine:read&scopes[]="
                                  "engine:write"));
    CHECK_FALSE(unknown.errors.contains("lip_unknown"));
    // A server that quotes what it was sent, cut anywhere.
    for (const std::size_t before : {0, 150, 188}) {
        const std::string quoting = "{\"error\":\"" + std::string(before, 'x') +
                                    " bad token Bearer lip_unknown, lip_unknown\"}";
        board.lichess.refuse("/api/external-engine ", "HTTP/1.1 403 Forbidden", 1, quoting);
        const Finished quoted = run_program(board.words());
        CAPTURE(quoted.errors);
        CHECK(quoted.code == 1);
        CHECK(quoted.errors.contains("refuses the token (403: "));
        CHECK_FALSE(quoted.errors.contains("lip_"));
    }
    board.write_token(FakeLichess::poor_token);
    const Finished poor = run_program(board.words());
    CHECK(poor.code == 1);
    CHECK(poor.errors.contains("403: Missing scope: engine:write"));

    std::filesystem::permissions(board.token, std::filesystem::perms::others_read,
                                 std::filesystem::perm_options::add);
    const Finished open = run_program(board.words());
    CHECK(open.code == 2);
    CHECK(open.errors.contains("chmod 600"));
    CHECK(open.errors.contains("/account/oauth/token/create"));
    CHECK(
        run_program({"lichess"}).errors.contains("https://lichess.org/account/oauth/token/create"));
    const Finished plain = run_program(
        {"lichess", "--url", "http://lichess.example", "--token-file", board.token.string()});
    CHECK(plain.code == 2);
    CHECK(plain.errors.contains("use https://"));
}

TEST_CASE("lichess program: servers that fail, are away or want a pause are asked again, which is "
          "told once") {
    Board board;
    board.lichess.refuse("/api/external-engine ", "HTTP/1.1 502 Bad Gateway", 2);
    board.start_and_poll();
    CHECK(board.times_logged("answers 502; it is tried again") == 1);
    board.lichess.refuse("/work ", "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1");
    board.wait_for_log("answers 429");
    const auto page = board.lichess.analyse(work_of({"e2e4"}));
    board.wait_for_emits(page);
    board.lichess.stop_listening();
    board.lichess.listen_again();
    const auto next = board.lichess.analyse(work_of_nodes({"d2d4"}));
    board.lichess.wait("it is served again", [&] { return next->ended; });
    board.wait_for_emits(next);
    // A stream that is not taken costs that work.
    board.lichess.refuse("/work/", "HTTP/1.1 503 Service Unavailable");
    const auto lost = board.lichess.analyse(work_of({"c2c4"}));
    board.wait_for_log("does not take what was found (503)");
    CHECK(lost->emits.empty());
    const auto last = board.lichess.analyse(work_of({"g1f3"}, 300));
    board.lichess.wait("the next is served", [&] { return last->ended; });
    CHECK(board.program->interrupt() == 0);
}

TEST_CASE("lichess program: it ends at a signal though the servers are away") {
    Board board;
    board.lichess.stop_listening();
    board.start_program();
    board.lichess.listen_again();
    board.lichess.wait("it has come", [&] { return board.lichess.polls > 0; });
    board.lichess.stop_listening();
    CHECK(board.program->interrupt() == 0);
    board.lichess.listen_again();
}
