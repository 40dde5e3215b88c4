// The file behind the store's back: what other programs, bad disks and older versions do to it.
#pragma once

#include "../../storage/src/database.hpp"

#include "storage/open.hpp"

#include <csignal>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace adjourn::storage::test {

inline std::filesystem::path database_file(const std::filesystem::path& directory) {
    return directory / "adjourn.db";
}

// Runs SQL on the closed store's file without any of the store's rules.
inline void edit(const std::filesystem::path& directory, const std::string& sql) {
    Database database{database_file(directory), Access::write};
    database.execute("PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = OFF");
    database.execute(sql.c_str());
}

// Everything that keeps people from changing facts by hand, gone.
inline void drop_triggers(const std::filesystem::path& directory) {
    std::string all;
    {
        Database database{database_file(directory), Access::write};
        Statement rows{database, "SELECT name FROM sqlite_schema WHERE type = 'trigger'"};
        while (rows.step()) {
            all += "DROP TRIGGER " + std::string{rows.text(0)} + ";";
        }
    }
    edit(directory, all);
}

inline void write_file(const std::filesystem::path& file, const std::string& text) {
    std::ofstream{file, std::ios::binary} << text;
}

inline std::string read_file(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

// What open_store says; "" if it opens.
inline std::string trouble_opening(const std::filesystem::path& directory, OpenMode mode) {
    try {
        open_store(directory, mode);
        return "";
    } catch (const StoreError& error) {
        return error.what();
    }
}

// Runs in a process of its own that has no rights but those of everybody, and returns the text.
inline std::string as_nobody(const std::function<std::string()>& run) {
    int ends[2];
    if (::pipe(ends) != 0) {
        throw std::runtime_error{"no pipe"};
    }
    const pid_t child = ::fork();
    if (child == 0) {
        const bool dropped = ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0);
        const std::string text = dropped ? run() : "cannot drop rights";
        const bool written = ::write(ends[1], text.data(), text.size()) >= 0;
        ::_exit(written ? 0 : 1);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t size = 0; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(size));
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "the child crashed: " + text;
}

} // namespace adjourn::storage::test
