// The checksums of rows are of the values that docs/internals/database-format.md names, in its
// order: told here a second time, in SQL.
#include "contents.hpp"
#include "raw.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;

TEST_CASE("the checksum of every row is of what the format says") {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    const std::string engine = "(SELECT fingerprint FROM engines e WHERE e.id = engine)";
    const std::string key = "(SELECT key FROM positions p WHERE p.id = position)";
    const std::pair<std::string, std::string> values[] = {
        {"evaluations",
         engine + ", " + key + ", id, limit_kind, limit_amount, excluded, at, answer"},
        {"failures",
         engine + ", " + key + ", limit_kind, limit_amount, excluded, reason, attempts, at"},
        {"analyses", "id, name, root_fen, root_moves, profile, coalesce(" + engine +
                         ", ''), limit_kind, limit_amount, parameters, priority, rank, state, "
                         "state_reason, created_at"},
        {"directives", "id, analysis, " + key + ", coalesce(move, -1), line, action, text, at"},
        {"snapshots", "id, analysis, refine, at, data"},
        {"seeds",
         "id, analysis, " + key + ", move, (SELECT text FROM sources s WHERE s.id = source), at"},
        {"clouds", "position, source, at, text"},
        {"usage", "analysis, evaluations_new, nodes, engine_ms"}};
    Database database{database_file(directory), Access::read};
    for (const auto& [table, what] : values) {
        CAPTURE(table);
        const std::string from = "SELECT count(*) FROM " + table;
        CHECK(database.integer(from.c_str()) >= 2);
        CHECK(database.integer(
                  (from + " WHERE checksum <> adjourn_checksum(" + what + ")").c_str()) == 0);
    }
    CHECK(database.integer("SELECT count(*) FROM asked_sums") == 2);
    CHECK(database.integer("SELECT count(*) FROM asked_sums s WHERE sum <> (SELECT "
                           "sum(adjourn_checksum(analysis, evaluation)) FROM asked a "
                           "WHERE a.analysis = s.analysis)") == 0);
}
