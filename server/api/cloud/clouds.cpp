#include "api/cloud/clouds.hpp"

#include "base/json_reader.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"
#include "core/guards/guard.hpp"
#include "http/requests/target.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

namespace adjourn::server {

using base::JsonObject;
using base::JsonValue;

namespace {

using std::chrono::milliseconds;

constexpr std::size_t most_cloud_bytes = 64U << 10; // of an answer
constexpr std::size_t most_looks = 8;               // that wait; then those that came first go
constexpr milliseconds cloud_patience{10'000};      // of a request
constexpr milliseconds most_rest{3'600'000};

constexpr std::size_t most_cloud_moves = 218; // no position has more
constexpr std::size_t most_cloud_values = 10'000;
constexpr std::size_t most_cloud_line = 4'096; // bytes

// chessdb counts a mate from 30,000, a win by its tables from 25,000 and one that the 50 moves
// spoil from 20,000, one less for each ply.
std::optional<chess::Score> chessdb_score(std::int64_t told) {
    const int size = static_cast<int>(std::abs(told));
    std::optional<chess::Score> score;
    if (size <= 15'000) {
        score = chess::Score::cp(size);
    } else if (size <= 20'000) {
        score = chess::Score::tablebase(chess::Wdl::cursed_win, 20'000 - size);
    } else if (size <= 25'000) {
        score = chess::Score::tablebase(chess::Wdl::win, 25'000 - size);
    } else if (30'000 - size < 2 * chess::most_told_mate) {
        score = chess::Score::mate_in(30'000 - size);
    }
    return score && told < 0 ? -*score : score;
}

std::optional<int> small(const std::optional<std::int64_t>& number) {
    return number ? std::optional{static_cast<int>(*number)} : std::nullopt;
}

class CloudReader {
public:
    explicit CloudReader(const chess::Position& position) : position_{position} {}

    void chessdb(const JsonObject& answer) {
        const std::string status = answer.at("status").text().value_or("");
        if (status != "ok" && status != "unknown") {
            answer.wrong("status", "it says '" + base::shortened(status, 64) + "'");
        }
        if (status != "ok") {
            return;
        }
        for (const JsonValue& value : answer.at("moves").items(most_cloud_moves)) {
            const JsonObject move = value.object();
            if (move.at("score").is_text()) { // "??": it does not know this one
                continue;
            }
            const auto told = move.at("score").integer(-29'999, 29'999);
            const auto rank = move.find("rank").integer(0, 2);
            const auto uci = chess::parse_uci(position_, move.at("uci").text().value_or(""));
            const auto score = told ? chessdb_score(*told) : std::nullopt;
            if (!uci || !score) {
                move.wrong("", value.path() + ": a legal move and a score are wanted");
                return;
            }
            add(value, {*uci, *score, small(rank), std::nullopt});
        }
    }

    void lichess(const JsonObject& answer) {
        const std::string fen = answer.at("fen").text().value_or(""), own = position_.fen();
        base::Words theirs{fen}, ours{own};
        const bool same = theirs.next() == ours.next(); // pieces
        if (!same || (!theirs.peek().empty() && theirs.peek() != ours.peek())) {
            answer.wrong("fen", "it answers about another position");
            return;
        }
        const auto depth = answer.at("depth").integer(1, chess::most_told_depth);
        const bool white = position_.turn() == chess::Color::white;
        for (const JsonValue& value : answer.at("pvs").items(most_cloud_moves)) {
            const JsonObject pv = value.object();
            const auto cp = pv.find("cp").integer(-chess::most_told_cp, chess::most_told_cp);
            const auto mate =
                pv.find("mate").integer(-chess::most_told_mate, chess::most_told_mate);
            const auto line =
                chess::parse_line(position_, pv.at("moves").text(most_cloud_line).value_or(""));
            if (!line || line->empty() || cp.has_value() == mate.has_value() || mate == 0) {
                pv.wrong("", value.path() + ": a legal line and cp or mate are wanted");
                return;
            }
            const std::int64_t told = cp ? *cp : *mate;
            const std::int64_t of_mover = white ? told : -told;
            const auto score = cp ? chess::told_cp(of_mover) : chess::told_mate(of_mover);
            add(value, {line->front(), *score, std::nullopt, small(depth)});
        }
        if (moves.empty()) {
            answer.wrong("pvs", "pvs is empty");
        }
    }

    std::vector<CloudMove> moves;

private:
    void add(const JsonValue& place, const CloudMove& told) {
        if (std::ranges::find(moves, told.move, &CloudMove::move) != moves.end()) {
            place.wrong(place.path() + " names a move twice");
        }
        moves.push_back(told);
    }

    const chess::Position& position_;
};

} // namespace

struct Clouds::Impl {
    using Clock = std::chrono::steady_clock;
    struct Asked {
        chess::Position position;
        Look look;
    };
    struct Cloud {
        const CloudSource* source;
        HttpLink link;
        std::deque<Asked> waiting{};
        std::optional<chess::Position> under_way{};
        milliseconds rest{0};    // 0: its last answer was good
        Clock::time_point due{}; // before it nothing is asked
    };

    bool takes(const Cloud& cloud, const chess::Position& position) const {
        return (cloud.rest.count() == 0 || Clock::now() >= cloud.due) &&
               cloud.under_way != position &&
               std::ranges::find(cloud.waiting, position, &Asked::position) == cloud.waiting.end();
    }

    void run() {
        std::unique_lock lock{mutex};
        while (!closed) {
            Cloud* next = nullptr;
            for (const auto& cloud : clouds) {
                if (!cloud->waiting.empty() && (next == nullptr || cloud->due < next->due)) {
                    next = cloud.get();
                }
            }
            if (next == nullptr) {
                changed.wait(lock);
            } else if (const auto due = next->due; due > Clock::now()) {
                changed.wait_until(lock, due);
            } else {
                const Asked asked = next->waiting.front();
                next->waiting.pop_front();
                next->under_way = asked.position;
                lock.unlock();
                const auto [trouble, after] = answer(*next, asked);
                lock.lock();
                next->under_way.reset();
                took(*next, trouble, after);
            }
        }
    }

    // Why there is nothing to keep, "" if there is; and when the cloud wants to be asked again.
    std::pair<std::string, milliseconds> answer(Cloud& cloud, const Asked& asked) {
        const std::string fen = asked.position.fen(), name{cloud.source->name};
        const auto reply =
            cloud.link.send("GET", std::string{cloud.source->target} + http::percent_encoded(fen),
                            "", cloud_patience);
        if (!reply) {
            return {reply.error().message, milliseconds{0}};
        }
        const auto moves = read_cloud_answer(name, asked.position, reply->status, reply->body);
        if (!moves) {
            return {moves.error(), reply->retry_after.value_or(std::chrono::seconds{0})};
        }
        const nlohmann::json event{{"analysis", asked.look.analysis},
                                   {"version", asked.look.version},
                                   {"fens", nlohmann::json::array({fen})},
                                   {"cloud", true}};
        store.write(storage::CloudRecord{asked.position.packed(), name, clock(),
                                         moves->empty() ? "" : reply->body},
                    [publish = publish, tell = http::Event{"node", event.dump(),
                                                           asked.look.analysis, event.dump(), ""}](
                        const auto& written) { written ? publish(tell) : void(); });
        return {};
    }

    // After trouble nobody waits: who still looks asks again.
    void took(Cloud& cloud, const std::string& trouble, milliseconds after) const {
        if (trouble.empty() || closed) {
            cloud.rest = milliseconds{0};
        } else {
            spdlog::warn("cloud {}: {}", cloud.source->name, trouble);
            cloud.rest = std::min(std::max({rules.rest, 2 * cloud.rest, after}), most_rest);
            cloud.waiting.clear();
        }
        cloud.due = Clock::now() + std::max(rules.pause, cloud.rest);
    }

    storage::Store& store;
    std::function<analysis::UnixMs()> clock;
    std::function<void(http::Event)> publish;
    const CloudRules rules;
    std::vector<std::unique_ptr<Cloud>> clouds{};
    std::mutex mutex{};
    std::condition_variable changed{};
    bool closed = false;
    std::thread thread{}; // the last: it uses all of these
};

std::expected<CloudSettings, std::string> parse_cloud(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto source = std::ranges::find(cloud_sources, name, &CloudSource::name);
    if (source == cloud_sources.end()) {
        return std::unexpected("'" + name + "' is no cloud; there are chessdb and lichess");
    }
    auto url = parse_server_url(equals == std::string::npos ? std::string{source->address}
                                                            : text.substr(equals + 1));
    if (!url) {
        return std::unexpected(url.error());
    }
    return CloudSettings{&*source, std::move(*url)};
}

Clouds::Clouds(const std::vector<std::string>& settings, storage::Store& store,
               std::function<analysis::UnixMs()> clock, std::function<void(http::Event)> publish,
               CloudRules rules)
    : impl_{new Impl{store, std::move(clock), std::move(publish), rules}} {
    for (const std::string& text : settings) {
        auto [source, url] = parse_cloud(text).value();
        impl_->clouds.emplace_back(
            new Impl::Cloud{source, HttpLink{std::move(url), "", most_cloud_bytes}});
    }
    impl_->thread = std::thread{[impl = impl_.get()] {
        while (guarded("the clouds' thread", [impl] { impl->run(); })) {
        }
    }};
}

Clouds::~Clouds() {
    {
        const std::lock_guard lock{impl_->mutex};
        impl_->closed = true;
        for (const auto& cloud : impl_->clouds) {
            cloud->link.close();
        }
    }
    impl_->changed.notify_all();
    impl_->thread.join();
}

std::vector<std::string> Clouds::missing(const chess::Position& position,
                                         const std::vector<storage::CloudRecord>& known,
                                         const std::optional<Look>& look) {
    std::vector<std::string> names;
    const std::lock_guard lock{impl_->mutex};
    for (const auto& cloud : impl_->clouds) {
        const auto had =
            std::ranges::find(known, cloud->source->name, &storage::CloudRecord::source);
        const bool good = had != known.end() && milliseconds{impl_->clock() - had->at} <
                                                    (had->text.empty() ? impl_->rules.unknown_for
                                                                       : impl_->rules.good_for);
        if (good || position.chess960() || !impl_->takes(*cloud, position)) {
            continue;
        }
        names.emplace_back(cloud->source->name);
        if (look) {
            cloud->waiting.push_front({position, *look});
            cloud->waiting.resize(std::min(cloud->waiting.size(), most_looks), {position, *look});
        }
    }
    impl_->changed.notify_all();
    return names;
}

std::expected<std::vector<CloudMove>, std::string>
read_cloud_answer(std::string_view source, const chess::Position& position, int status,
                  const std::string& text) {
    const bool lichess = source == "lichess";
    const bool unknown = lichess && status == 404;
    if (status != 200 && !unknown) {
        return std::unexpected("it answers " + std::to_string(status));
    }
    const auto parsed = base::parse_json(text, most_cloud_values);
    if (!parsed || !parsed->is_object()) {
        return std::unexpected("its answer " + (parsed ? "is no object" : parsed.error()));
    }
    const JsonObject answer{*parsed, base::JsonPolicy::strict};
    CloudReader reader{position};
    if (unknown) {
        answer.at("error").text(); // else it is no answer of a cloud
    } else if (lichess) {
        reader.lichess(answer);
    } else {
        reader.chessdb(answer);
    }
    if (!answer.problems().empty()) {
        return std::unexpected("its answer cannot be used: " + answer.problems().front().message);
    }
    return std::move(reader.moves);
}

} // namespace adjourn::server
