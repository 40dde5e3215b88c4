// PostgresReads: Reads on one read connection.
#pragma once

#include "storage/postgresql/connection.hpp"
#include "storage/rows/reads.hpp"

#include <string>
#include <vector>

namespace adjourn::storage::postgresql {

class PostgresReads final : public Reads {
public:
    // Throws PostgresError.
    PostgresReads(const std::string& url, const std::string& shown)
        : connection_{url, shown, Access::read} {}

    Connection& connection() { return connection_; }

    // The integrity of the whole database. One line a finding; empty = sound.
    std::vector<std::string> check();

    std::uint64_t evaluation_count() override;
    std::string place() const override { return connection_.shown(); }
    void each(const Table& table, const std::optional<Where>& where, const RowSink& sink) override;
    void each_fact(std::optional<EngineId> engine, EvaluationId after, const Wanted& wanted,
                   const VisitFact& visit,
                   const std::function<void(const std::string&)>& tell) override;
    void each_fact_of(const chess::PackedPosition& position,
                      const std::function<void(const FactRow&)>& visit,
                      const std::function<void(const std::string&)>& tell) override;
    void at_once(const std::function<void()>& work) override;

private:
    Connection connection_;
};

} // namespace adjourn::storage::postgresql
