// SqliteWrites: Writes on the connection that writes the file.
#pragma once

#include "storage/rows/writes.hpp"
#include "storage/sqlite/database.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::storage {

class SqliteWrites final : public Writes {
public:
    explicit SqliteWrites(Database& database);

    std::vector<Outcome> append(std::span<const Answered* const> facts) override;
    void forget() override;

private:
    void run(const std::string& sql, Cells parameters, const TakeRow& take) override;
    std::int64_t next_id(const Table& table) override;
    Place position(const chess::PackedPosition& packed) override;
    void ask(AnalysisId analysis, std::int64_t evaluation) override;

    // A position whose number is known: neighbours in time are about the same few.
    struct Seen {
        chess::PackedPosition position;
        std::int64_t id = 0; // 0: none yet
    };

    Outcome append(const Answered& fact);

    Database& database_;
    Statement find_position_, find_key_, add_position_;
    Statement find_answers_, add_evaluation_, replace_evaluation_, add_asked_;
    std::unordered_map<std::string, Statement> prepared_; // by their text
    std::vector<Seen> seen_;                              // by hash
    std::unordered_map<const Table*, std::int64_t> last_ids_;
    Buffer excluded_, answer_; // reused
};

} // namespace adjourn::storage
