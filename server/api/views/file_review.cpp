#include "api/views/file_review.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr std::array sides{chess::Color::white, chess::Color::black};
constexpr std::array counted{"inaccuracies", "mistakes", "blunders"};

const char* name_of(chess::Color side) {
    return side == chess::Color::white ? "white" : "black";
}

// The move of the side that is blamed for the greatest loss; without a side, of both.
std::optional<std::size_t> worst_of(const Review& review, std::optional<chess::Color> side) {
    std::optional<std::size_t> worst;
    chess::Color mover = review.start.turn();
    for (std::size_t i = 0; i < review.moves.size(); ++i, mover = !mover) {
        const ReviewedMove& move = review.moves[i];
        if (blame(move) != 0 && (!side || *side == mover) &&
            (!worst || *move.loss > *review.moves[*worst].loss)) {
            worst = i;
        }
    }
    return worst;
}

json moment_json(const Review& review, std::optional<std::size_t> at) {
    if (!at) {
        return {};
    }
    chess::Position position = review.start;
    for (std::size_t i = 0; i < *at; ++i) {
        position.play(review.moves[i].move);
    }
    const ReviewedMove& move = review.moves[*at];
    json out = move_json(position, move.move);
    out.update({{"ply", *at + 1},
                {"side", name_of(position.turn())},
                {"number", position.fullmove_number()},
                {"loss", *move.loss},
                {"judgement", judgement_of(move)}});
    return out;
}

struct Player {
    std::size_t games = 0;
    std::vector<double> accuracies;
    std::array<int, counted.size()> counts{};
    const Review* worst_game = nullptr;
    std::int64_t worst_number = 0;
    std::size_t worst = 0;

    void add(std::int64_t number, const Review& review, chess::Color side) {
        ++games;
        const json played = side_json(review, side);
        if (!played["accuracy"].is_null()) {
            accuracies.push_back(played["accuracy"]);
        }
        for (std::size_t i = 0; i < counted.size(); ++i) {
            counts[i] += played[counted[i]].get<int>();
        }
        const auto here = worst_of(review, side);
        if (here &&
            (worst_game == nullptr || *review.moves[*here].loss > *worst_game->moves[worst].loss)) {
            worst_game = &review;
            worst_number = number;
            worst = *here;
        }
    }

    json shown(const std::string& name) const {
        double sum = 0;
        for (const double accuracy : accuracies) {
            sum += accuracy;
        }
        json out{{"name", name},
                 {"games", games},
                 {"accuracy",
                  accuracies.empty() ? json{} : json(sum / static_cast<double>(accuracies.size()))},
                 {"worst", nullptr}};
        for (std::size_t i = 0; i < counted.size(); ++i) {
            out[counted[i]] = counts[i];
        }
        if (worst_game != nullptr) {
            out["worst"] = moment_json(*worst_game, worst);
            out["worst"]["game"] = worst_number;
        }
        return out;
    }
};

bool is_name(std::string_view name) {
    return name.find_first_not_of("?. ") != std::string_view::npos;
}

json row_json(std::int64_t number, const GameLine& line, const Review& review) {
    json tags = json::object();
    for (const chess::PgnTag& tag : line.tags) {
        tags.emplace(tag.name, tag.value); // of one that came twice the first
    }
    json row{{"number", number},
             {"tags", std::move(tags)},
             {"plies", line.plies},
             {"reason", line.reason.empty() ? json{} : json(line.reason)},
             {"searched", review.searched},
             {"positions", line.reason.empty() ? line.moves.size() + 1 : 0},
             {"worst", moment_json(review, worst_of(review, std::nullopt))}};
    for (const chess::Color side : sides) {
        row[name_of(side)] = side_json(review, side);
    }
    return row;
}

} // namespace

ReadFile read_for_review(const KeptFile& file, const chess::Position& root) {
    ReadFile read{file.id(), file.name(), file.at(), {}};
    for (const KeptFile::Version* version : file.games()) {
        if (const auto game = game_of(version->text)) {
            read.games.emplace_back(version->number, game_line(*game, root));
        }
    }
    return read;
}

json head_json(const ReadFile& file) {
    return {{"id", file.id}, {"name", file.name}, {"at", file.at}, {"games", file.games.size()}};
}

json file_review_json(const RunReader& reader, const ReadFile& file) {
    std::vector<Review> seen;
    {
        const GraphReading reading = reader.read();
        for (const auto& [number, line] : file.games) {
            seen.push_back(line.reason.empty() ? review(reader.run(), reading, line.moves, 0)
                                               : Review{reader.run().root, {}, {}, {}, 0});
        }
    }
    json rows = json::array();
    std::map<std::string, Player> players;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const auto& [number, line] = file.games[i];
        rows.push_back(row_json(number, line, seen[i]));
        for (const chess::Color side : sides) {
            const std::string name{
                chess::tag_value(line.tags, side == chess::Color::white ? "White" : "Black")};
            if (line.reason.empty() && is_name(name)) {
                players[name].add(number, seen[i], side);
            }
        }
    }
    json by_player = json::array();
    for (const auto& [name, player] : players) {
        by_player.push_back(player.shown(name));
    }
    return {
        {"file", head_json(file)}, {"games", std::move(rows)}, {"players", std::move(by_player)}};
}

} // namespace adjourn::server
