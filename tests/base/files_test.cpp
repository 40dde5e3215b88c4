#include "base/files.hpp"

#include "temporary_directory.hpp"
#include "test.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

constexpr const char* child_test = "program_file: a child tells its own";
constexpr const char* answer_variable = "ADJOURN_TEST_ANSWER";

std::string text_of(const fs::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

// The dynamic loader of this program, as the linker wrote it.
fs::path loader() {
    std::ifstream maps{"/proc/self/maps"};
    for (std::string line; std::getline(maps, line);) {
        const auto name = line.find('/');
        if (name != std::string::npos && fs::path{line}.filename().string().starts_with("ld-")) {
            return line.substr(name);
        }
    }
    return {};
}

// What `program`, another name of this one, says when the loader is started with it.
std::string answer_by_loader(const fs::path& program, const fs::path& answer) {
    const fs::path by = loader();
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv(answer_variable, answer.c_str(), 1);
        ::execl(by.c_str(), "base_tests", program.c_str(), child_test, "-o", "/dev/null", nullptr);
        ::_exit(127);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    REQUIRE(status == 0);
    return text_of(answer);
}

} // namespace

TEST_CASE(child_test, "[.child]") {
    const char* answer = std::getenv(answer_variable);
    REQUIRE(answer != nullptr);
    REQUIRE(fs::read_symlink("/proc/self/exe").filename() != base::program_file().filename());
    std::ofstream{answer} << base::program_file().string();
}

TEST_CASE("program_file: this program") {
    CHECK(base::program_file().is_absolute());
    CHECK(base::program_file() == fs::read_symlink("/proc/self/exe"));
}

TEST_CASE("program_file: the program that the loader was started with, not the loader") {
    const TemporaryDirectory directory;
    const fs::path own = fs::canonical("/proc/self/exe");
    CHECK(answer_by_loader(own, directory.path() / "answer") == own);
    const fs::path link = directory.path() / "a link";
    fs::create_symlink(own, link);
    CHECK(answer_by_loader(link, directory.path() / "answer of the link") == own);
}

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
