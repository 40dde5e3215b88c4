#include "storage_base/row_stream.hpp"

namespace adjourn::storage {

std::span<const TableShape> table_shapes() {
    using enum ColumnType;
    static const std::vector<TableShape> all{
        {.name = "engines",
         .columns = {{"id"},
                     {"fingerprint", text},
                     {"name", text},
                     {"version", text},
                     {"options", text},
                     {"network", text}},
         .tally = "id + length(fingerprint)",
         .numbered = true},
        {.name = "positions",
         .columns = {{"id"}, {"key", bytes}},
         .tally = "id % 65536 + length(key)",
         .large = true,
         .numbered = true},
        {.name = "evaluations",
         .columns = {{"id"},
                     {"engine", int4},
                     {"limit_kind", int2},
                     {"limit_amount"},
                     {"excluded", bytes},
                     {"at"},
                     {"answer", bytes},
                     {"checksum", int4}},
         .tally = "checksum",
         .large = true},
        {.name = "failures",
         .columns = {{"engine"},
                     {"position"},
                     {"limit_kind"},
                     {"limit_amount"},
                     {"excluded", bytes},
                     {"reason", text},
                     {"attempts"},
                     {"at"},
                     {"checksum"}},
         .key = 5,
         .tally = "checksum"},
        {.name = "analyses",
         .columns = {{"id"},
                     {"name", text},
                     {"root_fen", text},
                     {"root_moves", bytes},
                     {"profile", text},
                     {"engine"},
                     {"limit_kind"},
                     {"limit_amount"},
                     {"parameters", text},
                     {"priority"},
                     {"rank", real},
                     {"state", text},
                     {"state_reason", text},
                     {"created_at"},
                     {"checksum"}},
         .tally = "checksum",
         .numbered = true},
        {.name = "directives",
         .columns = {{"id"},
                     {"analysis"},
                     {"position"},
                     {"move"},
                     {"line", bytes},
                     {"action", text},
                     {"text", text},
                     {"at"},
                     {"checksum"}},
         .tally = "checksum",
         .numbered = true},
        {.name = "snapshots",
         .columns = {{"id"}, {"analysis"}, {"refine"}, {"at"}, {"data", text}, {"checksum"}},
         .tally = "checksum",
         .numbered = true},
        {.name = "sources", .columns = {{"id"}, {"text", text}}, .tally = "id", .numbered = true},
        {.name = "seeds",
         .columns =
             {{"id"}, {"analysis"}, {"position"}, {"move"}, {"source"}, {"at"}, {"checksum"}},
         .tally = "checksum",
         .numbered = true},
        {.name = "usage",
         .columns = {{"analysis"}, {"evaluations_new"}, {"nodes"}, {"engine_ms"}, {"checksum"}},
         .tally = "checksum"},
        {.name = "asked",
         .columns = {{"analysis"}, {"evaluation"}},
         .key = 2,
         .tally = "analysis % 65536 + evaluation % 1000003",
         .large = true},
        {.name = "asked_sums", .columns = {{"analysis"}, {"sum"}}, .tally = "sum"},
        {.name = "totals", .columns = {{"name", text}, {"value"}}, .tally = "value"}};
    return all;
}

std::string key_columns(const TableShape& table) {
    std::string text;
    for (std::size_t i = 0; i < table.key; ++i) {
        text += (i == 0 ? "" : ", ") + std::string{table.columns[i].name};
    }
    return text;
}

std::string all_columns(const TableShape& table) {
    std::string text;
    for (const Column& column : table.columns) {
        text += (text.empty() ? "" : ", ") + std::string{column.name};
    }
    return text;
}

Row key_of(const TableShape& table, const Row& row) {
    return {row.begin(), row.begin() + static_cast<std::ptrdiff_t>(table.key)};
}

std::string key_condition(const TableShape& table, const char* compare,
                          const std::optional<Row>& key, std::string (*mark)(int)) {
    if (!key) {
        return "";
    }
    std::string marks;
    for (std::size_t i = 0; i < table.key; ++i) {
        marks += (i == 0 ? "" : ", ") + mark(static_cast<int>(i) + 1);
    }
    return " WHERE (" + key_columns(table) + ") " + compare + " (" + marks + ")";
}

} // namespace adjourn::storage
