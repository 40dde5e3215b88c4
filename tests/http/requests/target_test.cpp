#include "http/requests/target.hpp"
#include "test.hpp"

using namespace adjourn::http;

namespace {

using Query = std::vector<std::pair<std::string, std::string>>;

Target parsed(std::string_view text) {
    const auto target = parse_target(text);
    REQUIRE(target);
    return *target;
}

ErrorCode target_error(std::string_view text) {
    const auto target = parse_target(text);
    REQUIRE_FALSE(target);
    CHECK_FALSE(target.error().message.empty());
    return target.error().code;
}

} // namespace

TEST_CASE("target: path and query are decoded") {
    CHECK(parsed("/") == Target{"/", {}});
    CHECK(parsed("/a%20b/c+d") == Target{"/a b/c+d", {}});
    CHECK(parsed("/a?b=c+d&e=%2B%26&f&=g&&h=i=j") ==
          Target{"/a", Query{{"b", "c d"}, {"e", "+&"}, {"f", ""}, {"", "g"}, {"h", "i=j"}}});
    CHECK(parsed("/%C3%A9?q=%E2%99%9E") == Target{"/é", Query{{"q", "♞"}}});
    CHECK(parsed("/a//b/") == Target{"/a//b/", {}});
    CHECK(parsed("/a?x=1%0A2") == Target{"/a", Query{{"x", "1\n2"}}});
    CHECK(parsed("/...a/..b") == Target{"/...a/..b", {}});
}

TEST_CASE("target: what cannot be decoded, or could mean two things, is bad_request") {
    for (const auto* text :
         {"",      "a",       "*",          "http://127.0.0.1/", "/a#b",      "/%",
          "/%4",   "/%zz",    "/a?b=%",     "/a?%g0=1",          "/%00",      "/a%0d%0ab",
          "/%ff",  "/%c0%af", "/%ed%a0%80", "/a?b=%ff",          "/a?b=%00",  "/a?%0a=b",
          "/..",   "/a/../b", "/./a",       "/%2e%2e/a",         "/a/%2E%2e", "/..%2fetc",
          "/a%2Fb"}) {
        CAPTURE(text);
        CHECK(target_error(text) == ErrorCode::bad_request);
    }
}

TEST_CASE("query reader: typed values with ranges") {
    Request request;
    request.query = {{"plies", "4"}, {"deep", "true"}, {"format", "epd"}, {"q", ""}};
    QueryReader query(request);
    CHECK(query.integer("plies", 1, 10) == 4);
    CHECK_FALSE(query.integer("limit", 1, 10));
    CHECK(query.boolean("deep") == true);
    CHECK(query.choice("format", {"pgn", "epd"}) == 1);
    CHECK(query.text("q") == "");
    CHECK(query.finish());
    for (const auto* text : {"", " 4", "4 ", "+4", "0x4", "4.0", "4e0", "99999999999999999999"}) {
        CAPTURE(text);
        request.query = {{"n", text}};
        CHECK_FALSE(QueryReader(request).integer("n", 0, 10));
    }
}

TEST_CASE("query reader: wrong values say what is right") {
    Request request;
    request.query = {{"plies", "11"}, {"deep", "yes"}, {"format", "doc"}};
    const auto refused = [&](const auto& read) {
        QueryReader query(request);
        CHECK_FALSE(read(query));
        (void)query.boolean("deep"); // only the first problem is told
        return query.finish().error();
    };
    CHECK(refused([](QueryReader& query) { return query.integer("plies", 1, 10); }) ==
          Error{ErrorCode::bad_value, "plies must be an integer between 1 and 10", "query.plies"});
    CHECK(refused([](QueryReader& query) { return query.boolean("deep"); }) ==
          Error{ErrorCode::bad_value, "deep must be true or false", "query.deep"});
    CHECK(refused([](QueryReader& query) {
              return query.choice("format", {"pgn", "epd"});
          }).message == "format must be one of pgn, epd");
    CHECK(refused([](QueryReader& query) { return query.required_text("q"); }) ==
          Error{ErrorCode::bad_request, "q is missing from the query", "query.q"});
}

TEST_CASE("query reader: unknown and repeated parameters are errors") {
    Request request;
    request.query = {{"a", "1"}, {"b", "2"}};
    QueryReader query(request);
    query.text("a");
    CHECK(query.finish().error() ==
          Error{ErrorCode::unknown_field, "the query has an unknown parameter b", "query.b"});
    query.text("b");
    CHECK(query.finish());
    request.query.emplace_back("a", "3");
    CHECK(query.finish().error().code == ErrorCode::bad_request);
}
