// SqliteReads: Reads on one read connection to the file. Where pages of it are damaged, it reads on
// behind them.
#pragma once

#include "database.hpp"
#include "storage_rows/reads.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace adjourn::storage {

class SqliteReads final : public Reads {
public:
    // `damage`, `stop` as of Database. What is damaged beyond a row is told like a damaged row, and
    // the rest is read. Throws SqliteError.
    SqliteReads(const std::filesystem::path& file, Access access, DamageNote* damage = nullptr,
                const std::stop_token& stop = {})
        : own_{std::in_place, file, access, damage, stop}, database_{*own_} {}
    // On a connection of somebody else, which must outlive it.
    explicit SqliteReads(Database& database) : database_{database} {}

    Database& database() { return database_; }

    std::uint64_t evaluation_count() override;
    std::string place() const override { return database_.file().string(); }
    void each(const Table& table, const std::optional<Where>& where, const RowSink& sink) override;
    void each_fact(std::optional<EngineId> engine, EvaluationId after, const Wanted& wanted,
                   const VisitFact& visit,
                   const std::function<void(const std::string&)>& tell) override;
    void each_fact_of(const chess::PackedPosition& position,
                      const std::function<void(const FactRow&)>& visit,
                      const std::function<void(const std::string&)>& tell) override;
    void at_once(const std::function<void()>& work) override;

private:
    // In the order of the table's number, and on behind what cannot be read.
    void each_around(const Table& table, const std::string& select,
                     const std::optional<Where>& where, const RowSink& sink);
    std::string select(const Table& table);
    bool engines_stand();
    std::optional<std::int64_t> position(const chess::PackedPosition& packed);

    std::optional<Database> own_;
    Database& database_;
};

} // namespace adjourn::storage
