// lichess' evaluation export: what is read are legal questions and answers.
#include "files/import/import.hpp"

#include "chess/position.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

using namespace adjourn;

namespace {

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto facts = server::parse_lichess_line({reinterpret_cast<const char*>(data), size});
    if (!facts) {
        require(!facts.error().empty());
        return 0;
    }
    for (const analysis::Evaluation& fact : facts->facts) {
        auto position = chess::Position::unpack(fact.question.position);
        require(position.has_value() && fact.move && fact.score && fact.question.limit.amount >= 1);
        const auto& excluded = fact.question.excluded;
        require(std::is_sorted(excluded.begin(), excluded.end()));
        require(std::adjacent_find(excluded.begin(), excluded.end()) == excluded.end());
        require(!std::binary_search(excluded.begin(), excluded.end(), *fact.move));
        require(std::all_of(excluded.begin(), excluded.end(),
                            [&](chess::Move move) { return position->is_legal(move); }));
        require(!fact.pv.empty() && fact.pv.front() == *fact.move);
        for (const chess::Move move : fact.pv) {
            require(position->is_legal(move));
            position->play(move);
        }
    }
    return 0;
}
