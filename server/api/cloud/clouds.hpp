// Clouds: asks collections of evaluations elsewhere about positions that somebody looks at, and
// keeps their answers in the store. These are foreign: no value and no question rests on them.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"
#include "http/client/http_link.hpp"
#include "http/events/event_hub.hpp"
#include "storage/store.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::server {

// What clouds answer about a position, by their published descriptions: chessdb.cn's `queryall`
// (https://www.chessdb.cn/cloudbookc_api_en.html) and lichess' `cloud-eval`
// (https://lichess.org/api). Pure.

struct CloudSource {
    std::string_view name;    // in the configuration, the store and the API
    std::string_view address; // usual one
    std::string_view target;  // of a request, but for the FEN at its end
};
inline constexpr std::array<CloudSource, 2> cloud_sources{
    {{"chessdb", "https://www.chessdb.cn", "/cdb.php?action=queryall&json=1&board="},
     {"lichess", "https://lichess.org", "/api/cloud-eval?multiPv=5&fen="}}};

struct CloudMove {
    chess::Move move;        // legal
    chess::Score score;      // the mover's
    std::optional<int> rank; // chessdb's word: 2 best, 1 good, 0 bad
    std::optional<int> depth;
};

// As the cloud has them, each move once; none: it does not know the position. `status`: of HTTP.
// The error, for people, says what of the answer cannot be believed: then nothing of it is.
std::expected<std::vector<CloudMove>, std::string>
read_cloud_answer(std::string_view source, const chess::Position& position, int status,
                  const std::string& text);

using CloudSettings = std::pair<const CloudSource*, ServerUrl>;
// "lichess", or "lichess=http://HOST:PORT" for another address. The error is for people.
std::expected<CloudSettings, std::string> parse_cloud(const std::string& text);

struct CloudRules {
    std::chrono::milliseconds pause{1'000}; // after a request to a cloud
    std::chrono::milliseconds rest{60'000}; // after trouble; after more of it twice as long, to 1 h
    // An answer is asked for again after so long; one that does not know the position, sooner.
    std::chrono::hours good_for{30 * 24};
    std::chrono::hours unknown_for{24};
};

// Thread-safe; has a thread. Nothing blocks but the destructor, which ends what is under way.
class Clouds {
public:
    // `settings`: each as parse_cloud() takes it, no cloud twice. `clock`: ms since 1970, any
    // thread. `publish`: any thread, never blocks. What was given to the store may outlive this.
    Clouds(const std::vector<std::string>& settings, storage::Store& store,
           std::function<analysis::UnixMs()> clock, std::function<void(http::Event)> publish,
           CloudRules rules = {});
    ~Clouds();
    Clouds(const Clouds&) = delete;
    Clouds& operator=(const Clouds&) = delete;

    // Who looks at a position, and is told by an event `node` when an answer is stored.
    struct Look {
        std::int64_t analysis = 0;
        std::uint64_t version = 0; // NodeEvent's
    };
    // The clouds that can be asked now and of which `known` has no answer that is good. They are
    // asked if somebody looks; who looked last comes first.
    std::vector<std::string> missing(const chess::Position& position,
                                     const std::vector<storage::CloudRecord>& known,
                                     const std::optional<Look>& look);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace adjourn::server
