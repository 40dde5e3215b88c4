// Database, Statement, Transaction: SQLite's C API with owners, and errors as exceptions. Nothing
// cleverer. A Database, its statements and transactions belong to one thread at a time.
#pragma once

#include "storage/rows/checksum.hpp"
#include "storage/rows/records.hpp"
#include "storage/rows/tables.hpp"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace adjourn::storage {

class SqliteError : public StoreError {
public:
    SqliteError(const std::string& message, int code) : StoreError{message}, code_{code} {}
    int code() const { return code_; } // SQLite's extended result code
    // Refused for what the statement says (a constraint, a size): the next one may well succeed.
    // Everything else is the environment's fault: disk, file, memory, a foreign lock.
    bool data_fault() const;
    bool damage() const override; // of the file itself
    bool stopped() const;         // as Database says: it had no end, or somebody wanted that

private:
    int code_;
};

enum class Access : std::uint8_t {
    write,       // creates the file if it is missing
    read,        // sees commits of other connections and processes
    read_frozen, // of a file that nobody can change now: needs no files beside it
};

class Database {
public:
    // Opens and sets what every connection has: foreign keys, busy timeout, synchronous=FULL, no
    // trust in the schema's functions, the function adjourn_checksum (of a migration). A new file
    // is its owner's alone (mode 0600). `damage`, if any, is told what is found damaged and
    // outlives it. Where it reads only, no statement takes longer than a sound file of that size
    // needs, whatever the file holds: more is an error. Throws SqliteError.
    Database(std::filesystem::path file, Access access, DamageNote* damage = nullptr);
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database();

    const std::filesystem::path& file() const { return file_; }
    // One or more statements without parameters or results.
    void execute(const char* sql);
    // First column of the first row.
    std::int64_t integer(const char* sql);
    std::string text(const char* sql);
    std::int64_t last_insert_id() const;
    // The pages that it holds, megabytes after a large read, are memory again.
    void forget_pages();

    // For this connection. Without triggers, rows of facts can be changed.
    void use_triggers(bool wanted);
    // Write-ahead logging; a property of the file from then on. Throws where the file system
    // cannot do it.
    void use_wal();
    // Pages in the log after this connection's latest commit; 0 after a checkpoint.
    int wal_pages() const { return wal_pages_; }
    // Moves what it can from the log into the file without waiting for readers.
    void checkpoint();
    // Which of the two, file or log, somebody has made shorter than SQLite knows it to be; "" if
    // neither. Between two transactions. What other programs move from the log into the file, or
    // make smaller by VACUUM, is not cut. What was cut is left as it is when this is closed.
    std::string cut();

    // Writes all of this database to that one, which gets nothing else.
    void copy_to(Database& target,
                 const std::function<void(std::uint64_t, std::uint64_t)>& advance);
    // Throws an error of what a statement says (SqliteError::data_fault), with the file's name.
    [[noreturn]] void refuse(const std::string& why) const;
    // Throws what SQLite says of its latest failure, with the file's name and a way out.
    [[noreturn]] void fail(int code) const;

private:
    friend class Statement;
    void check(int code) const;
    void bound_statements();
    bool may_go_on();

    std::filesystem::path file_;
    DamageNote* const damage_;
    sqlite3* handle_ = nullptr;
    std::uint64_t* spent_ = nullptr; // of the statement that runs
    int wal_pages_ = 0;
    std::int64_t largest_ = 0; // bytes of the file when it was looked at
};

class Statement {
public:
    Statement(Database& database, std::string_view sql);
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    ~Statement();

    // Ends what went before and sets all parameters. Text and bytes are not copied: they must
    // live until the next reset.
    template <class... Values>
    Statement& bind(Values&&... values) {
        static_assert((!std::is_same_v<Values, std::string> && ...),
                      "a text made in the call does not live until the next reset");
        reset();
        int index = 0;
        (set(++index, values), ...);
        return *this;
    }
    // True: a row stands. False: finished, and reset. Throws SqliteError, reset.
    bool step();
    void reset() noexcept;
    // bind and step to the end, without looking at rows.
    template <class... Values>
    void run(const Values&... values) {
        bind(values...);
        while (step()) {
        }
    }

    // As bind.
    void bind_cells(Cells values);

    // Sets the parameters to the first columns of the row that stands there, as they are.
    void bind_row(const Statement& from);

    // Columns of the row that stands, from 0. Bytes live until the next step or reset.
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;
    Bytes bytes(int column) const;
    bool is_null(int column) const;
    // All of them; likewise.
    void read(std::vector<Cell>& row) const;
    FactRow fact() const; // of a row of `evaluations`

private:
    template <std::integral Integer>
    void set(int index, Integer value) {
        set_integer(index, static_cast<std::int64_t>(value));
    }
    void set(int index, double value);
    void set(int index, std::string_view value);
    void set(int index, Bytes value);
    template <class Value>
    void set(int index, const std::optional<Value>& value) {
        value ? set(index, *value) : set_null(index);
    }
    void set(int index, std::monostate) { set_null(index); }
    void set_integer(int index, std::int64_t value);
    void set_null(int index);

    Database& database_;
    sqlite3_stmt* handle_ = nullptr;
    std::uint64_t spent_ = 0; // SQLite's own steps, since it was reset
};

// Ends a query at the end of a scope, so that a row left standing holds no snapshot.
class ResetAtEnd {
public:
    explicit ResetAtEnd(Statement& statement) : statement_{statement} {}
    ResetAtEnd(const ResetAtEnd&) = delete;
    ResetAtEnd& operator=(const ResetAtEnd&) = delete;
    ~ResetAtEnd() { statement_.reset(); }

private:
    Statement& statement_;
};

class WithoutTriggers {
public:
    explicit WithoutTriggers(Database& database) : database_{database} {
        database_.use_triggers(false);
    }
    WithoutTriggers(const WithoutTriggers&) = delete;
    WithoutTriggers& operator=(const WithoutTriggers&) = delete;
    ~WithoutTriggers() { database_.use_triggers(true); }

private:
    Database& database_;
};

// Rolls back at the end of its scope unless committed.
class Transaction {
public:
    enum class Kind : std::uint8_t {
        write, // BEGIN IMMEDIATE
        read,  // one snapshot for several queries
    };
    Transaction(Database& database, Kind kind);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();

    void commit(); // throws SqliteError; nothing of it is acknowledged then

private:
    Database& database_;
    bool open_ = true;
};

} // namespace adjourn::storage
