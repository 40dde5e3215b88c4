// The server's side of the post (storage/post.hpp).
#include "post_end.hpp"
#include "storage_postgresql/open.hpp"

namespace adjourn::storage::postgresql {

namespace {

Bytes bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::optional<PostMachine> machine_or_none(const Rows& rows, int row, int column) {
    return rows.is_null(row, column) ? std::nullopt : std::optional{rows.integer(row, column)};
}

class PostgresServerPost final : public ServerPost {
public:
    PostgresServerPost(const std::string& url, const std::string& shown) : post_{url, shown} {
        post_.listen("adjourn_server");
    }

    void wait(std::chrono::milliseconds most) override { post_.wait(most); }
    void wake() override { post_.wake(); }

    Sight look(const std::vector<PostMachine>& known) override {
        return post_.use([&](Connection& connection) {
            if (known.empty()) { // of machines that were killed while there was no server
                connection.execute("DELETE FROM machines WHERE seen < now() - interval '7 days'");
            }
            Sight sight;
            Transaction moment{connection, Transaction::Kind::read};
            read_machines(connection, known, sight);
            const Rows rows = connection.run("SELECT lease, machine FROM questions");
            for (int i = 0; i < rows.size(); ++i) {
                sight.rows.push_back({rows.integer(i, 0), machine_or_none(rows, i, 1)});
            }
            const Rows answers = connection.run(
                "SELECT number, machine, lease, answer FROM answers ORDER BY number");
            for (int i = 0; i < answers.size(); ++i) {
                sight.answers.push_back({answers.integer(i, 0), answers.integer(i, 1),
                                         answers.integer(i, 2), answers.text(i, 3)});
            }
            return sight;
        });
    }

    void apply(const Orders& orders) override {
        post_.use([&](Connection& connection) {
            Transaction transaction{connection, Transaction::Kind::write};
            // What is here can be lost with the database's power: the next look shows it.
            connection.execute("SET LOCAL synchronous_commit = off");
            // Machines before questions, as they do it themselves: nobody waits for each other.
            for (const Welcome& welcome : orders.welcome) {
                connection.run("UPDATE machines SET welcome = $2 WHERE machine = $1",
                               welcome.machine, bytes_of(welcome.text));
            }
            for (const Drain& drain : orders.drain) {
                connection.run("UPDATE machines SET drain = $2 WHERE machine = $1", drain.machine,
                               drain.on ? 1 : 0);
            }
            run_if_any(connection, orders.forget,
                       "DELETE FROM machines WHERE machine = ANY ($1::bigint[])");
            run_if_any(connection, orders.remove,
                       "DELETE FROM questions WHERE lease = ANY ($1::bigint[])");
            run_if_any(connection, orders.read,
                       "DELETE FROM answers WHERE number = ANY ($1::bigint[])");
            run_if_any(connection, orders.hurry,
                       "UPDATE questions SET urgent = 1 WHERE lease = ANY ($1::bigint[])");
            offer(connection, orders.offer);
            run_if_any(connection, orders.wake,
                       "SELECT pg_notify('adjourn_machine_' || machine, '') FROM "
                       "unnest($1::bigint[]) AS woken (machine)");
            transaction.commit();
        });
    }

private:
    static void read_machines(Connection& connection, const std::vector<PostMachine>& known,
                              Sight& sight) {
        const Rows rows = connection.run(
            "SELECT machine, CASE WHEN machine = ANY ($1::bigint[]) THEN NULL ELSE hello END, "
            "pulse, beats, gone FROM machines ORDER BY machine",
            known);
        for (int i = 0; i < rows.size(); ++i) {
            sight.machines.push_back(
                {rows.integer(i, 0),
                 rows.is_null(i, 1) ? std::nullopt : std::optional{rows.text(i, 1)},
                 rows.text(i, 2), rows.integer(i, 3), rows.integer(i, 4) != 0});
        }
    }

    static void run_if_any(Connection& connection, const std::vector<std::int64_t>& ids,
                           const std::string& sql) {
        if (!ids.empty()) {
            connection.run(sql, ids);
        }
    }

    static void offer(Connection& connection, const std::vector<Question>& questions) {
        for (const Question& question : questions) {
            connection.run("INSERT INTO questions (lease, profile, urgent, prefers, avoids, "
                           "question) VALUES ($1, $2, $3, $4, $5, $6)",
                           question.lease, bytes_of(question.profile), question.urgent ? 1 : 0,
                           question.prefers, question.avoids, bytes_of(question.text));
        }
    }

    PostConnection post_;
};

} // namespace

std::unique_ptr<ServerPost> open_server_post(const std::string& url, const std::string& shown) {
    return std::make_unique<PostgresServerPost>(url, shown);
}

} // namespace adjourn::storage::postgresql
