// Endgame tables may have to read a disk: the core's thread asks for what another one has asked.
#include "core/graphs/line_end.hpp"
#include "core_fixture.hpp"

namespace {

// Covers nothing. Notes what the thread that made it asks for first.
class WatchedTables final : public analysis::Tables {
public:
    std::optional<chess::Score> value(const chess::Position& position) const override {
        note(values_, position);
        return std::nullopt;
    }
    std::vector<analysis::TableMove> moves(const chess::Position& position) const override {
        note(moves_, position);
        return {};
    }
    std::vector<std::string> first_here() const {
        const std::scoped_lock lock{mutex_};
        return first_here_;
    }
    std::size_t asked() const {
        const std::scoped_lock lock{mutex_};
        return values_.size();
    }

private:
    using Known = std::set<chess::PackedPosition>;
    void note(Known& known, const chess::Position& position) const {
        const std::scoped_lock lock{mutex_};
        if (known.insert(position.packed()).second && std::this_thread::get_id() == core_) {
            first_here_.push_back(position.fen());
        }
    }

    const std::thread::id core_ = std::this_thread::get_id();
    mutable std::mutex mutex_;
    mutable Known values_, moves_;
    mutable std::vector<std::string> first_here_;
};

} // namespace

TEST_CASE("tables: the core's thread is never the first to ask, while a tree grows and when read") {
    TemporaryDirectory directory;
    Bench bench;
    const auto tables = std::make_shared<WatchedTables>();
    const auto look = [&](const CoreFixture& fixture, analysis::AnalysisId id) {
        (void)solved_moves(fixture.run(id), {});
        CHECK(tables->first_here() == std::vector<std::string>{});
    };
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench, false, tables, true};
        id = fixture.create("e4 e5", 3, 30);
        fixture.read();
        fixture.settle(id);
        CHECK(tables->asked() > 50);
        look(fixture, id);
    }
    bench = Bench{};
    CoreFixture fixture{directory.path(), bench, false, tables, true};
    fixture.read();
    look(fixture, id);
}
