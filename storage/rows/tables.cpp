#include "storage/rows/tables.hpp"

#include "storage/rows/checksum.hpp"

#include <array>

namespace adjourn::storage {

namespace tables {

using enum ColumnType;

const Table engines{.name = "engines",
                    .row = "engine",
                    .columns = {{"id"},
                                {"fingerprint", text},
                                {"name", text},
                                {"version", text},
                                {"options", text},
                                {"network", text}},
                    .tally = "id + length(fingerprint)",
                    .numbered = true};

const Table positions{.name = "positions",
                      .row = "position",
                      .columns = {{"id"}, {"key", bytes}},
                      .tally = "id % 65536 + length(key)",
                      .large = true,
                      .numbered = true};

// The checksum begins with what an evaluation shares with its neighbours.
const Table evaluations{.name = "evaluations",
                        .row = "evaluation",
                        .columns = {{"id", int8, Refers::fact},
                                    {"engine", int4, Refers::engine},
                                    {"limit_kind", int2},
                                    {"limit_amount"},
                                    {"excluded", bytes},
                                    {"at"},
                                    {"answer", bytes},
                                    {"checksum", int4}},
                        .large = true,
                        .references_first = true};

const Table failures{.name = "failures",
                     .row = "failure at position",
                     .columns = {{"engine", int8, Refers::engine},
                                 {"position", int8, Refers::position},
                                 {"limit_kind"},
                                 {"limit_amount"},
                                 {"excluded", bytes},
                                 {"reason", text},
                                 {"attempts"},
                                 {"at"},
                                 {"checksum"}},
                     .key = 5,
                     .told = 1};

const Table analyses{.name = "analyses",
                     .row = "analysis",
                     .columns = {{"id"},
                                 {"name", text},
                                 {"root_fen", text},
                                 {"root_moves", bytes},
                                 {"profile", text},
                                 {"engine", int8, Refers::engine},
                                 {"limit_kind"},
                                 {"limit_amount"},
                                 {"parameters", text},
                                 {"priority"},
                                 {"rank", real},
                                 {"state", text},
                                 {"state_reason", text},
                                 {"created_at"},
                                 {"checksum"}},
                     .numbered = true};

const Table directives{.name = "directives",
                       .row = "directive",
                       .columns = {{"id"},
                                   {"analysis"},
                                   {"position", int8, Refers::position},
                                   {"move"},
                                   {"line", bytes},
                                   {"action", text},
                                   {"text", text},
                                   {"at"},
                                   {"checksum"}},
                       .numbered = true};

const Table snapshots{
    .name = "snapshots",
    .row = "snapshot",
    .columns = {{"id"}, {"analysis"}, {"refine"}, {"at"}, {"data", text}, {"checksum"}},
    .numbered = true};

const Table sources{.name = "sources",
                    .row = "source",
                    .columns = {{"id"}, {"text", text}},
                    .tally = "id",
                    .numbered = true};

const Table seeds{.name = "seeds",
                  .row = "seed",
                  .columns = {{"id"},
                              {"analysis"},
                              {"position", int8, Refers::position},
                              {"move"},
                              {"source", int8, Refers::source},
                              {"at"},
                              {"checksum"}},
                  .numbered = true};

const Table usage{
    .name = "usage",
    .row = "usage of analysis",
    .columns = {{"analysis"}, {"evaluations_new"}, {"nodes"}, {"engine_ms"}, {"checksum"}}};

const Table files{.name = "files",
                  .row = "version of a file",
                  .columns = {{"id"},
                              {"analysis"},
                              {"file"},
                              {"number"},
                              {"version"},
                              {"before"},
                              {"text", text},
                              {"at"},
                              {"checksum"}},
                  .numbered = true};

const Table machines{.name = "machines",
                     .row = "machine",
                     .columns = {{"id"}, {"name", text}, {"checksum"}},
                     .numbered = true};

const Table clouds{
    .name = "clouds",
    .row = "answer of a cloud at",
    .columns = {{"position", bytes}, {"source", text}, {"at"}, {"text", text}, {"checksum"}},
    .key = 2,
    .told = 2};

const Table asked{.name = "asked",
                  .row = "asked by analysis",
                  .columns = {{"analysis"}, {"evaluation"}},
                  .key = 2,
                  .tally = "analysis % 65536 + evaluation % 1000003",
                  .large = true};

const Table asked_sums{.name = "asked_sums",
                       .row = "sum of what was asked by analysis",
                       .columns = {{"analysis"}, {"sum"}},
                       .tally = "sum"};

const Table totals{
    .name = "totals", .row = "total", .columns = {{"name", text}, {"value"}}, .tally = "value"};

} // namespace tables

std::span<const Table* const> all_tables() {
    using namespace tables;
    static constexpr std::array<const Table*, 16> all{
        &engines,    &machines,  &positions,  &evaluations, &failures, &analyses,
        &directives, &snapshots, &sources,    &seeds,       &usage,    &files,
        &clouds,     &asked,     &asked_sums, &totals};
    return all;
}

std::int64_t integer(const Cell& cell) {
    const auto* value = std::get_if<std::int64_t>(&cell);
    return value == nullptr ? 0 : *value;
}

Bytes bytes(const Cell& cell) {
    if (const auto* value = std::get_if<std::string_view>(&cell)) {
        return {reinterpret_cast<const std::uint8_t*>(value->data()), value->size()};
    }
    const auto* value = std::get_if<Bytes>(&cell);
    return value == nullptr ? Bytes{} : *value;
}

std::string text(const Cell& cell) {
    const Bytes value = bytes(cell);
    return {reinterpret_cast<const char*>(value.data()), value.size()};
}

std::string row_name(const Table& table, Cells row) {
    return std::string{table.row} + " " + std::to_string(integer(row[table.told]));
}

std::string select_rows(const Table& table) {
    const std::string name = table.name;
    std::string columns, referred;
    for (const Column& column : table.columns) {
        const std::string own = name + "." + column.name;
        columns += (columns.empty() ? "" : ", ") + own;
        switch (column.refers) {
        case Refers::nothing: break;
        case Refers::engine:
            referred += ", (SELECT fingerprint FROM engines WHERE engines.id = " + own + ")";
            break;
        case Refers::position:
            referred += ", (SELECT key FROM positions WHERE positions.id = " + own + ")";
            break;
        case Refers::fact:
            referred += ", (SELECT key FROM positions WHERE positions.id = " + own + " >> 16)";
            break;
        case Refers::source:
            referred += ", (SELECT text FROM sources WHERE sources.id = " + own + ")";
            break;
        }
    }
    return "SELECT " + columns + referred + " FROM " + name;
}

namespace {

void add(Checksum& sum, ColumnType type, const Cell& cell) {
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
        sum.add(*integer);
    } else if (const auto* real = std::get_if<double>(&cell)) {
        sum.add(*real);
    } else if (is_null(cell) && type != ColumnType::text && type != ColumnType::bytes) {
        sum.add(std::int64_t{-1});
    } else {
        sum.add(bytes(cell));
    }
}

template <class Text>
std::string listed(std::size_t begin, std::size_t end, const char* between, Text text) {
    std::string all;
    for (std::size_t i = begin; i < end; ++i) {
        all += (i == begin ? "" : between) + std::string{text(i)};
    }
    return all;
}

std::string mark(std::size_t place) { // from 0
    return "$" + std::to_string(place + 1);
}

} // namespace

std::int64_t checksum(const Table& table, Cells row) {
    Checksum sum;
    const std::size_t columns = table.columns.size();
    if (table.references_first) { // the engine's before the position's
        sum.add(bytes(row[columns + 1])).add(bytes(row[columns]));
    }
    std::size_t reference = columns;
    for (std::size_t i = 0; i + 1 < columns; ++i) {
        const Column& column = table.columns[i];
        if (column.refers == Refers::nothing || column.refers == Refers::fact) {
            add(sum, column.type, row[i]);
        } else if (!table.references_first) {
            add(sum, ColumnType::bytes, row[reference++]);
        }
    }
    return sum.value();
}

bool is_sound(const Table& table, Cells row) {
    return !table.sealed() || checksum(table, row) == integer(row[table.columns.size() - 1]);
}

std::string key_columns(const Table& table) {
    return listed(0, table.key, ", ", [&](std::size_t i) { return table.columns[i].name; });
}

std::string all_columns(const Table& table) {
    return listed(0, table.columns.size(), ", ",
                  [&](std::size_t i) { return table.columns[i].name; });
}

std::string key_condition(const Table& table, const char* compare, std::size_t first) {
    return "(" + key_columns(table) + ") " + compare + " (" +
           listed(first - 1, first - 1 + table.key, ", ", mark) + ")";
}

std::string copy_row(const Table& table) {
    return "INSERT INTO " + std::string{table.name} + " (" + all_columns(table) + ") VALUES (" +
           listed(0, table.columns.size(), ", ", mark) + ")";
}

std::string put_row(const Table& table) {
    return copy_row(table) + " ON CONFLICT (" + key_columns(table) + ") DO UPDATE SET " +
           listed(table.key, table.columns.size(), ", ", [&](std::size_t i) {
               return std::string{table.columns[i].name} + " = excluded." + table.columns[i].name;
           });
}

std::string add_row(const Table& table) {
    const std::size_t columns = table.columns.size();
    return "INSERT INTO " + std::string{table.name} + " (" +
           listed(1, columns, ", ", [&](std::size_t i) { return table.columns[i].name; }) +
           ") VALUES (" + listed(0, columns - 1, ", ", mark) + ") RETURNING id";
}

std::string where_columns(const Table& table, std::size_t first, std::size_t count) {
    return " WHERE " + listed(first, first + count, " AND ", [&](std::size_t i) {
               return table.columns[i].name + (" = " + mark(i - first));
           });
}

} // namespace adjourn::storage
