// Post: the tables by which a server and the machines that answer its questions meet in one
// database. Whoever has a row has the question: the server offers rows, a machine takes some, and
// ends them by its answers. Texts are opaque here.
//
// What a function did is committed when it returns. All of them block for the database, and throw
// StoreError where it cannot be reached; the next call connects anew. An object belongs to one
// thread at a time, but for wake().
#pragma once

#include "storage/open.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::storage {

using PostMachine = std::int64_t; // never used again
using PostLease = std::int64_t;   // the server's number of an offered question

// What both sides have.
class PostEnd {
public:
    PostEnd() = default;
    PostEnd(const PostEnd&) = delete;
    PostEnd& operator=(const PostEnd&) = delete;
    virtual ~PostEnd() = default;

    // Until the other side has done something, wake() was called, or the time is over.
    virtual void wait(std::chrono::milliseconds most) = 0;
    // Any thread. Not lost if nobody waits now.
    virtual void wake() = 0;
};

// The server's side. For the owner of the store.
class ServerPost : public PostEnd {
public:
    struct Machine {
        PostMachine machine;
        std::optional<std::string> hello; // unless it was said to be known
        std::string pulse;
        std::int64_t beats; // how often it was heard of
        bool gone;          // it said goodbye
    };
    struct Row { // an offered question
        PostLease lease;
        std::optional<PostMachine> machine; // that has it
    };
    struct Answer {
        std::int64_t number;
        PostMachine machine;
        PostLease lease;
        std::string text;
    };
    // What stands in the tables at one moment.
    struct Sight {
        std::vector<Machine> machines;
        std::vector<Row> rows;
        std::vector<Answer> answers; // oldest first
    };
    // Without the hello of machines that are `known`, and without answers that it `has`. Of the
    // others so many at most, and none of machines that are there and not known: they would take
    // the place of those that can be read. A question whose answer is not shown is its machine's.
    virtual Sight look(const std::vector<PostMachine>& known, const std::vector<std::int64_t>& has,
                       std::size_t most_answers) = 0;

    struct Question {
        PostLease lease;
        std::string profile;
        bool urgent;
        std::optional<PostMachine> prefers, avoids;
        std::string text;
    };
    struct Welcome {
        PostMachine machine;
        std::string text;
    };
    struct Drain {
        PostMachine machine;
        bool on;
    };
    struct Orders {
        std::vector<Question> offer;
        std::vector<PostLease> remove; // whoever has it
        std::vector<PostLease> hurry;
        std::vector<Welcome> welcome;
        std::vector<Drain> drain;
        std::vector<PostMachine> forget;
        std::vector<std::int64_t> read; // answers, by number
        std::vector<PostMachine> wake;

        bool empty() const;
    };
    virtual void apply(const Orders& orders) = 0; // all of it or nothing
};

// A machine's side.
class WorkerPost : public PostEnd {
public:
    // A machine that is new. wait() hears what is for it.
    virtual PostMachine enter(const std::string& hello) = 0;
    // nullopt: the server has not seen it so far.
    virtual std::optional<std::string> welcome(PostMachine machine) = 0;

    struct Wish {
        std::string profile;
        std::size_t most; // questions
    };
    struct Mine {
        PostLease lease;
        bool urgent;
        std::optional<std::string> text; // unless it is held
    };
    struct State {
        bool known = false; // else it has to enter again
        bool drain = false;
        std::vector<Mine> mine; // all
    };
    // Takes questions that nobody has, those that suit this machine first. `held`: what it has.
    virtual State take(PostMachine machine, std::span<const Wish> wishes,
                       const std::vector<PostLease>& held) = 0;
    // Says that it lives.
    virtual State beat(PostMachine machine, const std::string& pulse,
                       const std::vector<PostLease>& held) = 0;

    struct Answer {
        PostLease lease;
        std::string text;
    };
    // Durable on return, and the questions are not its own any more. False: as State::known.
    virtual bool give(PostMachine machine, std::span<const Answer> answers) = 0;
    virtual void leave(PostMachine machine) = 0;
};

// Null where the store has no such tables: a directory. Nothing is connected before the first call.
std::unique_ptr<ServerPost> open_server_post(const std::filesystem::path& location);
std::unique_ptr<WorkerPost> open_worker_post(const std::filesystem::path& location);

} // namespace adjourn::storage
