// PITFALLS.md says which test stands for which pitfall: hold it to that.
#include "test.hpp"

namespace {

std::set<std::string> names_of_tests() {
    std::set<std::string> names;
    const auto& registry = Catch::getRegistryHub().getTestCaseRegistry();
    for (const Catch::TestCase& test : registry.getAllTests()) {
        names.insert(test.name);
    }
    return names;
}

} // namespace

TEST_CASE("every pitfall is listed, and every test it names exists") {
    std::ifstream file{ADJOURN_SOURCE_DIR "/tests/engine_bridge/PITFALLS.md"};
    REQUIRE(file);
    const std::set<std::string> tests = names_of_tests();
    std::set<std::string> named;
    int row = 0;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("| " + std::to_string(row + 1) + " |")) {
            continue;
        }
        ++row;
        for (std::size_t at = line.find("`pitfall "); at != line.npos;
             at = line.find("`pitfall ", at + 1)) {
            const std::string name = line.substr(at + 1, line.find('`', at + 1) - at - 1);
            CAPTURE(name);
            CHECK(tests.contains(name));
            CHECK(name.starts_with("pitfall " + std::to_string(row) + ":"));
            named.insert(name);
        }
    }
    CHECK(row == 40);
    for (const std::string& test : tests) {
        CAPTURE(test);
        CHECK((!test.starts_with("pitfall ") || named.contains(test)));
    }
}
