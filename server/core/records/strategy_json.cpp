#include "core/records/strategy_json.hpp"

#include "analysis/strategy.hpp"
#include "chess/notation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace adjourn::server {

using analysis::OwnNumber;
using analysis::Strategy;
using analysis::StrategyParameters;
using base::Field;
using nlohmann::json;

namespace {

json plan_json(const std::vector<int>& plan) {
    json out = json::array();
    for (const int window : plan) {
        out.push_back({{"window", window}});
    }
    return out;
}

StrategyParameters with_kind(const StrategyParameters& base, std::string_view kind) {
    if (kind == base.kind) {
        return base;
    }
    StrategyParameters result = analysis::default_parameters(kind);
    for (const Field<StrategyParameters>& field : analysis::strategy_fields()) {
        assign(field, result, value_of(field, base).value_or(0));
    }
    return result;
}

// How analyses of strategies that are gone go on.
constexpr const char* instead = "uniform";

void read_kind(const base::JsonObject& reader, StrategyParameters& out) {
    const auto text = reader.find("kind").text();
    if (!text) {
        return;
    }
    if (analysis::find_strategy(*text) != nullptr) {
        out = with_kind(out, *text);
    } else if (reader.policy() == base::JsonPolicy::lenient) {
        out = with_kind(out, instead);
        reader.wrong("kind", "there is no strategy '" + *text + "' any more; " + instead +
                                 " goes on with its facts and its window");
    } else {
        std::string known;
        for (const std::string& name : analysis::strategy_names()) {
            known += (known.empty() ? "" : ", ") + name;
        }
        reader.wrong("kind", "there is no strategy '" + *text + "'; there are: " + known);
    }
}

// Numbers of before, which analyses in the store may have: nothing is done with them.
void pass_over_former(const base::JsonObject& reader) {
    if (reader.policy() == base::JsonPolicy::lenient) {
        for (const char* name :
             {"growth", "per_rank", "spread", "dullness", "carry", "bonus", "threshold",
              "loosening", "shuffle", "step", "horizon", "level_budget", "purse"}) {
            reader.find(name);
        }
    }
}

// The strategy's own numbers. Those of others are refused in a request.
void read_own(const base::JsonObject& reader, StrategyParameters& out) {
    const auto own = analysis::strategy_of(out.kind).numbers();
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (const auto value = reader.find(own[i].name).number(own[i].least, own[i].most)) {
            out.own[i] = *value;
        }
    }
    for (const Strategy* other : analysis::strategies()) {
        for (const OwnNumber& number : other->numbers()) {
            if (std::ranges::find(own, number.name, &OwnNumber::name) == own.end() &&
                reader.find(number.name).there() && reader.policy() == base::JsonPolicy::strict) {
                reader.wrong(number.name, out.kind + " has no " + std::string{number.name} +
                                              "; it is a number of " + std::string{other->name()});
            }
        }
    }
}

// Entries count from the root, so a plan that is not understood in one place is none.
std::vector<int> read_plan(const base::JsonValue& given) {
    const std::size_t before = given.problems().size();
    std::vector<int> plan;
    for (const base::JsonValue& item : given.items(analysis::plan_range::longest)) {
        const auto window = item.object().at("window").integer(0, analysis::plan_range::widest);
        plan.push_back(static_cast<int>(window.value_or(0)));
    }
    return given.problems().size() == before ? plan : std::vector<int>{};
}

void read_plan(const base::JsonObject& reader, StrategyParameters& out) {
    if (!reader.has("plan")) {
        return;
    }
    if (!analysis::strategy_of(out.kind).windowed()) {
        reader.wrong("plan", reader.path_of("plan") + ": there is no plan without windows");
    } else {
        out.plan = read_plan(reader.find("plan"));
    }
}

const char* word(chess::Wdl wdl) {
    constexpr std::array words{"loss", "blessed_loss", "draw", "cursed_win", "win"};
    return words.at(static_cast<std::size_t>(static_cast<int>(wdl) + 2));
}

} // namespace

json strategy_json(const StrategyParameters& parameters) {
    json out{{"kind", parameters.kind}};
    write_fields(out, analysis::strategy_fields(), parameters);
    const auto own = analysis::strategy_of(parameters.kind).numbers();
    for (std::size_t i = 0; i < own.size(); ++i) {
        out[std::string{own[i].name}] = parameters.own[i];
    }
    if (!parameters.plan.empty()) {
        out["plan"] = plan_json(parameters.plan);
    }
    return out;
}

StrategyParameters read_strategy(const base::JsonObject& reader, const StrategyParameters& base) {
    StrategyParameters out = base;
    read_kind(reader, out);
    read_fields(reader, analysis::strategy_fields(), out);
    read_own(reader, out);
    pass_over_former(reader);
    read_plan(reader, out);
    return out;
}

json score_json(chess::Score white) {
    switch (white.kind()) {
    case chess::Score::Kind::cp: return {{"cp", white.centipawns()}};
    case chess::Score::Kind::mate: {
        const int moves = (white.plies() + 1) / 2;
        if (moves == 0) {
            return {{"mate", 0}, {"side", white.is_win() ? "black" : "white"}};
        }
        return {{"mate", white.is_win() ? moves : -moves}};
    }
    case chess::Score::Kind::tablebase: return {{"tb", word(white.wdl())}, {"dtz", white.plies()}};
    }
    return nullptr;
}

json score_json(std::optional<chess::Score> score, chess::Color mover) {
    if (!score) {
        return nullptr;
    }
    return score_json(mover == chess::Color::white ? *score : -*score);
}

json wdl_json(const chess::WinDrawLoss& wdl, chess::Color mover) {
    const chess::WinDrawLoss white = mover == chess::Color::white ? wdl : -wdl;
    return {white.win, white.draw, white.loss};
}

json move_json(const chess::Position& position, chess::Move move) {
    return {{"uci", chess::to_uci(position, move)}, {"san", chess::to_san(position, move)}};
}

json line_json(chess::Position from, const std::vector<chess::Move>& line) {
    json out = json::array();
    for (const chess::Move move : line) {
        out.push_back(move_json(from, move));
        from.play(move);
    }
    return out;
}

json limit_json(const analysis::Limit& limit) {
    switch (limit.kind) {
    case analysis::Limit::Kind::depth: return {{"depth", limit.amount}};
    case analysis::Limit::Kind::nodes: return {{"nodes", limit.amount}};
    case analysis::Limit::Kind::movetime: return {{"movetime_ms", limit.amount}};
    }
    return nullptr;
}

std::optional<analysis::Limit> read_limit(const base::JsonObject& reader) {
    const std::size_t before = reader.problems().size();
    std::optional<analysis::Limit> limit;
    for (const LimitField& field : limit_fields) {
        const auto amount = reader.find(field.name).integer(1, field.most);
        if (!amount) {
            continue;
        }
        if (limit) {
            reader.wrong("", reader.path() + " takes one of depth, nodes and movetime_ms");
        }
        limit = analysis::Limit{field.kind, static_cast<std::uint64_t>(*amount)};
    }
    if (!limit && reader.empty() && reader.problems().size() == before) { // others: unknown fields
        reader.wrong("", reader.path() + " needs depth, nodes or movetime_ms");
    }
    return limit;
}

std::optional<analysis::Limit> parse_limit_json(const json& in) {
    const base::JsonObject reader{in, base::JsonPolicy::strict};
    const auto limit = read_limit(reader);
    return reader.problems().empty() ? limit : std::nullopt;
}

} // namespace adjourn::server
