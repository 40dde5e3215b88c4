// Person: somebody who uses the server, one call after the other, and holds each answer against
// what was acknowledged. Changes only analyses of his own; reads those of all.
#pragma once

#include "world.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::simulation {

using nlohmann::json;

// What something is by the last word that was acknowledged, and by those of which nobody knows
// whether they came through.
template <class Value>
class Remembered {
public:
    Remembered() = default;
    explicit Remembered(Value value) : stands_(std::move(value)) {} // braces: an array of JSON

    void asked(Value value) { perhaps_.push_back(std::move(value)); }
    void done(Value value) {
        stands_ = std::move(value);
        perhaps_.clear(); // they came before it, or never
    }
    void refused() { perhaps_.pop_back(); }
    bool may_be(const Value& value) const {
        return value == stands_ || std::ranges::find(perhaps_, value) != perhaps_.end();
    }
    // Seen when nothing is under way any more.
    void is(Value value) { done(std::move(value)); }
    const Value& known() const { return stands_; }
    bool sure() const { return perhaps_.empty(); }

private:
    Value stands_{};
    std::vector<Value> perhaps_;
};

struct KeptAnalysis {
    std::string tag; // of no other one: by it an analysis is found that was perhaps made
    std::size_t owner = 0;
    std::optional<std::int64_t> id;
    std::int64_t least_positions = 0; // of its budget, as was acknowledged
    bool pushed = false; // somebody wanted searches at once, which are made while it is held
    std::optional<std::int64_t> rested; // held, with nothing out: it had asked so much
    Remembered<bool> there;
    std::map<std::string, Remembered<json>> settings;     // as GET has them
    std::map<std::string, Remembered<bool>> notes, links; // by text, by name
    std::map<std::string, std::int64_t> note_at, link_id; // where it is known
    std::map<std::string, std::string> note_root;         // what had been played
    std::map<std::string, Remembered<std::string>> files; // by name; what its game says
    std::map<std::string, std::int64_t> file_id;
    // A file that all edit, each at his own move: who they are, and what he has said there.
    std::optional<std::int64_t> shared;
    std::map<std::size_t, Remembered<std::string>> said;
    Remembered<std::string> played;
    std::uint64_t changes = 0; // that were asked for
    struct Told {              // what has changed, and until when
        analysis::UnixMs until;
        std::string alpha;
        std::uint64_t changes;
        std::string second; // the engine under that profile then
    };
    std::optional<Told> told;
};

// Of somebody who plays by a clock, and what it is asked.
struct TakenSeat {
    std::int64_t number = 0;                 // of what was asked for last
    bool sure = false;                       // it was acknowledged in this life
    bool looks = false;                      // perhaps, and has a process
    std::optional<chess::Position> position; // nullopt: nothing
    std::uint64_t version = 0;
};

class People {
public:
    People(World& world, std::size_t count);

    // One of them does something, or, where none is to begin anything, hears what he waits for;
    // false if there is nothing.
    bool act(std::size_t who, bool begins = true);
    // Some do something while the server is just starting.
    void act_at_once();
    // The server has died: nobody gets an answer.
    void hung_up();
    // Finishes what is under way.
    bool busy() const;
    // All that is remembered, by GET; what was in doubt is known then. REQUIRES: nothing is under
    // way, the server is well.
    void look_at_everything();
    // The trees of all, as people see them.
    std::string trees();
    // States in which an analysis rests.
    std::string not_at_rest();
    std::size_t count() const { return calls_.size(); }
    void resume_all();
    void look_at_held();
    void look_for_failures();
    void look_at_priority();
    void read_for_long();
    // Where nothing fails: what must be so once all is done.
    void look_when_calm();

private:
    using Then = std::function<void(int status, const json&)>;
    struct Call {
        std::string what;
        server::Api::Wait wait;
        analysis::UnixMs until = 0;
        Then then;
        std::function<void()> perhaps; // nobody knows
    };

    void send(std::size_t who, http::Method method, const std::string& target, const json& body,
              Then then, const std::string& text = "");
    void answered(std::size_t who, const http::Response& response);
    json get(const std::string& target);
    http::Response ask(http::Method method, const std::string& target, const json& body);
    KeptAnalysis* own(std::size_t who);
    KeptAnalysis* any();
    static std::string path(const KeptAnalysis& of, const std::string& rest = "");

    void create(std::size_t who);
    void change(std::size_t who, KeptAnalysis& of);
    void note(std::size_t who, KeptAnalysis& of);
    void direct(std::size_t who, KeptAnalysis& of);
    void file(std::size_t who, KeptAnalysis& of);
    void share(std::size_t who, KeptAnalysis& of);
    void comment(std::size_t who, KeptAnalysis& of);
    void link(std::size_t who, KeptAnalysis& of);
    void advance(std::size_t who, KeptAnalysis& of);
    void more(std::size_t who, KeptAnalysis& of);
    void renew(std::size_t who, KeptAnalysis& of);
    void board(std::size_t who, KeptAnalysis& of);
    void seat(std::size_t who);
    void look_at(TakenSeat& seat, const json& found);
    void look_at_seats();
    void look_at_links(const KeptAnalysis& of);
    void look_at_shared(std::size_t who, KeptAnalysis& of);
    void remove(std::size_t who, KeptAnalysis& of);
    void import(std::size_t who, KeptAnalysis& of);
    void read(std::size_t who, KeptAnalysis& of);
    void ask_changes(std::size_t who, KeptAnalysis& of);
    void look_at_failures(const std::string& seen);
    void look_at(KeptAnalysis& of, const json& seen, bool settles);
    static bool has_less(const json& analysis, std::int64_t positions);
    template <class Value>
    void change_one(std::size_t who, Remembered<Value>& what, Value to, http::Method method,
                    const std::string& target, const json& body,
                    std::function<void(const json&)> done = {});

    World& world_;
    std::vector<std::optional<Call>> calls_; // by person
    std::vector<std::unique_ptr<KeptAnalysis>> analyses_;
    std::vector<TakenSeat> seats_; // by person
    int numbers_ = 0;
};

} // namespace adjourn::simulation
