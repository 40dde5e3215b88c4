// An image is used only where it is what reading all facts would give.
#include "temporary_directory.hpp"

#include "core/graphs/graph_images.hpp"
#include "core/graphs/graph_slot.hpp"
#include "storage/open.hpp"
#include "test.hpp"

namespace adjourn::server {

namespace {

namespace fs = std::filesystem;
using analysis::Evaluation;
using analysis::UnixMs;

constexpr UnixMs a_minute = 60'000;
constexpr UnixMs beginning = 1'700'000'000'000;

struct Kept {
    Kept() {
        record.name = "Some 1.0";
        record.id = store->engine(record);
    }

    // Evaluations of positions that random moves lead to, a second after each other.
    void evaluate(int count, std::uint64_t depth = 8) {
        evaluate_now(count, depth);
        now += 2 * a_minute;
    }
    // The last of them may not have been the last that came, for all that is known.
    void evaluate_now(int count, std::uint64_t depth = 8) {
        while (count > 0) {
            const auto moves = position.legal_moves();
            if (moves.empty() || random() % 12 == 0) {
                position = chess::Position::initial();
                continue;
            }
            Evaluation fact;
            fact.question = {
                position.packed(), record.id, {analysis::Limit::Kind::depth, depth}, {}};
            fact.move = moves[random() % moves.size()];
            fact.score = chess::Score::cp(static_cast<int>(random() % 200) - 100);
            fact.pv = {*fact.move};
            fact.at = now;
            now += 1'000;
            position.play(*fact.move);
            count -= store_fact(fact) ? 1 : 0;
        }
    }
    bool store_fact(const Evaluation& fact) {
        bool inserted = false;
        store->append(fact, [&](const auto& written) { inserted = written && written->inserted; });
        store->flush();
        return inserted;
    }
    GraphSlot slot(const GraphImages* of, GraphKey key = {},
                   const std::vector<chess::Position>& roots = {chess::Position::initial()}) {
        key.engine = record.id;
        return GraphSlot{*store, record, nullptr, key, nullptr, roots, of};
    }
    // Goes on with another store of the same engine.
    void replace_store() {
        store = storage::open_store(directory.path() / "other", storage::OpenMode::owner);
        REQUIRE(store->engine(record) == record.id);
        now = beginning;
    }
    // The same evaluations again, as from a backup.
    void restore(int count) {
        replace_store();
        random.seed(seed);
        position = chess::Position::initial();
        evaluate(count);
    }
    // Made with the images, it is as without; whether from one of them.
    bool from_image(GraphKey key = {},
                    const std::vector<chess::Position>& roots = {chess::Position::initial()}) {
        const GraphSlot expected = slot(nullptr, key, roots);
        const GraphSlot made = slot(&images, key, roots);
        REQUIRE(made.graph().verify().empty());
        REQUIRE(made.graph().digest() == expected.graph().digest());
        REQUIRE(made.graph().move_count() == expected.graph().move_count());
        REQUIRE(made.graph().node_count() == expected.graph().node_count());
        REQUIRE(made.newest() == expected.newest());
        for (std::uint32_t n = 0; n < expected.graph().node_count(); ++n) {
            const auto node =
                made.graph().find(expected.graph().position(analysis::NodeId{n}).packed());
            REQUIRE(node);
            REQUIRE(made.graph().ply(*node) == expected.graph().ply(analysis::NodeId{n}));
        }
        return made.from_image();
    }
    fs::path only_file() const {
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator{directory.path() / "graphs"}) {
            files.push_back(entry.path());
        }
        REQUIRE(files.size() == 1);
        return files.front();
    }

    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path() / "store", storage::OpenMode::owner);
    storage::EngineRecord record;
    static constexpr std::uint64_t seed = 20'261'125;
    std::mt19937_64 random{seed};
    chess::Position position = chess::Position::initial();
    UnixMs now = beginning;
    GraphImages images{{directory.path() / "graphs", "", [this] { return now; }, 100}};
};

std::string content(const fs::path& file) {
    std::ifstream stream{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

} // namespace

TEST_CASE("a large graph is kept, and the next start takes it and what came since") {
    Kept here;
    here.evaluate(320);
    CHECK_FALSE(here.from_image()); // there was none
    CHECK(here.from_image());
    here.evaluate(12);
    CHECK(here.from_image());
    here.evaluate_now(5);
    CHECK(here.from_image());
    here.now += 2 * a_minute; // nothing of it is still on its way
    CHECK(here.from_image());
    CHECK(here.from_image()); // the new one
}

TEST_CASE("of few evaluations no image is kept") {
    Kept here;
    here.evaluate(90);
    CHECK_FALSE(here.from_image());
    CHECK_FALSE(here.from_image());
    CHECK_FALSE(fs::exists(here.directory.path() / "graphs"));
}

TEST_CASE("where much has come since, all is read, and kept anew") {
    Kept here;
    here.evaluate(320);
    CHECK_FALSE(here.from_image());
    here.evaluate(60);
    CHECK_FALSE(here.from_image());
    CHECK(here.from_image());
}

TEST_CASE("an image of other facts is passed over, and replaced") {
    Kept here;
    here.evaluate(320);
    CHECK_FALSE(here.from_image());
    SECTION("an evaluation came that says it is older") {
        const UnixMs now = std::exchange(here.now, beginning - a_minute);
        here.evaluate(1);
        here.now = now;
    }
    SECTION("the store is another one, of the same engine") {
        here.replace_store();
        here.evaluate(320);
    }
    SECTION("the store was restored from a backup that knows less") {
        here.restore(310);
    }
    CHECK_FALSE(here.from_image());
    CHECK(here.from_image());
}

TEST_CASE("a backup that was restored whole has the facts of the image") {
    Kept here;
    here.evaluate(320);
    CHECK_FALSE(here.from_image());
    here.restore(320);
    CHECK(here.from_image());
}

TEST_CASE("each basis has an image of its own, and so has each choice of tables") {
    Kept here;
    here.evaluate(200, 8);
    here.evaluate(200, 12);
    GraphKey deep;
    deep.basis.least_effort = analysis::least_effort({analysis::Limit::Kind::depth, 12});
    GraphKey without;
    without.basis.excluded = {{chess::Position::initial().packed(),
                               here.slot(nullptr).graph().moves(analysis::NodeId{0}).front().move}};
    for (const GraphKey& key : {GraphKey{}, deep, without}) {
        CHECK_FALSE(here.from_image(key));
    }
    for (const GraphKey& key : {GraphKey{}, deep, without}) {
        CHECK(here.from_image(key));
    }
    const GraphImages with_tables{
        {here.directory.path() / "graphs", "KQvK", [&] { return here.now; }, 100}};
    CHECK_FALSE(here.slot(&with_tables).from_image());
    CHECK(here.slot(&with_tables).from_image());
}

TEST_CASE("an image gives each start the roots that it asks for") {
    Kept here;
    here.evaluate(400);
    const auto start = chess::Position::initial();
    const auto other =
        here.slot(nullptr).graph().position(analysis::NodeId{7}); // somewhere in the tree
    CHECK_FALSE(here.from_image({}, {start, start}));
    CHECK(here.from_image({}, {start}));
    CHECK(here.from_image({}, {other, start}));
    CHECK(here.from_image({}, {other}));
    CHECK(here.from_image({}, {}));
}

TEST_CASE("a damaged image is passed over, whatever is damaged") {
    Kept here;
    here.evaluate(320);
    CHECK_FALSE(here.from_image());
    const fs::path file = here.only_file();
    const std::string sound = content(file);
    const auto damage = [&](const std::string& bytes) {
        std::ofstream{file, std::ios::binary} << bytes;
        return here.slot(&here.images).from_image();
    };
    for (std::size_t i = 0; i < sound.size(); i += sound.size() / 199) {
        std::string flipped = sound;
        flipped[i] = static_cast<char>(flipped[i] ^ (1 << i % 8));
        INFO("byte " << i);
        REQUIRE_FALSE(damage(flipped));
    }
    for (std::size_t size = 0; size < sound.size(); size += sound.size() / 97) {
        INFO("size " << size);
        REQUIRE_FALSE(damage(sound.substr(0, size)));
    }
    CHECK_FALSE(damage(sound + "more"));
    CHECK(damage(sound));
}

TEST_CASE("with questions that had no answer, or damaged rows, no image is kept") {
    Kept here;
    here.evaluate(320);
    Evaluation nothing;
    nothing.question = {
        here.position.packed(), here.record.id, {analysis::Limit::Kind::depth, 20}, {}};
    nothing.move = here.position.legal_moves()[0];
    nothing.score = chess::Score::cp(5);
    nothing.bound = analysis::Bound::lower;
    nothing.pv = {*nothing.move};
    nothing.at = here.now;
    SECTION("from the beginning") {
        here.store_fact(nothing);
        CHECK_FALSE(here.from_image());
        CHECK_FALSE(here.from_image());
    }
    SECTION("since the image was made") {
        CHECK_FALSE(here.from_image());
        here.store_fact(nothing);
        CHECK(here.from_image());
        GraphSlot made = here.slot(&here.images);
        const NodeQuestion asked{
            *made.graph().find(nothing.question.position), nothing.question.limit, {}};
        CHECK(made.attempts(asked) == here.slot(nullptr).attempts(asked));
        CHECK_FALSE(made.failure_of(asked).empty());
    }
}

TEST_CASE("images that nobody has used for a month are removed when another is written") {
    Kept here;
    here.evaluate(320);
    CHECK_FALSE(here.from_image());
    const fs::path old = here.directory.path() / "graphs" / "graph-1.image";
    const fs::path recent = here.directory.path() / "graphs" / "graph-2.image";
    const fs::path strange = here.directory.path() / "graphs" / "notes.txt";
    const fs::path unfinished = here.directory.path() / "graphs" / "graph-3.image.new77";
    const fs::path begun = here.directory.path() / "graphs" / "graph-3.image.new78";
    const auto now = fs::file_time_type::clock::now();
    for (const auto& [file, days] :
         {std::pair{old, 31}, std::pair{recent, 29}, std::pair{strange, 31},
          std::pair{unfinished, 2}, std::pair{begun, 0}}) {
        std::ofstream{file} << "something";
        fs::last_write_time(file, now - std::chrono::hours{24 * days});
    }
    GraphKey deep;
    deep.basis.least_effort = 1;
    CHECK_FALSE(here.from_image(deep));
    CHECK_FALSE(fs::exists(old));
    CHECK_FALSE(fs::exists(unfinished));
    CHECK(fs::exists(begun));
    CHECK(fs::exists(recent));
    CHECK(fs::exists(strange));
}

TEST_CASE("no image is kept where the disk would have too little room then") {
    Kept here;
    here.evaluate(320);
    GraphImages::Options options{here.directory.path() / "graphs", "", [&] { return here.now; },
                                 100, std::numeric_limits<std::uint64_t>::max()};
    const GraphImages full{options};
    CHECK_FALSE(here.slot(&full).from_image());
    CHECK_FALSE(here.slot(&full).from_image());
}

TEST_CASE("reading from an image ends when the program does") {
    Kept here;
    here.evaluate(320);
    CHECK_FALSE(here.from_image());
    const std::atomic<bool> leaving = true;
    GraphKey key;
    key.engine = here.record.id;
    CHECK_THROWS_AS(GraphSlot(*here.store, here.record, nullptr, key, &leaving, {}, &here.images),
                    storage::StoreError);
}

} // namespace adjourn::server
