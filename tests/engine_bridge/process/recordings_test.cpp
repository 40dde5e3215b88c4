// Everything that real engines said in the recordings, through the codec and the session.
#include "recording.hpp"

#include "engine_bridge/process/option_plan.hpp"
#include "engine_bridge/process/text.hpp"
#include "shared_data.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
using adjourn::chess::Score;

namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::vector<std::string> lines;
    std::ifstream file{path, std::ios::binary};
    std::string line;
    while (std::getline(file, line)) {
        lines.push_back(line);
    }
    return lines;
}

} // namespace

TEST_CASE("recordings: every line has the meaning its first word says") {
    std::size_t checked = 0;
    for (const Recording& recording : recordings()) {
        for (const Recording::Line& line : recording.lines) {
            if (line.direction != '<') {
                continue;
            }
            CAPTURE(recording.name, line.text);
            ++checked;
            const uci::Line parsed = uci::parse(line.text);
            const auto has_words = [&](const char* words) {
                return line.text.find(words) != line.text.npos;
            };
            if (line.text.starts_with("info ")) {
                REQUIRE(std::holds_alternative<uci::Info>(parsed));
                const uci::Info& info = std::get<uci::Info>(parsed);
                const bool text = has_words("info string");
                CHECK(info.progress != text);
                CHECK(info.score.has_value() == (!text && has_words(" score ")));
                CHECK(info.depth.has_value() == (!text && has_words(" depth ")));
                CHECK(info.nodes.has_value() == (!text && has_words(" nodes ")));
                CHECK(info.pv.empty() == (text || !has_words(" pv ")));
                CHECK((info.bound != adjourn::chess::Bound::exact) == has_words("bound"));
            } else if (line.text.starts_with("option name ")) {
                REQUIRE(std::holds_alternative<uci::Option>(parsed));
                const uci::Option& option = std::get<uci::Option>(parsed);
                CHECK(line.text.starts_with("option name " + option.name + " type "));
                const bool spin = option.type == uci::Option::Type::spin;
                CHECK(option.min.has_value() == spin);
                CHECK(option.max.has_value() == spin);
                CHECK(option.values.empty() == (option.type != uci::Option::Type::combo));
            } else if (line.text.starts_with("bestmove")) {
                CHECK(std::holds_alternative<uci::BestMove>(parsed));
            } else if (line.text == "uciok") {
                CHECK(std::holds_alternative<uci::UciOk>(parsed));
            } else if (line.text == "readyok") {
                CHECK(std::holds_alternative<uci::ReadyOk>(parsed));
            } else if (line.text.starts_with("id ")) {
                CHECK(std::holds_alternative<uci::Id>(parsed));
            } else {
                CHECK(std::holds_alternative<uci::Other>(parsed));
            }
        }
    }
    CHECK(checked > (adjourn::has_all_data() ? 15'000 : 1'000));
}

TEST_CASE("recordings: every legal search replays to one result with a legal PV") {
    std::map<std::string, int> answers;
    for (const Recording& recording : recordings()) {
        if (recording.name.ends_with("go_twice")) {
            continue; // a second go in mid-search: no session of ours is like that
        }
        for (const Replayed& replayed : replay(recording)) {
            CAPTURE(recording.name, replayed.search.position.fen());
            if (!replayed.result) {
                // Only where the engine died of its input or was deadlocked on purpose.
                CHECK((recording.name.find("illegal") != std::string::npos ||
                       recording.name.find("eof") != std::string::npos ||
                       recording.name == "stockfish-npm_quit_midsearch" || // the last word
                       recording.name == "gnuchess_repetition" || // 1,000 plies were too many
                       recording.name.find("syzygy") != std::string::npos));
                continue;
            }
            const Result& result = *replayed.result;
            if (!replayed.search.position.has_legal_move()) {
                CHECK_FALSE(result);
                continue;
            }
            if (!result) {
                CAPTURE(result.error().reason);
                const std::string engine = recording.engine();
                const bool ignores =
                    engine == "ethereal" || engine == "gnuchess" || engine == "toga2";
                CHECK(ignores);
                continue;
            }
            ++answers[recording.engine()];
            REQUIRE(result->score);
            CHECK(result->bound == adjourn::chess::Bound::exact);
            CHECK(result->depth > 0);
            CHECK(result->nodes > 0);
            REQUIRE_FALSE(result->pv.empty());
            CHECK(result->pv.front() == result->move);
            adjourn::chess::Position at = replayed.search.position;
            for (const adjourn::chess::Move move : result->pv) {
                REQUIRE(at.is_legal(move));
                at.play(move);
            }
        }
    }
    CHECK(answers.size() == 7);
    CHECK(answers["stockfish-npm"] == 8); // all are here
    answers.erase("stockfish-npm");
    for (const auto& [engine, count] : answers) {
        CAPTURE(engine, count);
        CHECK(count >= (adjourn::has_all_data() ? 9 : 1)); // Ethereal; it refuses limits of nodes
    }
}

TEST_CASE("pitfall 40: npm's Stockfish has one thread, keeps to its limit, and ends on a bound") {
    Session session{{"npm", {"x"}, {{"Threads", "1"}, {"Hash", "16"}}, 1, false}, {}};
    session.start({});
    const Recording talk = recording("stockfish-npm_wdl");
    for (const Recording::Line& line : talk.lines) {
        if (line.direction == '<' && session.state() != Session::State::idle) {
            session.line(line.text, {});
        }
    }
    auto report = session.take_report();
    REQUIRE(report);
    const Identity& identity = std::get<Identity>(*report);
    CHECK(identity.name == "Stockfish 19 WASM");
    CHECK(identity.network == "nn-1a298aa575a0.nnue");
    CHECK_FALSE(takes_threads(identity)); // its option has no other value than 1
    CHECK(replay(talk).at(0).result->value().wdl.has_value());

    for (const Replayed& replayed : replay(recording("stockfish-npm_det_startpos"))) {
        CHECK(replayed.info_with_score.back().find("lowerbound") != std::string::npos);
        CHECK(replayed.result->value().bound == adjourn::chess::Bound::exact);
        CHECK(replayed.result->value().nodes == 50'001);
    }
    CHECK(replay(recording("stockfish-npm_mated")).size() == 2);
    CHECK_FALSE(replay(recording("stockfish-npm_quit_midsearch")).at(0).result.has_value());
}

TEST_CASE("recordings: the same search after ucinewgame gives the same answer") {
    for (const auto& [name, score] : {std::pair{"stockfish_det_startpos", Score::cp(40)},
                                      std::pair{"stockfish-npm_det_startpos", Score::cp(27)}}) {
        CAPTURE(name);
        const auto replayed = replay(recording(name));
        REQUIRE(replayed.size() >= 3);
        for (std::size_t i = 1; i < 3; ++i) {
            CHECK(replayed[i].result->value().score == replayed[0].result->value().score);
            CHECK(replayed[i].result->value().pv == replayed[0].result->value().pv);
            CHECK(replayed[i].result->value().nodes == replayed[0].result->value().nodes);
        }
        CHECK(replayed[0].result->value().score == score);
    }
}

TEST_CASE("recordings: logs from issue trackers parse, torn lines and huge counters too") {
    const std::filesystem::path uci_data = adjourn::data_root() / "uci";
    std::size_t scores = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{uci_data}) {
        if (entry.path().extension() != ".txt") {
            continue;
        }
        for (const std::string& line : lines_of(entry.path())) {
            const std::size_t start = line.find("info "); // behind the log's own prefix
            const std::string_view text =
                std::string_view{line}.substr(start == line.npos ? 0 : start);
            const uci::Line parsed = uci::parse(text);
            if (const auto* const info = std::get_if<uci::Info>(&parsed); info && info->score) {
                ++scores;
            }
        }
    }
    CHECK(scores > (adjourn::has_all_data() ? 60 : 12));

    const auto huge = lines_of(uci_data / "github_issues/cfish_45_huge_counters_stop.txt");
    const auto info = std::get<uci::Info>(uci::parse(huge.at(1)));
    CHECK(info.nodes == 4603616284472ULL);
    CHECK(info.tbhits == 31002107665ULL);
    CHECK(info.pv.back() == "c5d3");

    // "chunk: …" lines hold one read() each, with line ends written out.
    LineBuffer buffer;
    std::vector<std::string> torn;
    for (std::string chunk :
         lines_of(uci_data / "github_issues/nodeuci_9_komodo_split_writes.txt")) {
        if (!chunk.starts_with("chunk: ")) {
            continue;
        }
        chunk.erase(0, 7);
        for (std::size_t at = chunk.find("\\n"); at != chunk.npos; at = chunk.find("\\n")) {
            chunk.replace(at, 2, "\n");
        }
        for (const std::string_view line : buffer.feed(chunk).lines) {
            torn.emplace_back(line);
        }
    }
    REQUIRE(torn.size() >= 4);
    CHECK(std::get<uci::BestMove>(uci::parse(torn.at(1))).move == "f8e6");
    const uci::Line bound = uci::parse(torn.at(2));
    CHECK(std::get<uci::Info>(bound).score == uci::RawScore{uci::Centipawns{-39}});
    CHECK(std::get<uci::Info>(bound).bound == adjourn::chess::Bound::upper);
    CHECK(std::get<uci::Info>(bound).nps == 10165466);
}
