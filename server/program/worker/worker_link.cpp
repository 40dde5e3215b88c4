#include "program/worker/worker_link.hpp"

#include "host/worker_address.hpp"
#include "storage/open.hpp"

namespace adjourn::server {

using nlohmann::json;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::seconds longest_poll{25}; // that the server may keep a question waiting

std::string message_of(const HttpLink::Reply& reply) {
    const json body = json::parse(reply.body, nullptr, false);
    if (body.is_object() && body.contains("error") && body["error"].is_object()) {
        return body["error"].value("message", "the request is refused");
    }
    return "status " + std::to_string(reply.status);
}

std::string target_of(const std::string& machine) {
    return "/api/v1/workers/" + machine;
}

std::string body_of(const json& body) {
    return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace

LinkTrouble WorkerLink::trouble_of(const Reply& reply) const {
    if (!reply) {
        return {LinkTrouble::Kind::away,
                "the server on " + shown_ + " does not answer: " + reply.error().message};
    }
    const auto kind = reply->status == 404 ? LinkTrouble::Kind::unknown_machine
                      : reply->status == 400 || reply->status == 413 ? LinkTrouble::Kind::useless
                                                                     : LinkTrouble::Kind::away;
    return {kind, "the server on " + shown_ + " says: " + message_of(*reply)};
}

WorkerLink::Or<json> WorkerLink::checked(const Reply& reply) const {
    if (!reply || reply->status >= 300) {
        return std::unexpected(trouble_of(reply));
    }
    return json::parse(reply->body);
}

WorkerLink::Or<json> WorkerLink::hello(const json& greeting) {
    const auto greet = [&](const json& body) {
        return link_.send("POST", "/api/v1/workers", body_of(body), usual_patience);
    };
    Reply reply = greet(greeting);
    if (reply && reply->status == 400) { // one of before versions were told takes none
        json without = greeting;
        without.erase("version");
        reply = greet(without);
    }
    const auto refused = [](std::string message) {
        return std::unexpected(LinkTrouble{LinkTrouble::Kind::refused, std::move(message)});
    };
    if (!reply && reply.error().untrusted) {
        return refused(
            "the server on " + shown_ +
            " shows a certificate that this machine does not trust: " + reply.error().message);
    }
    if (reply && reply->status >= 400 && reply->status < 500 && reply->status != 429) {
        return refused(
            reply->status == 401
                ? "the server on " + shown_ + " does not know this token: " + message_of(*reply)
            : reply->status == 404 || reply->status == 405
                ? "there is no Adjourn that takes workers on " + shown_
                : "the server on " + shown_ + " refuses this machine: " + message_of(*reply));
    }
    return checked(reply);
}

WorkerLink::Or<json> WorkerLink::take(const std::string& machine, const json& wishes,
                                      const std::optional<std::vector<std::uint64_t>>& held) {
    json body{{"profiles", wishes}, {"wait_seconds", longest_poll.count()}};
    if (held) {
        body["held"] = *held;
    }
    return checked(
        link_.send("POST", target_of(machine) + "/take", body_of(body), longest_poll + 15s));
}

WorkerLink::Or<json> WorkerLink::answers(const std::string& machine, const json& answers,
                                         std::chrono::milliseconds patience) {
    return checked(link_.send("POST", target_of(machine) + "/answers",
                              body_of({{"answers", answers}}), patience));
}

WorkerLink::Or<json> WorkerLink::beat(const std::string& machine, const json& profiles,
                                      const std::vector<std::uint64_t>& held) {
    return checked(link_.send("POST", target_of(machine) + "/beat",
                              body_of({{"held", held}, {"profiles", profiles}}), usual_patience));
}

WorkerLink::Or<void> WorkerLink::goodbye(const std::string& machine,
                                         std::chrono::milliseconds patience) {
    const Reply reply = link_.send("DELETE", target_of(machine), "", patience);
    if (!reply || reply->status >= 300) {
        return std::unexpected(trouble_of(reply));
    }
    return {};
}

namespace {

std::unexpected<LinkTrouble> trouble(LinkTrouble::Kind kind, std::string message) {
    return std::unexpected(LinkTrouble{kind, std::move(message)});
}

} // namespace

FindServers server_of(const std::filesystem::path& store, const std::string& ca_file) {
    return [store, ca_file]() -> std::expected<std::vector<Server>, LinkTrouble> {
        using Kind = LinkTrouble::Kind;
        std::optional<std::string> announced;
        try {
            announced = storage::announced_to_workers(store);
        } catch (const storage::StoreError& error) {
            return trouble(Kind::away, error.what());
        }
        if (!announced || announced->empty()) {
            return trouble(Kind::away, "no server works on " + storage::shown(store) +
                                           " now: is 'adjourn serve' running there?");
        }
        const auto address = worker_address_in(*announced);
        if (!address) {
            return trouble(Kind::refused, address.error());
        }
        const auto url = url_from(*address, this_network());
        if (!url) {
            return trouble(Kind::refused, url.error());
        }
        auto parsed = parse_server_url(*url);
        if (!parsed) {
            return trouble(Kind::refused, parsed.error());
        }
        parsed->ca_file = ca_file;
        return std::vector{Server{std::move(*parsed), *url, address->token}};
    };
}

} // namespace adjourn::server
