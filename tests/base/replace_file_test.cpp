#include "base/files.hpp"

#include "temporary_directory.hpp"
#include "test.hpp"

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

} // namespace

TEST_CASE("replace_file: the new text takes the place of the old one, and is its owner's alone") {
    const TemporaryDirectory directory;
    const fs::path file = directory.path() / "small";
    REQUIRE(base::replace_file(file, "first, and longer"));
    REQUIRE(base::replace_file(file, "second"));
    CHECK(text_of(file) == "second");
    CHECK((fs::status(file).permissions() & fs::perms::all) ==
          (fs::perms::owner_read | fs::perms::owner_write));
    CHECK(std::distance(fs::directory_iterator{directory.path()}, {}) == 1);
    REQUIRE(base::replace_file(file, ""));
    CHECK(text_of(file).empty());
}

TEST_CASE("replace_file: what cannot be written is told, and the old text stays") {
    const TemporaryDirectory directory;
    const auto nowhere = base::replace_file(directory.path() / "none" / "small", "text");
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().ends_with("none/small cannot be written: No such file or directory"));
    const fs::path file = directory.path() / "small";
    REQUIRE(base::replace_file(file, "old"));
    fs::create_directory(directory.path() / "small.new"); // nothing can be drafted
    CHECK_FALSE(base::replace_file(file, "new"));
    CHECK(text_of(file) == "old");
}

TEST_CASE("replace_file: nothing is written where somebody's link leads") {
    const TemporaryDirectory directory;
    const fs::path file = directory.path() / "small", other = directory.path() / "other";
    std::ofstream{other} << "of somebody";
    fs::create_symlink(other, directory.path() / "small.new");
    fs::create_symlink(other, file);
    REQUIRE(base::replace_file(file, "text"));
    CHECK(text_of(file) == "text");
    CHECK_FALSE(fs::is_symlink(file));
    CHECK(text_of(other) == "of somebody");
}
