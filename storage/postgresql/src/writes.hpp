// PostgresWrites: Writes on the connection that writes the database: facts that stand beside each
// other in a few statements for all, and a journal of what was done.
#pragma once

#include "connection.hpp"
#include "journal.hpp"
#include "storage_rows/writes.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace adjourn::storage::postgresql {

class PostgresWrites final : public Writes {
public:
    explicit PostgresWrites(Connection& connection) : connection_{connection} {}

    std::vector<Outcome> append(std::span<const Answered* const> facts) override;
    // At the begin of a transaction.
    void begin() { journal_.clear(); }
    void finish() override;
    void mark() override { mark_ = journal_.mark(); }
    void back_to_mark() override;

private:
    // What is known of a position while a group is written.
    struct Known;
    struct Group;

    void run(const std::string& sql, Cells parameters, const TakeRow& take) override;
    std::int64_t next_id(const Table& table) override;
    void ask(AnalysisId analysis, std::int64_t evaluation) override;
    void changed(AnalysisId analysis) override { journal_.analysis(analysis); }
    void seeded(AnalysisId analysis) override { journal_.seeded(analysis); }

    void find_positions(Group& group);
    void find_answers(Group& group);
    Outcome decide(Group& group, const Answered& fact);
    void add(const Group& group);

    Connection& connection_;
    std::vector<std::int64_t> askers_, asked_; // new rows of `asked`, of the group
    Journal journal_;
    Journal::Mark mark_;
};

} // namespace adjourn::storage::postgresql
