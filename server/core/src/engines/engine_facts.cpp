#include "core/engines/engine_facts.hpp"

namespace adjourn::server {

namespace {

std::string canonical_options(const engine_bridge::Identity& who) {
    std::string lines;
    for (const auto& [name, value] : who.options) {
        lines += name + "=" + value + "\n";
    }
    return lines;
}

// "Stockfish 15.1" → version "15.1": the last word, where it starts with a digit.
std::string version_of(const std::string& name) {
    const std::size_t blank = name.rfind(' ');
    if (blank == std::string::npos || blank + 1 >= name.size() || name[blank + 1] < '0' ||
        name[blank + 1] > '9') {
        return "";
    }
    return name.substr(blank + 1);
}

} // namespace

storage::EngineRecord engine_record(const engine_bridge::Identity& who) {
    storage::EngineRecord record;
    record.name = who.name;
    record.version = version_of(who.name);
    record.options = canonical_options(who);
    record.network = who.network;
    return record;
}

analysis::Evaluation evaluation_of(const engine_bridge::Answer& answer, analysis::Question question,
                                   analysis::UnixMs at) {
    analysis::Evaluation evaluation;
    evaluation.question = std::move(question);
    evaluation.move = answer.move;
    evaluation.score = answer.score;
    evaluation.bound = answer.bound;
    evaluation.depth = answer.depth;
    evaluation.seldepth = answer.seldepth;
    evaluation.nodes = answer.nodes;
    evaluation.time_ms = answer.time_ms;
    evaluation.pv = answer.pv;
    evaluation.wdl = answer.wdl;
    evaluation.machine = answer.machine;
    evaluation.at = at;
    return evaluation;
}

} // namespace adjourn::server
