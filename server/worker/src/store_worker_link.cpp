#include "worker/store_worker_link.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace adjourn::server {

using nlohmann::json;
using storage::PostLease;
using storage::PostMachine;
using storage::WorkerPost;
using Clock = std::chrono::steady_clock;
using Kind = LinkTrouble::Kind;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::seconds between_looks{5}; // it looks, though nobody has called
constexpr std::chrono::seconds welcome_patience{20};

// The machine's id is its number there.
PostMachine machine_number(const std::string& machine) {
    PostMachine number = 0;
    std::from_chars(machine.data(), machine.data() + machine.size(), number);
    return number;
}

std::vector<PostLease> post_leases(const std::vector<std::uint64_t>& held) {
    return {held.begin(), held.end()};
}

} // namespace

StoreWorkerLink::StoreWorkerLink(const std::filesystem::path& store)
    : shown_{storage::shown(store)}, post_{storage::open_worker_post(store)} {}

void StoreWorkerLink::close() {
    closed_ = true;
    post_->wake();
}

WorkerLink::Or<json> StoreWorkerLink::guarded(const std::function<Or<json>()>& ask) const {
    if (closed_) {
        return std::unexpected(LinkTrouble{Kind::away, "it was stopped"});
    }
    try {
        return ask();
    } catch (const storage::StoreError& error) {
        return std::unexpected(LinkTrouble{Kind::away, error.what()});
    }
}

WorkerLink::Or<json> StoreWorkerLink::hello(const json& greeting) {
    return guarded([&]() -> Or<json> {
        if (entered_ == 0) {
            entered_ = post_->enter(greeting.dump(-1, ' ', false, json::error_handler_t::replace));
        }
        const auto end = Clock::now() + welcome_patience;
        std::optional<std::string> welcome;
        while (!(welcome = post_->welcome(entered_)) && !closed_ && Clock::now() < end) {
            post_->wait(1s);
        }
        const PostMachine machine = std::exchange(entered_, 0);
        if (!welcome) {
            post_->leave(machine);
            return std::unexpected(LinkTrouble{Kind::away, "no server on " + shown_ +
                                                               " welcomes this machine: is "
                                                               "'adjourn serve' running there?"});
        }
        json told = json::parse(*welcome);
        if (told.contains("refused")) {
            post_->leave(machine);
            return std::unexpected(LinkTrouble{
                Kind::refused, "the server on " + shown_ +
                                   " refuses this machine: " + told["refused"].get<std::string>()});
        }
        urgent_.clear();
        drain_ = false;
        dry_ = false;
        told["id"] = std::to_string(machine);
        return told;
    });
}

json StoreWorkerLink::nothing_new() const {
    return json{{"leases", json::array()},
                {"hurried", json::array()},
                {"withdrawn", json::array()},
                {"drain", drain_}};
}

WorkerLink::Or<json> StoreWorkerLink::news_of(const WorkerPost::State& state,
                                              const std::vector<std::uint64_t>& held) {
    if (!state.known) {
        return std::unexpected(LinkTrouble{Kind::unknown_machine, "this machine is not known"});
    }
    json leases = json::array(), hurried = json::array(), withdrawn = json::array();
    std::map<std::uint64_t, bool> urgent;
    for (const WorkerPost::Mine& mine : state.mine) {
        const auto lease = static_cast<std::uint64_t>(mine.lease);
        urgent[lease] = mine.urgent;
        if (mine.text) {
            leases.push_back(json::parse(*mine.text));
            leases.back()["urgent"] = mine.urgent;
        } else if (const auto known = urgent_.find(lease);
                   mine.urgent && known != urgent_.end() && !known->second) {
            hurried.push_back(lease);
        }
    }
    for (const std::uint64_t lease : held) {
        if (!urgent.contains(lease)) {
            withdrawn.push_back(lease);
        }
    }
    urgent_ = std::move(urgent);
    return json{{"leases", std::move(leases)},
                {"hurried", std::move(hurried)},
                {"withdrawn", std::move(withdrawn)},
                {"drain", state.drain}};
}

WorkerLink::Or<json> StoreWorkerLink::take(const std::string& machine, const json& wishes,
                                           const std::vector<std::uint64_t>& held) {
    return guarded([&]() -> Or<json> {
        std::vector<WorkerPost::Wish> wanted;
        std::size_t most = 0;
        for (const json& wish : wishes) {
            wanted.push_back({wish.at("name"), wish.at("most")});
            most += wanted.back().most;
        }
        // Where it got less than it wished, there is nothing until somebody calls.
        if (std::exchange(dry_, false) && most > 0) {
            post_->wait(between_looks);
            return nothing_new(); // by now it wishes more, perhaps, and has other ones
        }
        const auto state = post_->take(machine_number(machine), wanted, post_leases(held));
        auto news = news_of(state, held);
        if (news) {
            drain_ = state.drain;
            dry_ = (*news)["leases"].size() < most;
        }
        return news;
    });
}

WorkerLink::Or<json> StoreWorkerLink::answers(const std::string& machine, const json& answers,
                                              std::chrono::milliseconds) {
    return guarded([&]() -> Or<json> {
        std::vector<WorkerPost::Answer> given;
        for (const json& answer : answers) {
            given.push_back({static_cast<PostLease>(answer.at("lease").get<std::uint64_t>()),
                             answer.dump(-1, ' ', false, json::error_handler_t::replace)});
        }
        if (!post_->give(machine_number(machine), given)) {
            return std::unexpected(LinkTrouble{Kind::unknown_machine, "this machine is not known"});
        }
        return json{{"results", json::array()}}; // the server's log has them
    });
}

WorkerLink::Or<json> StoreWorkerLink::beat(const std::string& machine, const json& profiles,
                                           const std::vector<std::uint64_t>& held) {
    return guarded([&]() -> Or<json> {
        const json pulse{{"profiles", profiles}};
        return news_of(post_->beat(machine_number(machine), pulse.dump(), post_leases(held)), held);
    });
}

WorkerLink::Or<void> StoreWorkerLink::goodbye(const std::string& machine,
                                              std::chrono::milliseconds) {
    const auto gone = guarded([&]() -> Or<json> {
        post_->leave(machine_number(machine));
        return json{};
    });
    if (!gone) {
        return std::unexpected(gone.error());
    }
    return {};
}

} // namespace adjourn::server
