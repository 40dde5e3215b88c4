#include "base/json_reader.hpp"
#include "http/requests/message.hpp"
#include "test.hpp"

using namespace adjourn::http;
using nlohmann::json;

namespace {

Error refused(std::string_view text) {
    const auto value = parse_json(text);
    REQUIRE_FALSE(value);
    CHECK(value.error().code == ErrorCode::bad_json);
    CHECK(value.error().where == "body");
    return value.error();
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

} // namespace

TEST_CASE("json: a syntax error names line and column") {
    CHECK(refused("{\n  \"a\": 1,\n  \"b\" 2\n}")
              .message.starts_with("the body is not JSON at line 3, column 7: "));
    CHECK(refused("x").message.starts_with("the body is not JSON at line 1, column 1: "));
    CHECK(refused("{\"a\":1").message.starts_with("the body is not JSON at line 1, column 7: "));
    CHECK(refused("").message == "the body is empty where JSON is expected");
}

TEST_CASE("json: what a lenient parser would let pass") {
    for (const auto* text : {"{} {}", "[1,]", "{'a':1}", "{\"a\":1,\"a\":2}", "[1] // x", "NaN",
                             "1e999", "\"\xff\"", "{\"a\":{\"b\":1,\"b\":1}}", " ", "01"}) {
        CAPTURE(text);
        refused(text);
    }
    CHECK(parse_json("[{\"a\":1},{\"a\":1}]")); // one name in two objects
    CHECK(parse_json(" {\"a\":[null,true,-1.5e3,\"\\u265e\"]}\n"));
}

TEST_CASE("json: nesting and size are bounded") {
    CHECK(parse_json(nested(adjourn::base::max_json_depth)));
    CHECK(
        refused(nested(adjourn::base::max_json_depth + 1)).message.find("nested deeper than 64") !=
        std::string::npos);
    refused(std::string(5'000'000, '['));
    std::string wide = "[0";
    for (int i = 0; i < 1'000'000; ++i) {
        wide += ",0";
    }
    CHECK(refused(wide + "]").message.find("more than 1000000 values") != std::string::npos);
}

TEST_CASE("json: what is parsed is what was sent") {
    for (const auto* text :
         {"{}", "[]", "null", "\"x\"", "-7", "18446744073709551615", "1.5", "[[],{},[{}]]",
          R"({"a":{"b":[1,{"c":[true,null]},2],"d":"x"},"e":[[[]]],"f":{"a":{}}})"}) {
        CAPTURE(text);
        CHECK(parse_json(text).value() == json::parse(text));
    }
}

TEST_CASE("json: a name that comes again is found however many there are") {
    std::string text = "{";
    for (int i = 0; i < 9'000; ++i) {
        text += "\"name" + std::to_string(i) + "\":{\"a\":1},";
    }
    CHECK(parse_json(text + "\"last\":0}"));
    CHECK(refused(text + "\"name17\":0}").message ==
          "the body has the name \"name17\" twice in one object");
}

TEST_CASE("json: a call's body has 10,000 values at most") {
    std::string moves = "{\"moves\":[\"e2e4\"";
    for (int i = 1; i < 2'000; ++i) {
        moves += ",\"e2e4\"";
    }
    CHECK(parse_call(moves + "]}")->value); // the largest that a call needs
    std::string wide = "[0";
    for (int i = 2; i < 10'000; ++i) {
        wide += ",0";
    }
    CHECK(parse_call(wide + "]")->value);
    const auto refusal = parse_call(wide + ",0]")->value;
    REQUIRE_FALSE(refusal);
    CHECK(refusal.error().code == ErrorCode::bad_json);
    CHECK(refusal.error().message == "the body has more than 10000 values");
}

TEST_CASE("json: the first problem of a body is its error") {
    const auto error = [](const char* text) {
        const json body = json::parse(text);
        const adjourn::base::JsonObject reader{body, adjourn::base::JsonPolicy::strict};
        (void)reader.at("depth").integer(1, 245);
        return finished(reader).error();
    };
    CHECK(error(R"({"depth":0,"more":1})") ==
          Error{ErrorCode::bad_value, "depth must be an integer between 1 and 245", "depth"});
    CHECK(error("{}") == Error{ErrorCode::bad_request, "depth is missing", "depth"});
    CHECK(error(R"({"depth":1,"more":1})") ==
          Error{ErrorCode::unknown_field, "there is no field more in this request", "more"});
    CHECK(error("[]") == Error{ErrorCode::bad_value, "the body must be an object", "body"});
}
