#include "worker_reading.hpp"

#include "engine_bridge/ranges.hpp"
#include "fleet/fleet.hpp"

#include <algorithm>
#include <array>

namespace adjourn::server {

using http::Error;
using http::ErrorCode;
using http::ObjectReader;
using http::ValueReader;
namespace ranges = engine_bridge::ranges;

namespace {

constexpr auto most_nodes = static_cast<std::int64_t>(ranges::most_nodes);
constexpr std::size_t longest_word = 200;     // bytes, of a name
constexpr std::size_t longest_text = 2'000;   // of a reason or a value
constexpr std::size_t most_profiles = 32;     // of a machine
constexpr std::size_t most_options = 500;     // of an engine
constexpr std::size_t most_held = 8'192;      // leases
constexpr std::size_t most_answers = 64;      // at once
constexpr std::size_t most_questions = 4'096; // of a profile
constexpr std::int64_t most_lease = (std::int64_t{1} << 53) - 1;

// "" after a problem, which the reader remembers.
std::string read_word(ObjectReader& reader, std::string_view name, std::size_t longest,
                      bool empty = false) {
    std::string text = reader.text(name).value_or("");
    if (text.size() > longest || (text.empty() && !empty)) {
        (void)reader.error(ErrorCode::bad_value,
                           reader.path_of(name) + " must have " + (empty ? "0" : "1") + " to " +
                               std::to_string(longest) + " bytes",
                           name);
    }
    return text;
}

// The result if nothing of the body was wrong.
template <class T>
std::expected<T, Error> finished(ObjectReader& reader, T result) {
    if (auto done = reader.finish(); !done) {
        return std::unexpected(done.error());
    }
    return result;
}

std::map<std::string, std::string> read_options(ObjectReader& reader) {
    std::map<std::string, std::string> options;
    const auto value = reader.value("options");
    if (!value) {
        return options;
    }
    const nlohmann::json& json = value->json();
    bool good = json.is_object() && json.size() <= most_options;
    for (auto it = json.begin(); good && it != json.end(); ++it) {
        good = it->is_string() && it.key().size() <= longest_word &&
               it->get_ref<const std::string&>().size() <= longest_text;
        if (good) {
            options.emplace(it.key(), it->get<std::string>());
        }
    }
    if (!good) {
        (void)value->error(ErrorCode::bad_value,
                           value->path() + " must be an object of at most 500 texts");
    }
    return options;
}

std::vector<std::string> read_line(ObjectReader& reader) {
    std::vector<std::string> line;
    const auto list = reader.array("pv", claim_max_pv);
    for (const ValueReader& value : list.value_or(std::vector<ValueReader>{})) {
        line.push_back(value.text().value_or(""));
    }
    return line;
}

Claim read_claim(ObjectReader& reader) {
    Claim told;
    told.move = read_word(reader, "move", 5);
    ObjectReader score = reader.object("score");
    const auto cp = score.optional_integer("cp", -ranges::most_cp, ranges::most_cp);
    const auto mate = score.optional_integer("mate", -ranges::most_mate, ranges::most_mate);
    if (cp && mate) {
        if (cp->has_value() == mate->has_value()) {
            (void)score.error(ErrorCode::bad_value, score.path() + " takes one of cp and mate");
        }
        told.cp = cp->transform([](std::int64_t n) { return static_cast<int>(n); });
        told.mate = mate->transform([](std::int64_t n) { return static_cast<int>(n); });
    }
    told.depth = static_cast<int>(reader.integer("depth", 0, ranges::most_depth).value_or(0));
    told.seldepth = static_cast<int>(reader.integer("seldepth", 0, ranges::most_depth).value_or(0));
    told.nodes = static_cast<std::uint64_t>(reader.integer("nodes", 0, most_nodes).value_or(0));
    told.time_ms =
        static_cast<std::uint32_t>(reader.integer("time_ms", 0, ranges::most_time_ms).value_or(0));
    told.pv = read_line(reader);
    return told;
}

engine_bridge::Failure read_failure(ObjectReader reader) {
    using Kind = engine_bridge::Failure::Kind;
    constexpr std::array kinds{Kind::crashed, Kind::hung,        Kind::no_result,
                               Kind::unfit,   Kind::unavailable, Kind::cancelled};
    const auto kind =
        reader.choice("kind", {"crashed", "hung", "no_result", "unfit", "unavailable", "returned"});
    engine_bridge::Failure failure{kinds[kind.value_or(0)], "", 0};
    failure.reason = read_word(reader, "reason", longest_text, true);
    failure.attempts = static_cast<int>(reader.integer("attempts", 0, 1'000).value_or(0));
    return failure;
}

Pulse read_pulse(ObjectReader& profile) {
    Pulse pulse;
    pulse.profile = read_word(profile, "name", longest_word);
    pulse.busy = profile.number("busy", 0, 1).value_or(0);
    pulse.nps = static_cast<std::uint64_t>(profile.integer("nps", 0, most_nodes).value_or(0));
    return pulse;
}

} // namespace

std::expected<Hello, Error> read_hello(ObjectReader& reader) {
    Hello hello;
    hello.name = read_word(reader, "name", longest_word);
    const auto profiles = reader.array("profiles", most_profiles);
    for (const ValueReader& value : profiles.value_or(std::vector<ValueReader>{})) {
        ObjectReader profile = value.object();
        Offer offer;
        offer.profile = read_word(profile, "name", longest_word);
        offer.processes = static_cast<std::size_t>(
            profile.integer("processes", 1, Fleet::most_processes).value_or(1));
        offer.reproducible = profile.boolean("reproducible").value_or(false);
        ObjectReader identity = profile.object("identity");
        offer.identity.name = read_word(identity, "name", longest_text, true);
        offer.identity.network = read_word(identity, "network", longest_text, true);
        offer.identity.options = read_options(identity);
        if (std::ranges::find(hello.offers, offer.profile, &Offer::profile) != hello.offers.end()) {
            (void)value.error(ErrorCode::bad_value,
                              value.path() + ".name is that of another profile, too");
        }
        hello.offers.push_back(std::move(offer));
    }
    if (profiles && profiles->empty()) {
        (void)reader.error(ErrorCode::bad_value, "profiles must not be empty", "profiles");
    }
    return finished(reader, std::move(hello));
}

std::expected<Asking, Error> read_asking(ObjectReader& reader) {
    Asking asking;
    const auto profiles = reader.array("profiles", most_profiles);
    for (const ValueReader& value : profiles.value_or(std::vector<ValueReader>{})) {
        ObjectReader profile = value.object();
        Wish wish;
        wish.profile = read_word(profile, "name", longest_word);
        wish.most =
            static_cast<std::size_t>(profile.integer("most", 0, most_questions).value_or(0));
        asking.wishes.push_back(std::move(wish));
    }
    asking.wait_seconds = static_cast<int>(reader.integer("wait_seconds", 0, 25).value_or(0));
    return finished(reader, std::move(asking));
}

std::expected<std::vector<Delivery>, Error> read_deliveries(ObjectReader& reader) {
    std::vector<Delivery> deliveries;
    const auto answers = reader.array("answers", most_answers);
    for (const ValueReader& value : answers.value_or(std::vector<ValueReader>{})) {
        ObjectReader answer = value.object();
        Delivery delivery;
        delivery.lease = static_cast<LeaseId>(answer.integer("lease", 0, most_lease).value_or(0));
        delivery.profile = read_word(answer, "profile", longest_word);
        delivery.question = read_word(answer, "question", 16);
        if (auto failure = answer.optional_object("failure")) {
            delivery.found = read_failure(std::move(*failure));
        } else {
            delivery.found = read_claim(answer);
        }
        deliveries.push_back(std::move(delivery));
    }
    return finished(reader, std::move(deliveries));
}

std::expected<Beat, Error> read_beat(ObjectReader& reader) {
    Beat beat;
    const auto held = reader.array("held", most_held);
    for (const ValueReader& value : held.value_or(std::vector<ValueReader>{})) {
        beat.held.push_back(static_cast<LeaseId>(value.integer(0, most_lease).value_or(0)));
    }
    const auto profiles = reader.array("profiles", most_profiles);
    for (const ValueReader& value : profiles.value_or(std::vector<ValueReader>{})) {
        ObjectReader profile = value.object();
        beat.pulses.push_back(read_pulse(profile));
    }
    return finished(reader, std::move(beat));
}

} // namespace adjourn::server
