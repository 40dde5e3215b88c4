// Values on their way: parameters, rows, and rows for COPY, in PostgreSQL's binary form.
#include "connection.hpp"

#include <libpq-fe.h>

#include <bit>

namespace adjourn::storage::postgresql {

namespace {

// Types, as the server numbers them (pg_type.dat; they never change).
constexpr std::uint32_t type_bytea = 17, type_bigint = 20;

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

void Parameters::add(const std::string& value) {
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

double Rows::real(int row, int column) const {
    return std::bit_cast<double>(integer(row, column));
}

std::string Rows::text(int row, int column) const {
    const Bytes value = bytes(row, column);
    return {reinterpret_cast<const char*>(value.data()), value.size()};
}

Bytes Rows::bytes(int row, int column) const {
    return {reinterpret_cast<const std::uint8_t*>(PQgetvalue(result_.get(), row, column)),
            static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

bool Rows::is_null(int row, int column) const {
    return PQgetisnull(result_.get(), row, column) != 0;
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

void CopyText::add_real(double value) {
    add_int8(std::bit_cast<std::int64_t>(value));
}

void CopyText::add(Bytes value) {
    put_bytes(text_, value);
}

void CopyText::add(const std::string& value) {
    add(Bytes{reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
}

void CopyText::add_null() {
    put(text_, std::uint32_t{0xffffffff});
}

void CopyText::end() {
    put(text_, std::uint16_t{0xffff});
}

} // namespace adjourn::storage::postgresql
