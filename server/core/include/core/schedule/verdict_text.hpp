// What an answer rests on, as a sentence for people: "stands: 83 %, B; it rests on 14...Rd8 -0.12
// and 17.Nf5 +0.31". The same words in the API, on the command line, in PGN and in webhooks.
#pragma once

#include "analysis/verdict.hpp"
#include "chess/position.hpp"

#include <string>

namespace adjourn::server {

// `from`: the position that the verdict is about; its move numbers count.
std::string verdict_text(const analysis::Verdict& verdict, bool tested,
                         const chess::Position& from);

} // namespace adjourn::server
