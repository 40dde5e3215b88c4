#include "core/records/strategy_json.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::server;
using nlohmann::json;

TEST_CASE("value json: a limit is read back as it was written") {
    using Kind = analysis::Limit::Kind;
    for (const LimitField& field : limit_fields) {
        for (const std::int64_t amount : {std::int64_t{1}, field.most}) {
            const analysis::Limit limit{field.kind, static_cast<std::uint64_t>(amount)};
            CHECK(limit_json(limit) == json{{field.name, amount}});
            CHECK(parse_limit_json(limit_json(limit)) == limit);
        }
    }
    CHECK(parse_limit_json({{"depth", 8}, {"remark", "x"}}) == analysis::Limit{Kind::depth, 8});
}

TEST_CASE("value json: what is no limit, or more than one, is none") {
    for (const char* text :
         {"null", "[]", "8", "\"depth\"", "{}", R"({"depth":0})", R"({"depth":-3})",
          R"({"depth":246})", R"({"depth":8.0})", R"({"depth":"8"})", R"({"depth":null})",
          R"({"nodes":1000000000001})", R"({"nodes":18446744073709551615})",
          R"({"movetime_ms":86400001})", R"({"depth":8,"nodes":8})"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_limit_json(json::parse(text)));
    }
}
