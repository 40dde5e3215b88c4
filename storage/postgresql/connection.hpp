// Connection, Parameters, Rows: libpq with owners, and errors as exceptions. Values go in binary
// form, both ways. A Connection belongs to one thread at a time, and waits for a silent server only
// so long.
#pragma once

#include "storage/rows/records.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

struct pg_conn;
struct pg_result;

namespace adjourn::storage::postgresql {

class PostgresError : public StoreError {
public:
    PostgresError(const std::string& message, std::string state)
        : StoreError{message}, state_{std::move(state)} {}
    // SQLSTATE; "" where the server said nothing, for it cannot be reached.
    const std::string& state() const { return state_; }
    // Refused for what the statement says: the next one may well succeed.
    bool data_fault() const { return state_.starts_with("22") || state_.starts_with("23"); }
    bool damage() const override { return state_.starts_with("XX"); } // pages or indexes

private:
    std::string state_;
};

// Values in PostgreSQL's binary form, one after the other.
class Parameters {
public:
    template <std::integral Integer>
    void add(Integer value) {
        add_integer(static_cast<std::int64_t>(value));
    }
    void add(double value);
    void add(std::string_view value);
    void add(Bytes value);
    void add(std::monostate) { add_null(); }
    void add_cell(const Cell& cell) {
        std::visit([this](const auto& one) { add(one); }, cell);
    }
    void add(const std::vector<std::int64_t>& values); // bigint[]
    void add(const std::vector<Bytes>& values);        // bytea[]
    template <class Value>
    void add(const std::optional<Value>& value) {
        value ? add(*value) : add_null();
    }

    int size() const { return static_cast<int>(lengths_.size()); }
    // Of each its first byte, or null.
    std::vector<const char*> values() const;
    const std::vector<int>& lengths() const { return lengths_; }

private:
    void add_integer(std::int64_t value);
    void add_null();
    void ended(std::size_t begin);

    std::string text_;
    std::vector<std::optional<std::size_t>> begins_; // none: NULL
    std::vector<int> lengths_;
};

class Rows {
public:
    explicit Rows(pg_result* result) : result_{result} {}

    int size() const;
    std::string tag() const; // what the server calls the statement
    // Columns from 0. NULL reads as 0 or nothing. Bytes live as long as the Rows.
    std::int64_t integer(int row, int column) const;
    std::string text(int row, int column) const;
    Bytes bytes(int row, int column) const;
    void read(int row, std::vector<Cell>& cells) const; // all columns
    void each(const std::function<void(Cells)>& take) const;
    FactRow fact(int row) const; // the columns of `evaluations` first

private:
    struct Clear {
        void operator()(pg_result* result) const;
    };
    std::unique_ptr<pg_result, Clear> result_;
};

// Rows for COPY … FROM STDIN (FORMAT binary). Every column has the type that the table says.
class CopyText {
public:
    CopyText();
    void begin_row(int columns);
    void add_int2(std::int64_t value);
    void add_int4(std::int64_t value);
    void add_int8(std::int64_t value);
    void add(Bytes value);
    void add(ColumnType type, const Cell& cell);
    std::size_t rows() const { return rows_; }

private:
    friend class Connection;
    void end();
    std::string text_;
    std::size_t rows_ = 0;
};

// Readers wait for little: somebody else waits for them. A writer waits longer than for any lock.
enum class Access : std::uint8_t { write, read };

class Connection {
public:
    // Throws PostgresError.
    Connection(const std::string& url, std::string shown, Access access);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    const std::string& shown() const { return shown_; }
    // Statements without parameters, as one text. Returns what the server calls the last of them.
    std::string execute(const std::string& sql);
    // One statement with parameters $1, $2 …, prepared when it comes the first time: so `sql` must
    // be one of few.
    template <class... Values>
    Rows run(const std::string& sql, const Values&... values) {
        Parameters parameters;
        (parameters.add(values), ...);
        return run_with(sql, parameters);
    }
    Rows run_cells(const std::string& sql, Cells values) {
        Parameters parameters;
        for (const Cell& value : values) {
            parameters.add_cell(value);
        }
        return run_with(sql, parameters);
    }
    Rows run_with(const std::string& sql, const Parameters& parameters);
    // `table (column, …)`. Nothing is sent where there are no rows.
    void copy_in(const std::string& target, CopyText& rows);

    // Whether the server is known to have gone. Does not wait.
    bool lost();

    // Called each time that the server has answered (may be empty).
    std::function<void()> on_answer;

    // While it lives the connection waits for an answer as long as it takes: for statements that
    // look at or change a whole table.
    class Unhurried {
    public:
        explicit Unhurried(Connection& connection)
            : connection_{connection}, before_{std::exchange(connection.patience_, {})} {}
        Unhurried(const Unhurried&) = delete;
        Unhurried& operator=(const Unhurried&) = delete;
        ~Unhurried() { connection_.patience_ = before_; }

    private:
        Connection& connection_;
        std::optional<std::chrono::milliseconds> before_;
    };

private:
    Rows take(pg_result* result);
    [[noreturn]] void fail(const pg_result* result);
    // Has it sent what was begun, which `begun` says went well, and waits for the last result.
    // Throws PostgresError where the server is silent for too long; the connection is lost then.
    pg_result* answer(bool begun);
    void send_all();
    // False where the server has gone. Throws as answer() does.
    bool wait_for_server(short events);

    const std::string shown_;
    pg_conn* handle_ = nullptr;
    std::optional<std::chrono::milliseconds> patience_; // with a silent server; none: no end
    bool silent_ = false;                               // it was too long: nothing more is tried
    std::unordered_map<std::string, std::string> prepared_; // name by text
};

// Rolls back at the end of its scope unless committed.
class Transaction {
public:
    enum class Kind : std::uint8_t {
        write,
        read, // one snapshot for several queries
    };
    Transaction(Connection& connection, Kind kind);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();

    void commit(); // throws PostgresError; nothing of it is acknowledged then

private:
    Connection& connection_;
    bool open_ = true;
};

} // namespace adjourn::storage::postgresql
