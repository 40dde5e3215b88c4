// GET /metrics against the rules of the text format:
// prometheus.io/docs/instrumenting/exposition_formats.
#include "api_fixture.hpp"

#include <regex>

namespace {

// Samples by name and labels, as text.
std::map<std::string, std::string> samples_of(const std::string& text) {
    static const std::regex comment{R"(# (HELP|TYPE) ([a-z_]+) (.+))"};
    static const std::regex sample{
        R"(([a-z_]+)(\{[a-z_]+="(?:[^"\\]|\\.)*"(?:,[a-z_]+="(?:[^"\\]|\\.)*")*\})? (-?[0-9.e+-]+))"};
    std::map<std::string, std::string> samples;
    std::set<std::string> families;
    std::string family;
    std::string type;
    std::istringstream lines{text};
    CHECK(text.back() == '\n');
    for (std::string line; std::getline(lines, line);) {
        INFO(line);
        std::smatch match;
        if (std::regex_match(line, match, comment)) {
            if (match[1] == "HELP") {
                family = match[2];
                CHECK(families.insert(family).second); // each family once, in one piece
            } else {
                CHECK(match[2] == family);
                type = match[3];
                CHECK((type == "gauge" || type == "counter" || type == "histogram"));
                CHECK((type == "counter") == family.ends_with("_total"));
            }
            continue;
        }
        REQUIRE(std::regex_match(line, match, sample));
        const std::string name = match[1];
        if (type == "histogram") {
            const std::string part = name.substr(std::min(family.size(), name.size()));
            CHECK(name.starts_with(family));
            CHECK((part == "_sum" || part == "_count" || part == "_bucket"));
        } else {
            CHECK(name == family);
        }
        CHECK(samples.emplace(match[1].str() + match[2].str(), match[3]).second);
    }
    return samples;
}

} // namespace

TEST_CASE("metrics: families, types and samples by the rules of the format") {
    ApiFixture f;
    const auto of = [&] {
        const http::Response response = f.api({http::Method::get, "/metrics", {}, {}, ""});
        REQUIRE(response.status == 200);
        CHECK(response.content_type == "text/plain; version=0.0.4; charset=utf-8");
        return samples_of(response.body);
    };
    const auto before = of();
    CHECK(before.at("adjourn_store_up") == "1");
    CHECK(before.at("adjourn_evaluations_stored") == "0");
    CHECK(before.at("adjourn_analyses{state=\"settled\"}") == "0");
    f.settle(f.post(ApiFixture::wanted(nlohmann::json::object())));
    const auto after = of();
    CHECK(after.at("adjourn_analyses{state=\"settled\"}") == "1");
    CHECK(after.at("adjourn_questions_in_flight") == "0");
    CHECK(std::stoi(after.at("adjourn_evaluations_stored")) > 0);
    CHECK(std::stoi(after.at("adjourn_store_writes_total")) >=
          std::stoi(after.at("adjourn_evaluations_stored")));

    // The commits are a histogram.
    const std::string name = "adjourn_store_commit_seconds";
    int last = 0, buckets = 0;
    for (const char* end : {"0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1",
                            "0.25", "0.5", "1", "2.5", "10", "+Inf"}) {
        const int now = std::stoi(after.at(name + "_bucket{le=\"" + end + "\"}"));
        CHECK(now >= last); // each has those before it
        last = now;
        ++buckets;
    }
    CHECK(std::stoi(after.at(name + "_count")) == last);
    CHECK(std::stod(after.at(name + "_sum")) > 0);
    CHECK(std::ranges::count_if(after, [&](const auto& sample) {
              return sample.first.starts_with(name + "_bucket");
          }) == buckets); // there are no others
}
