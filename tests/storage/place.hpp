// Place: where a test keeps its store, a directory or a database. What the interface promises is
// tested on each kind: `const Place place{GENERATE(kinds())}` runs a test for all that are there.
#pragma once

#include "bench/postgres/postgres_cluster.hpp"
#include "raw.hpp"
#include "samples.hpp"
#include "shared_data.hpp"
#include "test.hpp"

namespace adjourn::storage::test {

enum class Kind : std::uint8_t { sqlite, postgresql };

inline std::string name_of(Kind kind) {
    return kind == Kind::sqlite ? "SQLite" : "PostgreSQL";
}

// For GENERATE. Those of another kind than SQLite are left out where they are missing, and told of.
inline auto kinds() {
    std::vector<Kind> all{Kind::sqlite};
    if (const std::string missing = PostgresCluster::missing(); missing.empty()) {
        all.push_back(Kind::postgresql);
    } else if (static bool told = false; !std::exchange(told, true)) {
        skip("this and other tests on SQLite only: " + missing);
    }
    return Catch::Generators::from_range(all);
}

class Place {
public:
    explicit Place(Kind kind) : kind_{kind} {
        location_ =
            kind == Kind::sqlite ? directory_.path().string() : shared_cluster().new_database();
    }

    Kind kind() const { return kind_; }
    const std::string& location() const { return location_; }
    operator std::filesystem::path() const { return location_; }

private:
    Kind kind_;
    TemporaryDirectory directory_;
    std::string location_;
};

// What a person could do with the database's own program.
inline void run_sql(const Place& place, const char* sql) {
    if (place.kind() == Kind::sqlite) {
        Database{database_file(place), Access::write}.execute(sql);
    } else {
        shared_cluster().sql(place.location(), sql);
    }
}

// Runs SQL on the closed store without any of its rules, as others do; checksums stay as they are.
inline void damage_rows(const Place& place, const std::string& sql) {
    if (place.kind() == Kind::sqlite) {
        damage(place.location(), sql);
    } else {
        shared_cluster().sql(place.location(), "SET session_replication_role = replica; " + sql);
    }
}

// A store at a place of each kind that is there, with an engine.
struct Opened {
    Place place{GENERATE(kinds())};
    std::unique_ptr<Store> store = open_owner(place);
    EngineId engine = store->engine(sample_engine());

    void reopen() {
        store.reset();
        store = open_owner(place);
    }
    Outcome write(Change change) const {
        Outcome outcome;
        store->write(std::move(change), [&](const Outcome& done) { outcome = done; });
        store->flush();
        return outcome;
    }
};

// And an analysis.
struct House : Opened {
    AnalysisId id{insert_and_wait(*store, sample_analysis(engine, "a", 1)).id};
};

} // namespace adjourn::storage::test
