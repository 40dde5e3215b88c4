// All notes of an analysis, and what of comments becomes one.
#include "api_fixture.hpp"

#include "exported.hpp"

using http::Method;

namespace {

struct NotesFixture : OneAnalysis {
    NotesFixture() : OneAnalysis{wanted({{"moves", {"e2e4"}}})} {}

    // When it was said.
    json note(const json& moves, const std::string& text) {
        return say({{"moves", moves}, {"action", "note"}, {"text", text}})["at"];
    }
    // "e5 Nf3: text" each.
    std::vector<std::string> notes(const std::string& query = "") {
        std::vector<std::string> all;
        const json answer = get(path("/notes" + query));
        for (const json& each : answer["notes"]) {
            std::string line;
            for (const json& move : each["line"]) {
                line += move["san"].get<std::string>() + " ";
            }
            all.push_back(line + ": " + each["text"].get<std::string>());
        }
        return all;
    }
    json import(const std::string& pgn) {
        const json done = ask_text(
            Method::post, "/import?format=pgn&name=file.pgn&analysis=" + std::to_string(id), pgn);
        core.core->look_after();
        core.context.poll();
        return done;
    }
};

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("api: all notes of an analysis, with their lines, and searched") {
    NotesFixture f;
    CHECK(f.notes().empty());
    f.note(json::array(), "The Start");
    const json at = f.note({"e7e5", "g1f3"}, "a knight");
    f.note({"e7e5", "g1f3"}, "start again");
    CHECK(f.notes() == Texts{": The Start", "e5 Nf3 : a knight", "e5 Nf3 : start again"});
    CHECK(f.notes("?search=START") == Texts{": The Start", "e5 Nf3 : start again"});
    CHECK(f.notes("?search=start%20again") == Texts{"e5 Nf3 : start again"});
    CHECK(f.notes("?search=bishop").empty());
    json back{{"moves", {"d7d5"}}, {"action", "retract"}, {"at", at}};
    f.refuse(Method::post, f.path("/directives"), back, 409, "conflict", "at"); // not said there
    back["moves"] = {"e7e5", "g1f3"};
    f.say(back);
    f.refuse(Method::post, f.path("/directives"), back, 409, "conflict", "at"); // no more
    CHECK(f.send(Method::get, f.path("/export")).body.find("a knight") == std::string::npos);
    CHECK(f.notes() == Texts{": The Start", "e5 Nf3 : start again"});
}

TEST_CASE("api: imported comments become notes, once, and are exported again with what was drawn") {
    NotesFixture f;
    const std::string pgn = "[Event \"?\"]\n\n{before} 1. e4 {the root [%clk 1:00:00]} e5 "
                            "{[%eval 0.2] solid [%csl Gd4][%cal Re7e5,Xa1a2]} "
                            "({instead} 1... c5 {open} 2. Nf3 {[%clk 0:59:00]}) 2. Nf3 "
                            "{+0.31/12 0.5s} *\n";
    CHECK(f.import(pgn)["notes"]["added"] == 4);
    const Texts expected{": the root", "e5 : [%csl Gd4] [%cal Re7e5] solid", "c5 : instead",
                         "c5 : open"};
    CHECK(f.notes() == expected);
    CHECK(f.import(pgn)["notes"]["added"] == 0);
    CHECK(f.notes() == expected);
    f.settle(f.id);
    const AnalysisRun& run = f.run_of(f.id);
    ExportLimits limits;
    limits.pgn.from_game = true;
    limits.pgn.arrows = true;
    limits.margin = 100'000;
    const std::string out = exported("pgn", *f.core.core, run, {}, limits);
    CAPTURE(out);
    CHECK(out.find("{the root}") != std::string::npos);
    CHECK(out.find("[%csl Gd4] [%cal Re7e5]") != std::string::npos);

    NotesFixture g; // into another analysis: the same notes, and none of the rest
    g.import(out);
    Texts came = g.notes();
    CHECK(std::ranges::find(came, expected[0]) != came.end());
    CHECK(std::ranges::find(came, expected[1]) != came.end());
    for (const std::string& each : came) {
        CAPTURE(each);
        CHECK(each.find("estimate") == std::string::npos);
    }
}
