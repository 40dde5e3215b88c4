// What follows the owner of a database (storage/follower.hpp): by the table `changes`.
#include "reads.hpp"
#include "schema.hpp"
#include "storage_postgresql/open.hpp"
#include "writes.hpp"

#include <algorithm>
#include <memory>

namespace adjourn::storage::postgresql {

namespace {

// Rows and evaluations that are read at once; a row is never parted.
constexpr std::int64_t most_rows = 1'000;
constexpr std::int64_t most_facts = 2'000;

std::vector<AnalysisId> analyses_of(const Rows& rows) {
    std::vector<AnalysisId> analyses;
    analyses.reserve(static_cast<std::size_t>(rows.size()));
    for (int i = 0; i < rows.size(); ++i) {
        analyses.push_back(AnalysisId{rows.integer(i, 0)});
    }
    return analyses;
}

class PostgresFollower final : public Follower {
    // A connection that failed is dropped.
    template <class Work>
    auto use(Work work) {
        if (reads_ && reads_->connection().lost()) {
            reads_.reset();
        }
        if (!reads_) {
            auto fresh = std::make_unique<PostgresReads>(url_, shown_);
            require_current(fresh->connection(), migrations());
            reads_ = std::move(fresh);
        }
        try {
            return work(*reads_);
        } catch (...) {
            reads_.reset();
            throw;
        }
    }

public:
    PostgresFollower(std::string url, std::string shown)
        : url_{std::move(url)}, shown_{std::move(shown)} {
        last_ = use([](PostgresReads& reads) { return newest(reads.connection()); });
    }

    News next() override {
        return use([this](PostgresReads& reads) { return read(reads); });
    }

    bool has_owner() override {
        return use([](PostgresReads& reads) { return postgresql::has_owner(reads.connection()); });
    }

private:
    static std::int64_t newest(Connection& connection) {
        return connection.run("SELECT max(number) FROM changes").integer(0, 0);
    }

    News read(PostgresReads& reads) {
        Connection& connection = reads.connection();
        News news;
        const Transaction moment{connection, Transaction::Kind::read};
        const Rows rows = connection.run("SELECT number, cardinality(facts) FROM changes "
                                         "WHERE number >= $1 ORDER BY number LIMIT $2",
                                         last_, most_rows);
        if (rows.size() == 0 || rows.integer(0, 0) != last_) { // it was away for too long
            last_ = newest(connection);
            news.missed = true;
            return news;
        }
        std::int64_t upto = last_, facts = 0;
        for (int i = 1; i < rows.size() && facts < most_facts; ++i) {
            upto = rows.integer(i, 0);
            facts += rows.integer(i, 1);
        }
        news.more = upto != rows.integer(rows.size() - 1, 0) || rows.size() == most_rows;
        if (upto == last_) {
            return news;
        }
        if (facts > 0) {
            news.evaluations = reads.followed(last_, upto);
        }
        news.analyses =
            analyses_of(connection.run("SELECT DISTINCT unnest(analyses) AS a FROM changes "
                                       "WHERE number > $1 AND number <= $2 ORDER BY a",
                                       last_, upto));
        news.seeded = analyses_of(connection.run("SELECT DISTINCT unnest(seeded) AS a FROM changes "
                                                 "WHERE number > $1 AND number <= $2 ORDER BY a",
                                                 last_, upto));
        last_ = upto;
        return news;
    }

    const std::string url_, shown_;
    std::unique_ptr<PostgresReads> reads_;
    std::int64_t last_ = 0; // row of `changes` that was read
};

} // namespace

std::unique_ptr<Follower> open_follower(const std::string& url, const std::string& shown) {
    return std::make_unique<PostgresFollower>(url, shown);
}

} // namespace adjourn::storage::postgresql
