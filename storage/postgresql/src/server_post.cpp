// The server's side of the post (storage/post.hpp).
#include "post_end.hpp"
#include "storage_postgresql/open.hpp"

#include <algorithm>
#include <iterator>

namespace adjourn::storage::postgresql {

namespace {

Bytes bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class PostgresServerPost final : public ServerPost {
public:
    PostgresServerPost(const std::string& url, const std::string& shown) : post_{url, shown} {
        post_.listen("adjourn_server");
    }

    void wait(std::chrono::milliseconds most) override { post_.wait(most); }
    void wake() override { post_.wake(); }

    // One statement, which sees one moment.
    Sight look(const std::vector<PostMachine>& known, const std::vector<std::int64_t>& has,
               std::size_t most_answers) override {
        return post_.use([&](Connection& connection) {
            if (known.empty()) { // of machines that were killed while there was no server
                connection.execute("DELETE FROM machines WHERE seen < now() - interval '7 days'");
            }
            return sight_in(connection.run(
                "WITH shown AS (SELECT number, machine, lease, answer FROM answers "
                "WHERE number <> ALL ($2::bigint[]) AND (machine = ANY ($1::bigint[]) OR NOT "
                "EXISTS "
                "(SELECT FROM machines m WHERE m.machine = answers.machine)) "
                "ORDER BY number LIMIT $3) "
                "SELECT 1::bigint AS kind, machine AS number, beats, gone, pulse AS text, "
                "CASE WHEN machine = ANY ($1::bigint[]) THEN NULL ELSE hello END FROM machines "
                "UNION ALL SELECT 2, lease, machine, NULL, NULL, NULL FROM questions "
                "UNION ALL SELECT 2, lease, machine, NULL, NULL, NULL FROM answers "
                "WHERE number <> ALL ($2::bigint[]) AND number NOT IN (SELECT number FROM shown) "
                "UNION ALL SELECT 3, number, machine, lease, answer, NULL FROM shown "
                "ORDER BY kind, number",
                known, has, most_answers));
        });
    }

    void apply(const Orders& orders) override {
        const auto numbers = [](const auto& all, auto number) {
            std::vector<std::int64_t> found;
            std::ranges::transform(all, std::back_inserter(found), number);
            return found;
        };
        const auto texts = [](const auto& all, auto text) {
            std::vector<Bytes> found;
            std::ranges::transform(all, std::back_inserter(found),
                                   [&](const auto& each) { return bytes_of(each.*text); });
            return found;
        };
        const std::vector<Question>& offer = orders.offer;
        Parameters parameters;
        parameters.add(numbers(orders.welcome, &Welcome::machine));
        parameters.add(texts(orders.welcome, &Welcome::text));
        parameters.add(numbers(orders.drain, &Drain::machine));
        parameters.add(numbers(orders.drain, &Drain::on));
        parameters.add(orders.forget);
        parameters.add(orders.remove);
        parameters.add(orders.read);
        parameters.add(orders.hurry);
        parameters.add(numbers(offer, &Question::lease));
        parameters.add(texts(offer, &Question::profile));
        parameters.add(numbers(offer, &Question::urgent));
        parameters.add(numbers(offer, [](const Question& q) { return q.prefers.value_or(0); }));
        parameters.add(numbers(offer, [](const Question& q) { return q.avoids.value_or(0); }));
        parameters.add(texts(offer, &Question::text));
        parameters.add(orders.wake);
        post_.use([&](Connection& connection) {
            return connection.run_with("SELECT carry_out($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, "
                                       "$11, $12, $13, $14, $15)",
                                       parameters);
        });
    }

private:
    static Sight sight_in(const Rows& rows) {
        Sight sight;
        for (int i = 0; i < rows.size(); ++i) {
            const std::int64_t number = rows.integer(i, 1);
            switch (rows.integer(i, 0)) {
            case 1:
                sight.machines.push_back(
                    {number, rows.is_null(i, 5) ? std::nullopt : std::optional{rows.text(i, 5)},
                     rows.text(i, 4), rows.integer(i, 2), rows.integer(i, 3) != 0});
                break;
            case 2:
                sight.rows.push_back({number, rows.is_null(i, 2)
                                                  ? std::nullopt
                                                  : std::optional{rows.integer(i, 2)}});
                break;
            default:
                sight.answers.push_back(
                    {number, rows.integer(i, 2), rows.integer(i, 3), rows.text(i, 4)});
            }
        }
        return sight;
    }

    PostConnection post_;
};

} // namespace

std::unique_ptr<ServerPost> open_server_post(const std::string& url, const std::string& shown) {
    return std::make_unique<PostgresServerPost>(url, shown);
}

} // namespace adjourn::storage::postgresql
