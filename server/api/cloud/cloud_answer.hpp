// What clouds answer about a position, by their published descriptions: chessdb.cn's `queryall`
// (https://www.chessdb.cn/cloudbookc_api_en.html) and lichess' `cloud-eval`
// (https://lichess.org/api). Pure.
#pragma once

#include "chess/position.hpp"
#include "chess/score.hpp"

#include <array>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

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

} // namespace adjourn::server
