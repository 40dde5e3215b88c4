// SQLite's C API with owners, as far as collections need it. What fails throws std::runtime_error
// with the file's name and SQLite's words. A Database and its statements belong to one thread at a
// time.
#pragma once

#include "base/text.hpp"

#include <sqlite3.h>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace adjourn::collections {

class Database {
public:
    // Without locks: a file that is read never changes, and one that is written nobody reads.
    Database(const std::filesystem::path& file, int flags) : file_{file.filename().string()} {
        sqlite3* opened = nullptr;
        const int code =
            sqlite3_open_v2(file.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, "unix-none");
        handle_.reset(opened);
        check(code);
    }

    // Statements without parameters or results.
    void execute(const char* sql) const {
        check(sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr));
    }
    void check(int code) const {
        if (code != SQLITE_OK) {
            throw std::runtime_error(file_ + ": " + sqlite3_errmsg(handle_.get()));
        }
    }

private:
    friend class Statement;
    struct Close {
        void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
    };

    std::string file_;
    std::unique_ptr<sqlite3, Close> handle_;
};

class Statement {
public:
    // The database must outlive it.
    Statement(const Database& database, const char* sql) : database_{database} {
        sqlite3_stmt* made = nullptr;
        database.check(sqlite3_prepare_v3(database.handle_.get(), sql, -1,
                                          SQLITE_PREPARE_PERSISTENT, &made, nullptr));
        handle_.reset(made);
    }

    // Ends what went before and sets all parameters. Text must live until the last step.
    template <class... Values>
    Statement& bind(const Values&... values) {
        sqlite3_reset(handle_.get());
        int index = 0;
        (set(++index, values), ...);
        return *this;
    }
    // True: a row stands. False: finished.
    bool step() {
        const int code = sqlite3_step(handle_.get());
        if (code != SQLITE_ROW) {
            database_.check(sqlite3_reset(handle_.get()));
        }
        return code == SQLITE_ROW;
    }
    // bind and all steps.
    template <class... Values>
    void run(const Values&... values) {
        bind(values...);
        while (step()) {
        }
    }

    // Columns of the row that stands, from 0.
    std::int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
    // Empty where it is no UTF-8.
    std::string text(int column) const {
        const void* bytes = sqlite3_column_blob(handle_.get(), column);
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column));
        std::string text{static_cast<const char*>(bytes), bytes == nullptr ? 0 : size};
        return base::is_utf8(text) ? text : std::string{};
    }

private:
    struct Finalize {
        void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
    };
    template <std::integral Integer>
    void set(int index, Integer value) {
        database_.check(sqlite3_bind_int64(handle_.get(), index, static_cast<std::int64_t>(value)));
    }
    void set(int index, std::string_view value) {
        database_.check(sqlite3_bind_text64(handle_.get(), index, value.data(), value.size(),
                                            SQLITE_STATIC, SQLITE_UTF8));
    }

    const Database& database_;
    std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

// The first column of the first row; -1: there is none.
inline std::int64_t integer(const Database& database, const char* sql) {
    Statement query{database, sql};
    return query.step() ? query.integer(0) : -1;
}

// Of the file of a collection: PRAGMA user_version. Older ones were no databases.
inline constexpr int format = 4;

} // namespace adjourn::collections
