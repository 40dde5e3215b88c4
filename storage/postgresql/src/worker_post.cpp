// A machine's side of the post (storage/post.hpp): one call, one round trip.
#include "post_end.hpp"
#include "storage_postgresql/open.hpp"

namespace adjourn::storage::postgresql {

namespace {

Bytes as_bytes(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

WorkerPost::State state_in(const Rows& rows) {
    WorkerPost::State state;
    state.known = rows.size() > 0;
    for (int i = 0; i < rows.size(); ++i) {
        state.drain = rows.integer(i, 0) != 0;
        if (!rows.is_null(i, 1)) {
            state.mine.push_back(
                {rows.integer(i, 1), rows.integer(i, 2) != 0,
                 rows.is_null(i, 3) ? std::nullopt : std::optional{rows.text(i, 3)}});
        }
    }
    return state;
}

class PostgresWorkerPost final : public WorkerPost {
public:
    PostgresWorkerPost(const std::string& url, const std::string& shown) : post_{url, shown} {}

    void wait(std::chrono::milliseconds most) override { post_.wait(most); }
    void wake() override { post_.wake(); }

    PostMachine enter(const std::string& hello) override {
        const PostMachine machine = post_.use([&](Connection& connection) {
            return connection
                .run("INSERT INTO machines (hello) VALUES ($1) RETURNING machine", as_bytes(hello))
                .integer(0, 0);
        });
        post_.listen("adjourn_machine_" + std::to_string(machine));
        tell_server();
        return machine;
    }

    std::optional<std::string> welcome(PostMachine machine) override {
        return post_.use([&](Connection& connection) -> std::optional<std::string> {
            const Rows rows =
                connection.run("SELECT welcome FROM machines WHERE machine = $1", machine);
            return rows.size() == 0 || rows.is_null(0, 0) ? std::nullopt
                                                          : std::optional{rows.text(0, 0)};
        });
    }

    State take(PostMachine machine, std::span<const Wish> wishes,
               const std::vector<PostLease>& held) override {
        std::vector<Bytes> profiles;
        std::vector<std::int64_t> most;
        for (const Wish& wish : wishes) {
            profiles.push_back(as_bytes(wish.profile));
            most.push_back(static_cast<std::int64_t>(wish.most));
        }
        return post_.use([&](Connection& connection) {
            return state_in(connection.run("SELECT drain, lease, urgent, question FROM "
                                           "take_questions($1, $2, $3, $4)",
                                           machine, profiles, most, held));
        });
    }

    State beat(PostMachine machine, const std::string& pulse,
               const std::vector<PostLease>& held) override {
        return post_.use([&](Connection& connection) {
            return state_in(
                connection.run("SELECT drain, lease, urgent, question FROM beat($1, $2, $3)",
                               machine, as_bytes(pulse), held));
        });
    }

    bool give(PostMachine machine, std::span<const Answer> answers) override {
        std::vector<std::int64_t> leases;
        std::vector<Bytes> texts;
        for (const Answer& answer : answers) {
            leases.push_back(answer.lease);
            texts.push_back(as_bytes(answer.text));
        }
        return post_.use([&](Connection& connection) {
            return connection.run("SELECT give_answers($1, $2, $3)", machine, leases, texts)
                       .integer(0, 0) != 0;
        });
    }

    void leave(PostMachine machine) override {
        post_.use([&](Connection& connection) { connection.run("SELECT leave($1)", machine); });
    }

private:
    void tell_server() {
        post_.use(
            [](Connection& connection) { return connection.execute("NOTIFY adjourn_server"); });
    }

    PostConnection post_;
};

} // namespace

std::unique_ptr<WorkerPost> open_worker_post(const std::string& url, const std::string& shown) {
    return std::make_unique<PostgresWorkerPost>(url, shown);
}

} // namespace adjourn::storage::postgresql
