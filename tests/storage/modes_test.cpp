// What is in a data directory is its owner's alone, whatever the umask is.
#include "raw.hpp"
#include "samples.hpp"

#include "storage/maintenance.hpp"
#include "test.hpp"

#include <sys/stat.h>

using namespace adjourn::storage;
using namespace adjourn::storage::test;
namespace fs = std::filesystem;

namespace {

class WithUmask {
public:
    explicit WithUmask(mode_t wanted) : before_{::umask(wanted)} {}
    WithUmask(const WithUmask&) = delete;
    WithUmask& operator=(const WithUmask&) = delete;
    ~WithUmask() { ::umask(before_); }

private:
    mode_t before_;
};

mode_t mode_of(const fs::path& path) {
    struct stat found {};
    REQUIRE(::stat(path.c_str(), &found) == 0);
    return found.st_mode & 07777;
}

std::map<std::string, mode_t> modes_in(const fs::path& directory) {
    std::map<std::string, mode_t> modes;
    for (const auto& entry : fs::directory_iterator{directory}) {
        modes[entry.path().filename().string()] = mode_of(entry.path());
    }
    return modes;
}

} // namespace

TEST_CASE("modes: directory, store, log, mark and copies are their owner's alone") {
    const TemporaryDirectory place;
    const WithUmask everybody{0};
    const fs::path data = place.path() / "a" / "data";
    {
        const auto store = open_owner(data);
        store->announce("http://127.0.0.1:1", "");
        append_and_wait(*store, sample_fact(store->engine(sample_engine()), 1));
        CHECK(mode_of(data) == 0700);
        CHECK(modes_in(data) == std::map<std::string, mode_t>{{"acknowledged", 0600},
                                                              {"adjourn.db", 0600},
                                                              {"adjourn.db-shm", 0600},
                                                              {"adjourn.db-wal", 0600},
                                                              {"lock", 0600},
                                                              {"owner", 0600}});
        back_up(data, place.path() / "backup.db");
        CHECK(mode_of(place.path() / "backup.db") == 0600);
    }
    copy_store(data, place.path() / "copied");
    CHECK(mode_of(place.path() / "copied") == 0700);
    CHECK(mode_of(place.path() / "copied" / "adjourn.db") == 0600);
    repair(data, place.path() / "repaired");
    CHECK(mode_of(place.path() / "repaired") == 0700);
    CHECK(mode_of(place.path() / "repaired" / "adjourn.db") == 0600);
    const fs::path open = place.path() / "open";
    fs::create_directory(open);
    fs::permissions(open, fs::perms{0755});
    open_owner(open);
    CHECK(mode_of(open) == 0755); // somebody wants it so; `doctor` tells
    CHECK(mode_of(open / "adjourn.db") == 0600);
    open_owner(place.path() / "slash/");
    CHECK(mode_of(place.path() / "slash") == 0700);
}
