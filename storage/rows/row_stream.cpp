#include "storage/rows/row_stream.hpp"

namespace adjourn::storage {

OwnedRow own(const Table& table, Cells row) {
    OwnedRow owned;
    owned.reserve(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (const auto* number = std::get_if<std::int64_t>(&row[i])) {
            owned.emplace_back(*number);
        } else if (const auto* real = std::get_if<double>(&row[i])) {
            owned.emplace_back(*real);
        } else if (is_null(row[i])) {
            owned.emplace_back();
        } else if (table.columns[i].type == ColumnType::text) {
            owned.emplace_back(text(row[i]));
        } else {
            const Bytes value = bytes(row[i]);
            owned.emplace_back(Buffer(value.begin(), value.end()));
        }
    }
    return owned;
}

std::vector<Cell> view(const OwnedRow& row) {
    std::vector<Cell> cells;
    cells.reserve(row.size());
    for (const Value& value : row) {
        cells.push_back(std::visit(
            []<class One>(const One& one) -> Cell {
                if constexpr (std::is_same_v<One, std::string>) {
                    return std::string_view{one};
                } else if constexpr (std::is_same_v<One, Buffer>) {
                    return Bytes{one};
                } else {
                    return one;
                }
            },
            value));
    }
    return cells;
}

std::string key_backward(const Table& table) {
    std::string order;
    for (std::size_t i = 0; i < table.key; ++i) {
        order += (i == 0 ? "" : ", ") + std::string{table.columns[i].name} + " DESC";
    }
    return order;
}

RowTally RowSource::tally(const Table& table, const std::optional<OwnedRow>& up_to) {
    RowTally found;
    run("SELECT count(*), CAST(coalesce(sum(" + std::string{table.tally} +
            "), 0) AS bigint) FROM " + table.name +
            (up_to ? " WHERE " + key_condition(table, "<=") : ""),
        up_to, [&](Cells row) {
            found = {integer(row[0]), integer(row[1])};
        });
    return found;
}

std::vector<OwnedRow> RowSource::rows(const Table& table, const std::optional<OwnedRow>& after,
                                      std::size_t most) {
    std::vector<OwnedRow> found;
    run("SELECT " + all_columns(table) + " FROM " + table.name +
            (after ? " WHERE " + key_condition(table, ">") : "") + " ORDER BY " +
            key_columns(table) + " LIMIT " + std::to_string(most),
        after, [&](Cells row) { found.push_back(own(table, row)); });
    return found;
}

std::optional<OwnedRow> RowTarget::last_key(const Table& table) {
    std::optional<OwnedRow> last;
    run("SELECT " + key_columns(table) + " FROM " + table.name + " ORDER BY " +
            key_backward(table) + " LIMIT 1",
        {}, [&](Cells row) { last = own(table, row); });
    return last;
}

OwnedRow key_of(const Table& table, const OwnedRow& row) {
    return {row.begin(), row.begin() + static_cast<std::ptrdiff_t>(table.key)};
}

} // namespace adjourn::storage
