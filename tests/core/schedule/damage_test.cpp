// A page of the store is destroyed, or a bit of it is another: whatever is lost is told, and
// nothing that is there is shown as another.
#include "core_fixture.hpp"

namespace adjourn::server {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t page_size = 4'096;

std::string read_whole(const fs::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

// What people see of an analysis.
std::string seen(const AnalysisRun& run) {
    std::ostringstream text;
    text << run.record.name << ' ' << run.directives.size() << ' ' << run.snapshots.size() << ' '
         << run.usage.nodes;
    if (run.slot != nullptr) {
        const auto value = run.slot->graph().game_value(run.root_node);
        text << ' ' << (value ? std::to_string(value->encode()) : "") << ' '
             << Planner::expanded_positions(run);
    }
    return text.str();
}

struct State {
    std::vector<std::string> analyses;
    std::set<std::string> facts;
    std::uint64_t count = 0;
    friend bool operator==(const State&, const State&) = default;
};

State state_of(const CoreFixture& fixture) {
    State state;
    for (const auto& run : fixture.core->queue().runs()) {
        state.analyses.push_back(seen(*run));
    }
    for (const storage::EngineRecord& engine : fixture.store->engines()) {
        try {
            const auto facts = facts_of(*fixture.store, engine.id);
            state.facts.insert(facts.begin(), facts.end());
        } catch (const storage::StoreError&) {
            continue; // what is not read is missed
        }
    }
    try {
        state.count = fixture.store->evaluation_count();
    } catch (const storage::StoreError&) {
        return state;
    }
    return state;
}

// Three analyses that have settled, with what people said of them.
class Grown {
public:
    Grown() {
        {
            CoreFixture fixture{directory.path(), bench};
            std::vector<analysis::AnalysisId> ids;
            for (const char* moves : {"e2e4 e7e5", "d2d4 d7d5", "c2c4"}) {
                ids.push_back(fixture.create(moves, 1, 20));
                const auto moves_there = fixture.run(ids.back()).root.legal_moves();
                fixture.direct(ids.back(), {moves_there[0]}, "include");
                fixture.direct(ids.back(), {moves_there[1]}, "include");
                fixture.direct(ids.back(), {moves_there[2]}, "exclude");
                fixture.direct(ids.back(), {}, "note", std::string(200, 'n').c_str());
            }
            for (const auto id : ids) {
                fixture.settle(id);
            }
        }
        whole = read_whole(file());
        fs::remove(directory.path() / "acknowledged"); // else it would tell of what is to be found
        CoreFixture fixture{directory.path(), bench};
        state = state_of(fixture);
        REQUIRE(state.analyses.size() == 3);
        REQUIRE(fixture.core->health().store_problem() == "");
    }
    std::size_t pages() const { return whole.size() / page_size; }
    fs::path file() const { return directory.path() / "adjourn.db"; }

    TemporaryDirectory directory;
    Bench bench;
    std::string whole;
    State state;
};

struct Tally {
    std::size_t refused = 0, told = 0;
};

// Opens what is left of the store.
void try_damaged(const Grown& grown, const std::string& damaged, Tally& tally) {
    const TemporaryDirectory directory;
    std::ofstream{directory.path() / "adjourn.db", std::ios::binary} << damaged;
    Bench bench;
    try {
        const CoreFixture fixture{directory.path(), bench};
        const State state = state_of(fixture);
        const Core& core = *fixture.core;
        const bool well =
            core.health().store_problem().empty() && core.health().unreadable().empty();
        INFO("problem: " << core.health().store_problem() << " | " << core.health().unreadable());
        CAPTURE(core.health().set_aside());
        for (const std::string& fact : state.facts) { // nothing is made up
            REQUIRE(grown.state.facts.contains(fact));
        }
        if (state == grown.state && well && core.health().set_aside().empty()) {
            return;
        }
        ++tally.told;
        REQUIRE((!well || !core.health().set_aside().empty()));
        if (well) { // rows that prove themselves no more: fewer of them, and that is told
            REQUIRE(state.analyses.size() == grown.state.analyses.size());
            REQUIRE(state.count == grown.state.count);
        }
    } catch (const storage::StoreError& error) {
        REQUIRE_FALSE(std::string{error.what()}.empty());
        ++tally.refused;
    }
    std::string found;
    try {
        const auto store = storage::open_store(directory.path(), storage::OpenMode::read);
        for (const std::string& finding : store->check()) {
            found += finding + '\n';
        }
    } catch (const storage::StoreError& error) {
        found = error.what();
    }
    REQUIRE_FALSE(found.empty());
}

Tally destroy_pages(const Grown& grown, bool zeroed) {
    Tally tally;
    for (std::size_t page = 0; page < grown.pages(); ++page) {
        const std::size_t type = page * page_size + (page == 0 ? 100 : 0);
        std::string damaged = grown.whole;
        damaged[type] = static_cast<char>(damaged[type] ^ 0xff);
        if (zeroed) {
            std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(page * page_size), page_size,
                        '\0');
        }
        CAPTURE(page, zeroed);
        try_damaged(grown, damaged, tally);
    }
    return tally;
}

Tally flip_bits(const Grown& grown, std::size_t count) {
    std::mt19937_64 random{2'026};
    Tally tally;
    for (std::size_t tried = 0; tried < count;) {
        const std::size_t byte = random() % grown.whole.size();
        const auto bit = static_cast<int>(random() % 8);
        // The heads of pages, too, which are a small part of them.
        const std::size_t at = tried % 3 == 0 ? byte / page_size * page_size + byte % 12 : byte;
        if (grown.whole[at] == 0 && random() % 4 != 0) {
            continue; // mostly free room
        }
        std::string damaged = grown.whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
        CAPTURE(at, at / page_size, at % page_size, bit);
        ++tried;
        try_damaged(grown, damaged, tally);
    }
    return tally;
}

} // namespace

TEST_CASE("damage: a page that is destroyed makes nothing vanish untold") {
    const Grown grown;
    const Tally tally = destroy_pages(grown, false);
    CHECK(tally.told > grown.pages() / 3);
    CHECK(tally.refused < 6); // the first page, and what no server could work with
}

TEST_CASE("damage: a bit that is another makes nothing vanish untold") {
    const Tally tally = flip_bits(Grown{}, 30);
    CHECK(tally.told > 5);
}

TEST_CASE("damage: every page, and 2,000 bits", "[.][deep]") {
    const Grown grown;
    CHECK(destroy_pages(grown, true).told > grown.pages() / 3);
    CHECK(flip_bits(grown, 2'000).told > 200);
}

} // namespace adjourn::server
