// Requests of every call that the description names, right and wrong: each gets an answer that it
// names, too. (fuzz_routes searches further.)
#include "described_server.hpp"
#include "test.hpp"

using namespace adjourn::server;

TEST_CASE("described requests: whatever is asked, the answer is one that the description names") {
    DescribedServer server;
    std::map<int, std::size_t> answers;
    std::mt19937 random{20'261'123};
    for (int i = 0; i < 150; ++i) {
        std::vector<std::uint8_t> bytes(400);
        std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
        const std::string wrong = server.run(bytes, answers);
        INFO("input " << i);
        REQUIRE(wrong == "");
    }
    // It reaches what it is to test.
    for (const int status : {200, 201, 204, 400, 404}) {
        CAPTURE(status);
        CHECK(answers[status] >= 10);
    }
}
