// Values on their way: parameters, rows, and rows for COPY, in PostgreSQL's binary form.
#include "connection.hpp"

#include <libpq-fe.h>

#include <bit>

namespace adjourn::storage::postgresql {

namespace {

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
