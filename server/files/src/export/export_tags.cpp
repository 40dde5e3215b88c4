#include "export_tags.hpp"

#include "chess/notation.hpp"
#include "files/openings/openings.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <utility>

namespace adjourn::server {

namespace {

std::string limit_text(const analysis::Limit& limit) {
    switch (limit.kind) {
    case analysis::Limit::Kind::depth: return fmt::format("depth {}", limit.amount);
    case analysis::Limit::Kind::nodes: return fmt::format("{} nodes", limit.amount);
    case analysis::Limit::Kind::movetime: return fmt::format("{} ms", limit.amount);
    }
    return "";
}

// "2024-05-01" as PGN writes it.
std::string pgn_date(std::string date) {
    std::ranges::replace(date, '-', '.');
    return date;
}

bool says_nothing(std::string_view value) {
    return value.find_first_not_of("?.-* ") == std::string_view::npos;
}

} // namespace

std::vector<chess::PgnTag> export_tags(const AnalysisRun& run, const std::vector<chess::Move>& line,
                                       bool from_game) {
    std::vector<chess::PgnTag> tags;
    const auto add = [&](const char* name, std::string value) {
        if (!value.empty()) {
            tags.push_back({name, std::move(value)});
        }
    };
    const GameLabels& game = run.spec.labels.game;
    const bool played = !game.white.empty() || !game.black.empty();
    add("Event", game.event.empty() && !played ? run.record.name : game.event);
    add("Site", game.site);
    add("Date", pgn_date(game.date));
    add("Round", game.round);
    add("White", game.white);
    add("Black", game.black);
    const nlohmann::json opening = opening_json(run, line);
    if (opening.is_object()) {
        add("ECO", opening["eco"].get<std::string>());
        add("Opening", opening["name"].get<std::string>());
    }
    std::vector<chess::Move> before = run.moves_before();
    before.insert(before.end(), line.begin(), line.end());
    if (!before.empty() && !from_game) {
        add("Moves", chess::to_san_line(run.start, before));
    }
    add("Annotator", fmt::format("Adjourn {}", ADJOURN_VERSION));
    add("Engine", run.slot->engine().name);
    const analysis::StrategyParameters& strategy = run.spec.strategy;
    add("Analysis", fmt::format("{} an evaluation; {}, distance {}, settled to depth {}",
                                limit_text(run.record.limit), strategy.kind, strategy.move_distance,
                                settled_level(run)));
    return tags;
}

void add_tags(std::vector<chess::PgnTag>& tags, const std::vector<chess::PgnTag>& more) {
    constexpr std::array<std::string_view, 2> ours{"Engine", "Analysis"};
    const bool exported = !chess::tag_value(tags, "Analysis").empty();
    for (const chess::PgnTag& tag : more) {
        const auto found = std::ranges::find(tags, tag.name, &chess::PgnTag::name);
        const bool is_ours = std::ranges::find(ours, tag.name) != ours.end();
        if (found == tags.end()) {
            tags.push_back(tag);
        } else if (says_nothing(found->value) || (exported && is_ours)) {
            found->value = tag.value;
        }
    }
}

} // namespace adjourn::server
