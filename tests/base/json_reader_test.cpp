#include "base/json_reader.hpp"
#include "test.hpp"

using namespace adjourn::base;
using nlohmann::json;
using Kind = JsonProblem::Kind;

namespace {

constexpr auto strict = JsonPolicy::strict;
constexpr auto lenient = JsonPolicy::lenient;

std::string first(const JsonObject& reader) {
    const auto all = reader.finish();
    return all.empty() ? "" : all.front().message;
}

} // namespace

TEST_CASE("json reader: all types") {
    const json body = json::parse(
        R"({"t":"x","i":-5,"n":1.5,"b":true,"c":"two","a":["p","q"],"o":{"z":0},"u":null})");
    const JsonObject reader{body, strict};
    CHECK(reader.at("t").text() == "x");
    CHECK(reader.at("i").integer(-5, 5) == -5);
    CHECK(reader.at("n").number(0, 2) == 1.5);
    CHECK(reader.at("b").boolean() == true);
    CHECK(reader.at("c").choice({"one", "two"}) == 1);
    const auto items = reader.at("a").items(2);
    CHECK(items.at(1).text() == "q");
    CHECK(items.at(1).path() == "a[1]");
    CHECK(reader.at("a").texts(2) == std::vector<std::string>{"p", "q"});
    CHECK(reader.at("o").object().at("z").integer(0, 0) == 0);
    CHECK(reader.has("u"));
    CHECK(reader.is_null("u"));
    CHECK_FALSE(reader.is_null("t"));
    const JsonValue absent = reader.find("absent");
    CHECK_FALSE(absent.there());
    CHECK_FALSE(absent.integer(0, 9));
    CHECK(absent.items(1).empty());
    CHECK(absent.object().empty());
    CHECK(reader.finish().empty());
}

TEST_CASE("json reader: problems name path and range") {
    const json body = json::parse(
        R"({"limit":{"depth":0,"big":18446744073709551615,"half":1.5},"moves":["e4",7]})");
    const JsonObject reader{body, strict};
    const auto limit = reader.at("limit").object();
    const auto last = [&] { return reader.problems().back(); };
    CHECK_FALSE(limit.at("depth").integer(1, 245));
    CHECK(last() == JsonProblem{Kind::wrong, "limit.depth must be an integer between 1 and 245",
                                "limit.depth"});
    CHECK_FALSE(limit.at("big").integer(0, std::numeric_limits<std::int64_t>::max()));
    CHECK_FALSE(limit.at("half").integer(0, 9));
    CHECK_FALSE(limit.at("half").number(2, 3));
    CHECK(last().message == "limit.half must be a number between 2.0 and 3.0");
    CHECK_FALSE(limit.at("none").text());
    CHECK(last() == JsonProblem{Kind::missing, "limit.none is missing", "limit.none"});
    CHECK_FALSE(reader.at("moves").items(9).at(1).text());
    CHECK(last() == JsonProblem{Kind::wrong, "moves[1] must be text", "moves[1]"});
    CHECK(reader.at("moves").items(1).empty());
    CHECK(last().message == "moves must be an array of at most 1 items");
    CHECK_FALSE(limit.at("depth").boolean());
    CHECK(last().message == "limit.depth must be true or false");
    CHECK_FALSE(limit.at("depth").choice({"one", "two"}));
    CHECK(last().message == "limit.depth must be one of one, two");
    CHECK(reader.finish().front().where == "limit.depth");
}

TEST_CASE("json reader: unknown fields at any depth are found") {
    const json body = json::parse(R"({"a":{"b":1,"c":2},"d":[{"e":1,"f":2}]})");
    const JsonObject reader{body, strict};
    const auto inner = reader.at("a").object();
    CHECK(inner.at("b").integer(0, 9));
    CHECK(reader.finish().front() == JsonProblem{Kind::unknown, "there is no field d", "d"});
    const auto item = reader.at("d").items(9).at(0).object();
    CHECK(reader.finish().front().where == "a.c");
    CHECK(inner.at("c").integer(0, 9));
    CHECK(reader.finish().front().where == "d[0].e");
    CHECK(inner.finish().front().where == "d[0].e");
    CHECK(reader.at("d").items(9).at(0).object().at("e").integer(0, 9));
    CHECK(reader.finish().front().where == "d[0].f");
}

TEST_CASE("json reader: a value of the wrong kind acts as an empty object") {
    for (const auto* text : {"[]", "1", "null", "\"x\""}) {
        CAPTURE(text);
        const json body = json::parse(text);
        const JsonObject reader{body, strict};
        CHECK_FALSE(reader.find("a").text());
        CHECK(first(reader) == "the body must be an object");
        CHECK(first(JsonObject{body, lenient}) == "it must be an object");
    }
    const json body = json::parse(R"({"limit":3,"name":null})");
    const JsonObject reader{body, strict};
    CHECK_FALSE(reader.at("limit").object().find("depth").integer(1, 9));
    CHECK(first(reader) == "limit must be an object");
    const JsonObject other{body, strict};
    CHECK(other.at("position").object().empty());
    CHECK(other.finish().front().kind == Kind::missing);
    const JsonObject third{body, strict};
    CHECK_FALSE(third.find("name").text()); // null is a value, not an absence
    CHECK(first(third) == "name must be text");
}

TEST_CASE("json reader: where it is lenient, numbers and lists are cut to what may be") {
    const json body = json::parse(R"({"big":18446744073709551615,"low":-3,"high":2.5,
        "texts":["a",1,"b","c"],"word":"x"})");
    const JsonObject reader{body, lenient};
    CHECK(reader.find("big").integer(0, 9) == 9);
    CHECK(reader.find("low").integer(0, 9) == 0);
    CHECK(reader.find("high").number(0, 2) == 2.0);
    CHECK(reader.find("texts").items(2).size() == 2);
    CHECK(reader.find("texts").texts(3) == std::vector<std::string>{"a", "b"});
    CHECK_FALSE(reader.find("word").integer(0, 9));
    CHECK(reader.problems().size() == 7);
    CHECK(reader.problems()[1].message == "low must be an integer between 0 and 9");
    const json nan{{"n", std::numeric_limits<double>::quiet_NaN()}};
    CHECK_FALSE(JsonObject(nan, lenient).find("n").number(0, 2));
}
