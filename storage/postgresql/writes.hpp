// PostgresWrites: Writes on the connection that writes the database: facts that stand beside each
// other in a few statements for all.
#pragma once

#include "storage/postgresql/connection.hpp"
#include "storage/rows/writes.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace adjourn::storage::postgresql {

class PostgresWrites final : public Writes {
public:
    explicit PostgresWrites(Connection& connection) : connection_{connection} {}

    std::vector<Outcome> append(std::span<const Answered* const> facts) override;

private:
    // What is known of a position while a group is written.
    struct Known;
    struct Group;

    void run(const std::string& sql, Cells parameters, const TakeRow& take) override;
    std::int64_t next_id(const Table& table) override;
    void ask(AnalysisId analysis, std::int64_t evaluation) override;

    void find_positions(Group& group);
    void find_answers(Group& group);
    Outcome decide(Group& group, const Answered& fact);
    void add(const Group& group);

    Connection& connection_;
    std::vector<std::int64_t> askers_, asked_; // new rows of `asked`, of the group
};

} // namespace adjourn::storage::postgresql
