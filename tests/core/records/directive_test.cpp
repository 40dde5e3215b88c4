#include "core/records/directive.hpp"
#include "test.hpp"

using namespace adjourn::server;

TEST_CASE("directives: each has a name of its own and survives the store's words") {
    const chess::Position position = chess::Position::initial();
    const chess::Move move = position.legal_moves()[0];
    const std::vector<Action> all{Include{move}, Exclude{move}, Clear{move}, Clear{},
                                  Deepen{7},     Now{},         Note{"x"},   Retract{12'345}};
    std::set<std::string_view> names;
    for (const Action& action : all) {
        const Directive said{3, position.packed(), {}, action, 99};
        const storage::DirectiveRecord record = record_of(said, analysis::AnalysisId{1});
        CHECK(record.action == name_of(action));
        CHECK(record.move == move_of(action));
        CHECK(directive_of(record) == said);
        names.insert(name_of(action));
    }
    CHECK(names == std::set(action_names().begin(), action_names().end()));
}

TEST_CASE(
    "directives: links and verifying survive the store's words, and say nothing about chess") {
    const chess::PackedPosition here = chess::Position::initial().packed();
    const std::string secret = "link-0123456789abcdef";
    for (const char* name : {"", "for Ann", " ", "a  b "}) {
        for (const std::int64_t file : {0, 12}) {
            CAPTURE(name, file);
            const Directive said{3, here, {}, Share{secret, name, file}, 99};
            const storage::DirectiveRecord record = record_of(said, analysis::AnalysisId{1});
            CHECK(record.action == "share");
            CHECK(directive_of(record) == said);
        }
    }
    const std::string long_one(65, 'a');
    for (const std::string& text :
         {std::string{}, std::string{" name"}, std::string{"short"}, long_one, secret + "_",
          secret + "/", secret + "/0", secret + "/-1", secret + "/x name"}) {
        CAPTURE(text);
        CHECK(make_action("share", {}, text).error() == "its text is no link");
    }
    for (const Verify work : {Verify{3, std::nullopt}, Verify{std::nullopt, 20'000}}) {
        const Directive verify{3, here, {}, work, 99};
        CHECK(directive_of(record_of(verify, analysis::AnalysisId{1})) == verify);
        CHECK(in_force({verify}).empty());
        CHECK_FALSE(last_said({verify}));
    }
    CHECK_FALSE(make_action("verify", {}, "hours 3"));
    CHECK_FALSE(make_action("verify", {}, "nodes"));
    std::vector<Directive> said{{1, here, {}, Note{"one"}, 10},
                                {2, here, {}, Share{secret, "a", 0}, 11},
                                {3, here, {}, Share{secret + "0", "b", 0}, 12}};
    CHECK(in_force(said).size() == 1);
    CHECK(links_in(said).size() == 2);
    CHECK(last_said(said) == 10);
    said.push_back({4, here, {}, Retract{11}, 13});
    REQUIRE(links_in(said).size() == 1);
    CHECK(links_in(said)[0]->action == Action{Share{secret + "0", "b", 0}});
    CHECK(last_said(said) == 10);
    said.push_back({5, here, {}, Retract{10}, 14});
    CHECK(last_said(said) == 14);
    CHECK_FALSE(last_said({{2, here, {}, Share{secret, "", 0}, 11}}));
}

TEST_CASE("directives: words that mean nothing are refused with the reason") {
    const chess::Move move = chess::Position::initial().legal_moves()[0];
    const auto trouble = [&](const char* name, const std::string& text) {
        const auto made = make_action(name, move, text);
        return made ? std::string{} : made.error();
    };
    CHECK(trouble("shout", "") == "its action is none");
    CHECK(make_action("include", {}, "").error() == "it names no move to include");
    CHECK(make_action("exclude", {}, "").error() == "it names no move to exclude");
    CHECK(make_action("clear", {}, "") == Action{Clear{}});
    CHECK(make_action("deepen", move, "") == Action{Deepen{2}});
    for (const char* plies : {"0", "101", "deep", "99999999999", "2 "}) {
        CHECK(trouble("deepen", plies) == "its text is no number of plies from 1 to 100");
    }
    for (const char* moment : {"", "now", "99999999999999999999"}) {
        CHECK(trouble("retract", moment) == "its text is no moment");
    }
}

TEST_CASE("directives: in force is what was not taken back where it was said, of any kind") {
    const chess::Position here = chess::Position::initial();
    const chess::Move move = here.legal_moves()[0];
    const chess::PackedPosition there = here.after(move).packed();
    std::vector<Directive> said{{1, here.packed(), {}, Exclude{move}, 10},
                                {2, here.packed(), {}, Note{"one"}, 11},
                                {3, here.packed(), {}, Note{"two"}, 12},
                                {4, there, {}, Note{"there"}, 11}};
    const auto ids = [](const std::vector<const Directive*>& list) {
        std::vector<std::int64_t> result;
        for (const Directive* each : list) {
            result.push_back(each->id);
        }
        return result;
    };
    using Ids = std::vector<std::int64_t>;
    CHECK(ids(in_force(said)) == Ids{1, 2, 3, 4});
    CHECK(ids(notes_of(said)) == Ids{2, 3, 4});
    said.push_back({5, here.packed(), {}, Retract{11}, 13});
    CHECK(ids(notes_of(said)) == Ids{3, 4});
    said.push_back({6, there, {}, Retract{10}, 14}); // there is none
    CHECK(ids(in_force(said)) == Ids{1, 3, 4});
    said.push_back({7, here.packed(), {}, Retract{10}, 15});
    CHECK(ids(in_force(said)) == Ids{3, 4});
}
