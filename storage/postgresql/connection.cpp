#include "storage/postgresql/connection.hpp"

#include <poll.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <libpq-fe.h>

namespace adjourn::storage::postgresql {

namespace {

// How long the server may be silent. A read is a portion of rows by an index; a statement that
// writes may wait for a lock for 30 s, and then the server says so.
constexpr std::chrono::milliseconds read_patience{5'000}, write_patience{45'000};

// libpq's words may be several lines.
std::string in_one_line(const std::string& text) {
    std::string line;
    for (const char c : text) {
        const bool space = c == '\n' || c == '\t' || c == ' ';
        if (!space) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

const char* way_out_of(const std::string& state) {
    if (state.empty() || state.starts_with("08") || state.starts_with("57")) {
        return "; is the server running, and reachable?";
    }
    if (state.starts_with("53")) {
        return "; free some room on the server";
    }
    return state.starts_with("XX") ? "; the database is damaged: restore a backup" : "";
}

// Types, as the server numbers them (pg_type.dat; they never change).
constexpr std::uint32_t type_bytea = 17, type_bigint = 20, type_smallint = 21, type_integer = 23,
                        type_double = 701;

template <class Unsigned>
void put(std::string& out, Unsigned value) { // high bytes first
    for (int shift = static_cast<int>(sizeof value) * 8 - 8; shift >= 0; shift -= 8) {
        out += static_cast<char>(value >> shift & 255);
    }
}

void put_array_head(std::string& out, std::uint32_t type, std::size_t size) {
    put(out, std::uint32_t{size == 0 ? 0U : 1U}); // dimensions
    put(out, std::uint32_t{0});                   // no NULLs
    put(out, type);
    if (size > 0) {
        put(out, static_cast<std::uint32_t>(size));
        put(out, std::uint32_t{1}); // the first index
    }
}

void put_bytes(std::string& out, Bytes value) {
    put(out, static_cast<std::uint32_t>(value.size()));
    out.append(reinterpret_cast<const char*>(value.data()), value.size());
}

} // namespace

// ---- the connection ----

Connection::Connection(const std::string& url, std::string shown, Access access)
    : shown_{std::move(shown)}, patience_{access == Access::read ? read_patience : write_patience} {
    // What stands before the URL it may change, what stands behind it not.
    const char* const names[] = {"connect_timeout", "tcp_user_timeout", "application_name",
                                 "dbname",          "client_encoding",  nullptr};
    const char* const values[] = {
        access == Access::read ? "5" : "10", "30000", "adjourn", url.c_str(), "UTF8", nullptr};
    handle_ = PQconnectdbParams(names, values, 1);
    try {
        if (handle_ == nullptr || PQstatus(handle_) != CONNECTION_OK ||
            PQsetnonblocking(handle_, 1) != 0) {
            fail(nullptr);
        }
        PQsetNoticeProcessor(
            handle_, [](void*, const char*) {}, nullptr);
        // A commit is durable whatever the database's default; and all that is asked has an index.
        execute("SET synchronous_commit = on; SET enable_seqscan = off; SET jit = off; "
                "SET lock_timeout = '30s'; SET statement_timeout = 0; "
                "SET idle_in_transaction_session_timeout = 0");
        if (access == Access::read) {
            execute("SET default_transaction_read_only = on; SET lock_timeout = '1s'");
        } else { // else the locks of a machine that has vanished stay for hours
            execute("SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; "
                    "SET tcp_keepalives_count = 3; SET tcp_user_timeout = '5s'");
        }
    } catch (...) {
        PQfinish(handle_);
        throw;
    }
}

Connection::~Connection() {
    PQfinish(handle_);
}

std::string Connection::execute(const std::string& sql) {
    return take(answer(!silent_ && PQsendQuery(handle_, sql.c_str()) == 1)).tag();
}

Rows Connection::run_with(const std::string& sql, const Parameters& parameters) {
    auto known = prepared_.find(sql);
    if (known == prepared_.end()) {
        const std::string name = "s" + std::to_string(prepared_.size());
        take(
            answer(!silent_ && PQsendPrepare(handle_, name.c_str(), sql.c_str(), 0, nullptr) == 1));
        known = prepared_.emplace(sql, name).first;
    }
    const std::vector<const char*> values = parameters.values();
    const std::vector<int> binary(values.size(), 1);
    return take(
        answer(!silent_ &&
               PQsendQueryPrepared(handle_, known->second.c_str(), parameters.size(), values.data(),
                                   parameters.lengths().data(), binary.data(), 1) == 1));
}

void Connection::copy_in(const std::string& target, CopyText& rows) {
    if (rows.rows() == 0) {
        return;
    }
    rows.end();
    const std::string begin = "COPY " + target + " FROM STDIN (FORMAT binary)";
    PGresult* const begun = answer(!silent_ && PQsendQuery(handle_, begin.c_str()) == 1);
    const bool ready = PQresultStatus(begun) == PGRES_COPY_IN;
    if (!ready) {
        take(begun);
        throw PostgresError{shown_ + ": COPY was not begun", ""};
    }
    PQclear(begun);
    constexpr std::size_t part = 1 << 16;
    const auto put_all = [&](auto put_once) {
        int put = 0;
        while ((put = put_once()) == 0 && wait_for_server(POLLIN | POLLOUT)) {
        }
        return put == 1;
    };
    bool sent = true;
    for (std::size_t at = 0; sent && at < rows.text_.size(); at += part) {
        const std::size_t size = std::min(part, rows.text_.size() - at);
        sent = put_all(
            [&] { return PQputCopyData(handle_, rows.text_.data() + at, static_cast<int>(size)); });
    }
    take(answer(sent && put_all([&] { return PQputCopyEnd(handle_, nullptr); })));
}

// ---- waiting, with an end ----

bool Connection::wait_for_server(short events) {
    pollfd socket{PQsocket(handle_), events, 0};
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + patience_.value_or(std::chrono::hours{24 * 365});
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        const int most = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
        const int ready = poll(&socket, 1, most);
        if (ready > 0) {
            return (socket.revents & ~POLLOUT) == 0 || PQconsumeInput(handle_) == 1;
        }
        if ((ready == 0 && Clock::now() >= end) || (ready < 0 && errno != EINTR)) {
            silent_ = true;
            fail(nullptr);
        }
    }
}

void Connection::send_all() {
    int left = 0;
    while ((left = PQflush(handle_)) == 1 && wait_for_server(POLLIN | POLLOUT)) {
    }
    if (left != 0) {
        fail(nullptr);
    }
}

pg_result* Connection::answer(bool begun) {
    if (!begun) {
        fail(nullptr);
    }
    send_all();
    std::unique_ptr<PGresult, decltype(&PQclear)> last{nullptr, &PQclear};
    while (true) {
        while (PQisBusy(handle_) == 1 && wait_for_server(POLLIN)) {
        }
        PGresult* const next = PQgetResult(handle_);
        if (next == nullptr) {
            break;
        }
        const bool failed = last && PQresultStatus(last.get()) == PGRES_FATAL_ERROR;
        if (failed) {
            PQclear(next); // of several statements the first that failed tells why
        } else {
            last.reset(next);
        }
        if (PQresultStatus(last.get()) == PGRES_COPY_IN) {
            break;
        }
    }
    if (on_answer) {
        on_answer();
    }
    if (!last) {
        fail(nullptr);
    }
    return last.release();
}

bool Connection::lost() {
    if (silent_) {
        return true;
    }
    // What says that the server goes is read first, the end behind it with the next call.
    for (int i = 0; i < 3; ++i) {
        if (PQconsumeInput(handle_) != 1 || PQstatus(handle_) != CONNECTION_OK) {
            return true;
        }
    }
    return false;
}

Rows Connection::take(pg_result* result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        const Rows owner{result};
        fail(result);
    }
    return Rows{result};
}

void Connection::fail(const pg_result* result) {
    const char* const state =
        result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const std::string code = state == nullptr ? "" : state;
    const char* const said =
        state == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const std::string words = said != nullptr      ? said
                              : silent_            ? "the server does not answer"
                              : handle_ != nullptr ? PQerrorMessage(handle_)
                                                   : "no memory";
    throw PostgresError{shown_ + ": " + in_one_line(words) + way_out_of(code), code};
}

// ---- transactions ----

Transaction::Transaction(Connection& connection, Kind kind) : connection_{connection} {
    connection_.execute(kind == Kind::write ? "BEGIN"
                                            : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
}

Transaction::~Transaction() {
    if (open_) {
        try {
            connection_.execute("ROLLBACK");
        } catch (const StoreError&) {
            // The connection is lost, and the server rolls back.
        }
    }
}

void Transaction::commit() {
    const std::string done = connection_.execute("COMMIT");
    open_ = false;
    if (done != "COMMIT") { // a statement had failed before
        throw PostgresError{connection_.shown() + ": the server rolled back", "40000"};
    }
}

// Values on their way: parameters, rows, and rows for COPY, in PostgreSQL's binary form.

// ---- parameters ----

void Parameters::ended(std::size_t begin) {
    begins_.push_back(begin);
    lengths_.push_back(static_cast<int>(text_.size() - begin));
}

void Parameters::add_integer(std::int64_t value) {
    const std::size_t begin = text_.size();
    put(text_, static_cast<std::uint64_t>(value));
    ended(begin);
}

void Parameters::add(double value) {
    add_integer(std::bit_cast<std::int64_t>(value));
}

void Parameters::add(std::string_view value) {
    const std::size_t begin = text_.size();
    text_ += value;
    ended(begin);
}

void Parameters::add(Bytes value) {
    const std::size_t begin = text_.size();
    text_.append(reinterpret_cast<const char*>(value.data()), value.size());
    ended(begin);
}

void Parameters::add(const std::vector<std::int64_t>& values) {
    const std::size_t begin = text_.size();
    put_array_head(text_, type_bigint, values.size());
    for (const std::int64_t value : values) {
        put(text_, std::uint32_t{8});
        put(text_, static_cast<std::uint64_t>(value));
    }
    ended(begin);
}

void Parameters::add(const std::vector<Bytes>& values) {
    const std::size_t begin = text_.size();
    put_array_head(text_, type_bytea, values.size());
    for (const Bytes value : values) {
        put_bytes(text_, value);
    }
    ended(begin);
}

void Parameters::add_null() {
    begins_.emplace_back();
    lengths_.push_back(0);
}

std::vector<const char*> Parameters::values() const {
    std::vector<const char*> values;
    values.reserve(begins_.size());
    for (const auto& begin : begins_) {
        values.push_back(begin ? text_.c_str() + *begin : nullptr);
    }
    return values;
}

// ---- rows ----

void Rows::Clear::operator()(pg_result* result) const {
    PQclear(result);
}

std::string Rows::tag() const {
    return PQcmdStatus(result_.get());
}

int Rows::size() const {
    return PQntuples(result_.get());
}

std::int64_t Rows::integer(int row, int column) const {
    const Bytes value = bytes(row, column);
    std::uint64_t bits = !value.empty() && value[0] >= 0x80 ? ~std::uint64_t{0} : 0;
    for (const std::uint8_t byte : value) {
        bits = bits << 8 | byte;
    }
    return static_cast<std::int64_t>(bits);
}

std::string Rows::text(int row, int column) const {
    const Bytes value = bytes(row, column);
    return {reinterpret_cast<const char*>(value.data()), value.size()};
}

Bytes Rows::bytes(int row, int column) const {
    return {reinterpret_cast<const std::uint8_t*>(PQgetvalue(result_.get(), row, column)),
            static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

void Rows::read(int row, std::vector<Cell>& cells) const {
    cells.resize(static_cast<std::size_t>(PQnfields(result_.get())));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const int column = static_cast<int>(i);
        if (PQgetisnull(result_.get(), row, column) != 0) {
            cells[i] = std::monostate{};
            continue;
        }
        switch (PQftype(result_.get(), column)) {
        case type_bigint:
        case type_smallint:
        case type_integer: cells[i] = integer(row, column); break;
        case type_double: cells[i] = std::bit_cast<double>(integer(row, column)); break;
        default: cells[i] = bytes(row, column);
        }
    }
}

void Rows::each(const std::function<void(Cells)>& take) const {
    std::vector<Cell> cells;
    for (int row = 0; row < size(); ++row) {
        read(row, cells);
        take(cells);
    }
}

FactRow Rows::fact(int row) const {
    return {integer(row, 0), integer(row, 1), integer(row, 2), integer(row, 3),
            bytes(row, 4),   integer(row, 5), bytes(row, 6),   integer(row, 7)};
}

// ---- COPY ----

CopyText::CopyText() : text_{"PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19} {}

void CopyText::begin_row(int columns) {
    put(text_, static_cast<std::uint16_t>(columns));
    ++rows_;
}

void CopyText::add_int2(std::int64_t value) {
    put(text_, std::uint32_t{2});
    put(text_, static_cast<std::uint16_t>(value));
}

void CopyText::add_int4(std::int64_t value) {
    put(text_, std::uint32_t{4});
    put(text_, static_cast<std::uint32_t>(value));
}

void CopyText::add_int8(std::int64_t value) {
    put(text_, std::uint32_t{8});
    put(text_, static_cast<std::uint64_t>(value));
}

void CopyText::add(Bytes value) {
    put_bytes(text_, value);
}

void CopyText::add(ColumnType type, const Cell& cell) {
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
        switch (type) {
        case ColumnType::int4: add_int4(*integer); break;
        case ColumnType::int2: add_int2(*integer); break;
        default: add_int8(*integer);
        }
    } else if (const auto* real = std::get_if<double>(&cell)) {
        add_int8(std::bit_cast<std::int64_t>(*real));
    } else if (adjourn::storage::is_null(cell)) {
        put(text_, std::uint32_t{0xffffffff});
    } else {
        add(storage::bytes(cell));
    }
}

void CopyText::end() {
    put(text_, std::uint16_t{0xffff});
}

} // namespace adjourn::storage::postgresql
