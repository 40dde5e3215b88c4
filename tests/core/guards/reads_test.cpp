// Reads: who waits for what hangs, and who does not.
#include "core/guards/reads.hpp"

#include "storage/open.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

using namespace adjourn::server;

namespace {

struct ReadingHouse {
    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);
    boost::asio::io_context core;
    base::TaskScope scope{core};
    boost::asio::thread_pool pool{Reads::threads};
    Health health{*store, {}};
    Reads reads{scope.poster(), health,
                [this](std::function<void()> task) { boost::asio::post(pool, std::move(task)); }};
    std::promise<void> go_on;
    std::shared_future<void> held{go_on.get_future()};
    std::map<std::string, std::optional<Trouble>> told;

    ~ReadingHouse() {
        go_on.set_value();
        pool.join();
        core.restart();
        core.run_for(std::chrono::milliseconds{20});
    }

    void ask(const std::string& place, bool hangs) {
        told.erase(place);
        reads.ask(
            place,
            [hangs, held = held] {
                if (hangs) {
                    held.wait();
                }
            },
            [this, place](const std::optional<Trouble>& trouble) { told[place] = trouble; });
    }
    // As the core's thread does it.
    const std::optional<Trouble>& answer(const std::string& place) {
        while (!told.contains(place)) {
            core.restart();
            core.run_for(std::chrono::milliseconds{20});
            reads.look_after();
        }
        return told[place];
    }
};

} // namespace

TEST_CASE("reads: what hangs is refused to those who want it, and the others are answered") {
    ReadingHouse house;
    house.ask("GET slow", true);
    house.ask("GET other", false);
    CHECK_FALSE(house.answer("GET other"));
    const auto trouble = house.answer("GET slow");
    REQUIRE(trouble);
    CHECK(trouble->kind == Trouble::Kind::late);
    CHECK_FALSE(house.health.store_silent());
    CHECK(house.health.store_problem().empty());
    house.ask("GET slow", false); // at once: it would have to wait for the same
    REQUIRE(house.told.contains("GET slow"));
    CHECK(house.told["GET slow"]->kind == Trouble::Kind::late);
    for (int i = 0; i < 3; ++i) {
        house.ask("GET other", false);
        CHECK_FALSE(house.answer("GET other"));
    }
    // Where all threads hang, nothing can be read.
    for (std::size_t i = 1; i < Reads::threads; ++i) {
        house.ask("GET slow " + std::to_string(i), true);
    }
    house.ask("GET waiting", false);
    REQUIRE(house.answer("GET waiting"));
    CHECK(house.health.store_silent());
    house.ask("GET last", false);
    REQUIRE(house.told["GET last"]);
    CHECK(house.told["GET last"]->kind == Trouble::Kind::store);
}
