#include "survey.hpp"

#include "read_around.hpp"
#include "storage_rows/check.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace adjourn::storage {

namespace {

class Survey {
public:
    explicit Survey(Database& database) : database_{database} {}

    std::vector<std::string> run() {
        const Transaction snapshot{database_, Transaction::Kind::read};
        for (const char* table :
             {"engines", "machines", "analyses", "directives", "snapshots", "sources", "seeds",
              "files", "usage", "failures", "asked_sums", "totals"}) {
            part(table, [&] { structure(table); });
        }
        part("evaluations", [&] {
            same("evaluations", "SELECT value FROM totals WHERE name = 'evaluations'",
                 "SELECT count(*) FROM evaluations NOT INDEXED");
        });
        part("positions", [&] {
            same("positions",
                 // Of all rows SQLite would count the table's, whatever index is named.
                 "SELECT count(*) FROM positions INDEXED BY sqlite_autoindex_positions_1 "
                 "WHERE key >= x'00'",
                 "SELECT count(*) FROM positions NOT INDEXED");
        });
        part("analyses", [&] { lost_analyses(); });
        return findings_.take();
    }

private:
    // One that cannot be read is a finding, and the others are looked at.
    template <class Look>
    void part(const char* name, Look look) {
        try {
            look();
        } catch (const SqliteError& error) {
            if (!error.damage()) {
                throw;
            }
            findings_.add(name, error.what());
        }
    }

    // Of pages and indexes. What single rows say is for those who read them.
    void structure(const std::string& table) {
        Statement rows{database_, "PRAGMA integrity_check('" + table + "')"};
        while (rows.step()) {
            std::string line = rows.text(0);
            if (line.starts_with("***") || line.find(" index ") != std::string::npos) {
                std::ranges::replace(line, '\n', ' ');
                findings_.add(table, line);
            }
        }
    }

    void same(const char* table, const char* wanted, const char* present) {
        const std::int64_t known = database_.integer(wanted), found = database_.integer(present);
        if (known != found) {
            findings_.add(table, std::to_string(found) + " of them are there, " +
                                     std::to_string(known) + " are known of");
        }
    }

    void lost_analyses() {
        std::set<std::int64_t> present;
        Statement ids{database_, "SELECT id FROM analyses WHERE id > ? ORDER BY id"};
        read_around(
            ids, 0, [](Statement& rows, std::int64_t after) { rows.bind(after); },
            [&] { return present.insert(ids.integer(0)).second; },
            [](std::int64_t, std::optional<std::int64_t>, const std::string&) {});
        std::map<std::int64_t, std::string> lost;
        for (const char* table : {"directives", "snapshots", "seeds", "files", "usage"}) {
            part(table, [&] {
                Statement rows{database_, std::string{"SELECT analysis, count(*) FROM "} + table +
                                              " WHERE analysis IS NOT NULL GROUP BY analysis"};
                while (rows.step()) {
                    if (!present.contains(rows.integer(0))) {
                        std::string& what = lost[rows.integer(0)];
                        what += (what.empty() ? "" : ", ") + rows.text(1) + " of " + table;
                    }
                }
            });
        }
        for (const auto& [id, what] : lost) {
            findings_.add("analysis " + std::to_string(id),
                          "its row is gone; what belongs to it is there: " + what);
        }
    }

    Database& database_;
    Findings findings_;
};

} // namespace

std::vector<std::string> survey_database(Database& database) {
    return Survey{database}.run();
}

} // namespace adjourn::storage
