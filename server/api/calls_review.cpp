// Games as an analysis sees them: the one along a line, those of a file.
#include "api/call.hpp"
#include "api/request_parts.hpp"
#include "chess/pgn_writer.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/records/strategy_json.hpp"
#include "core/schedule/core.hpp"
#include "files/kept/kept_file.hpp"
#include "files/review/review.hpp"
#include "http/requests/message.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace adjourn::server {

namespace {

// Of one slice: positions that are looked at, and searches that are wanted.
constexpr std::size_t most_looked_at = 2'000;
constexpr std::size_t most_wanted = 500;

// AskGames: every position of some games that no review has a score of is searched, by "now". In
// slices, so that nobody waits for a file of many games. On the core's thread.

class AskGames : public std::enable_shared_from_this<AskGames> {
public:
    static constexpr std::size_t most_asked = 2'000; // of one call

    // Each of `lines` leads on from `root`, where the analysis stands. The core must outlive it.
    AskGames(Core& core, analysis::AnalysisId id, const chess::Position& root,
             std::vector<std::vector<chess::Move>> lines)
        : core_{core}, id_{id}, root_{root}, lines_{std::move(lines)}, position_{root} {}

    // Once. {asked, waiting, left}, when all that is asked is stored.
    Pending<http::Response> answer() {
        go_on();
        return pending_;
    }

private:
    using Lines = std::vector<std::vector<chess::Move>>;

    // The next ones for which a search is wanted; fewer where there is much to look at.
    Lines next() {
        const AnalysisRun* run = core_.queue().find(id_);
        if (run == nullptr) {
            refused_ = Error{ErrorCode::not_found, "the analysis was deleted meanwhile", "id"};
        } else if (run->slot == nullptr) {
            refused_ = no_tree(*run);
        } else if (!(run->root == root_)) {
            refused_ = Error{ErrorCode::unavailable, "the game went on meanwhile: ask again", "id"};
        }
        Lines wanted;
        for (std::size_t i = 0; i < most_looked_at && wanted.size() < most_wanted && !over(); ++i) {
            look(*run, wanted);
            const auto& line = lines_[at_];
            if (ply_ < line.size()) {
                position_.play(line[ply_++]);
            } else {
                ++at_;
                ply_ = 0;
                position_ = root_;
            }
        }
        return wanted;
    }

    void look(const AnalysisRun& run, Lines& wanted) {
        if (is_known(run, position_) || !seen_.insert(position_.packed()).second) {
            return;
        }
        const auto node = run.slot->graph().find(position_.packed());
        const auto said = node ? run.node_directives.find(*node) : run.node_directives.end();
        if (said != run.node_directives.end() && said->second.now) {
            ++waiting_;
        } else if (wanted_ == most_asked) {
            ++left_;
        } else {
            ++wanted_;
            const auto& line = lines_[at_];
            wanted.emplace_back(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(ply_));
        }
    }

    void take(const Pending<Core::AllGiven>::Result& results) {
        if (!results) {
            refused_ = to_http(results.error());
            return;
        }
        for (const auto& result : *results) {
            asked_ += result ? 1 : 0;
            // A position whose value turned out to be exact needs no search.
            if (!result && result.error().kind != WorkError::Kind::futile_line && !refused_) {
                refused_ = to_http(result.error());
            }
        }
    }

    void go_on() {
        const Lines lines = next();
        const auto asked = refused_ ? Pending<Core::AllGiven>::over(Core::AllGiven{})
                                    : core_.direct_all(id_, lines, "now");
        asked.then([self = shared_from_this()](const Pending<Core::AllGiven>::Result& results) {
            self->take(results);
            if (self->over()) {
                self->pending_.end(self->response());
            } else {
                self->core_.poster().post([self] { self->go_on(); });
            }
        });
    }

    bool over() const { return refused_ || at_ == lines_.size(); }
    http::Response response() const {
        return refused_
                   ? http::to_response(*refused_)
                   : json_response({{"asked", asked_}, {"waiting", waiting_}, {"left", left_}});
    }

    Core& core_;
    const analysis::AnalysisId id_;
    const chess::Position root_;
    const Lines lines_;
    std::size_t at_ = 0; // the line that is looked at, and where
    std::size_t ply_ = 0;
    chess::Position position_;
    std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> seen_;
    std::size_t wanted_ = 0;
    std::size_t asked_ = 0;   // of these, what is stored
    std::size_t waiting_ = 0; // was asked for before
    std::size_t left_ = 0;    // beyond most_asked
    std::optional<http::Error> refused_;
    const Pending<http::Response> pending_;
};

// What an analysis says of all games of a file: a row for each game, and one for each
// player.

// The file and its games, read on any thread.
struct ReadFile {
    std::int64_t id = 0;
    std::string name;
    analysis::UnixMs at = 0;
    std::vector<std::pair<std::int64_t, GameLine>> games; // by number
};

using nlohmann::json;

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

ReadFile read_for_review(const KeptFile& file, const chess::Position& root) {
    ReadFile read{file.id(), file.name(), file.at(), {}};
    for (const KeptFile::Version* version : file.games()) {
        if (const auto game = game_of(version->text)) {
            read.games.emplace_back(version->number, game_line(*game, root));
        }
    }
    return read;
}

// {id, name, at, games}
json head_json(const ReadFile& file) {
    return {{"id", file.id}, {"name", file.name}, {"at", file.at}, {"games", file.games.size()}};
}

// Any thread. Shape: docs/api/reference.md, Review.
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

Answer get_review(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    const auto format = query.choice("format", {"json", "pgn"});
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    const auto made =
        std::make_shared<Review>(review(*place->run, GraphReading{nullptr}, place->line));
    const bool as_pgn = format.value_or(0) == 1;
    const auto write = [made, as_pgn, engine = place->run->slot->engine().name] {
        return as_pgn ? pgn_response(chess::to_pgn(annotated(*made, reviewed_game(*made), engine)))
                      : json_response(review_json(*made));
    };
    return when_read(
        call,
        [made, write, &store = call.core.store()] {
            lengthen(*made, store);
            return write();
        },
        write);
}

Answer search_game(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        auto line = read_line(reader.at("moves"), run.root);
        if (!line) {
            return std::unexpected(line.error());
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        if (run.slot == nullptr) {
            return std::unexpected(no_tree(run));
        }
        const auto asking =
            std::make_shared<AskGames>(call.core, run.record.id, run.root,
                                       std::vector<std::vector<chess::Move>>{std::move(*line)});
        return when_durable(call, asking->answer());
    });
}

// ---- games of a file: read on another thread, then looked at on the core's ----

struct ReadGame {
    ReadFile file;
    chess::AnnotatedGame game;
    std::size_t place = 0; // in file.games
};

std::expected<ReadGame, Error> read_reviewed(const FilePlace& place, std::int64_t number,
                                             const chess::Position& root) {
    const auto kept = place.read();
    if (!kept) {
        return std::unexpected(kept.error());
    }
    const KeptFile::Version* version = kept->game(number);
    auto game = version == nullptr ? std::nullopt : game_of(version->text);
    if (!game) {
        return std::unexpected(no_game(number, "game"));
    }
    ReadGame read{read_for_review(*kept, root), std::move(*game), 0};
    while (read.file.games[read.place].first != number) {
        ++read.place;
    }
    const std::string& reason = read.file.games[read.place].second.reason;
    return reason.empty() ? std::expected<ReadGame, Error>{std::move(read)}
                          : refuse(ErrorCode::conflict, reason, "game");
}

Response game_review(const RunReader& reader, const FilePlace& place, std::int64_t number,
                     bool as_pgn) {
    auto read = read_reviewed(place, number, reader.run().root);
    if (!read) {
        return http::to_response(read.error());
    }
    const auto& games = read->file.games;
    const GameLine& line = games[read->place].second;
    Review made = review(reader.run(), reader.read(), line.moves);
    lengthen(made, place.store);
    if (as_pgn) {
        return pgn_response(chess::to_pgn(
            annotated(made, std::move(read->game), reader.run().slot->engine().name)));
    }
    const auto number_at = [&](std::size_t at) {
        return at < games.size() ? json(games[at].first) : json{};
    };
    json out = review_json(made);
    out.update({{"file", head_json(read->file)},
                {"game", number},
                {"previous", number_at(read->place - 1)},
                {"next", number_at(read->place + 1)},
                {"tags", json::array()},
                {"result", line.result},
                {"clocks", json::array()}});
    for (const chess::PgnTag& tag : line.tags) {
        out["tags"].push_back({{"name", tag.name}, {"value", tag.value}});
    }
    for (const std::string& clock : line.clocks) {
        out["clocks"].push_back(clock.empty() ? json{} : json(clock));
    }
    return json_response(out);
}

// Place and analysis of a call about a file whose games need a tree.
std::expected<std::pair<FilePlace, const AnalysisRun*>, Error> file_in_tree(const Context& call,
                                                                            QueryReader& query) {
    const auto place = file_place(call);
    if (auto done = query.finish(); !done) {
        return std::unexpected(done.error());
    }
    if (!place) {
        return std::unexpected(place.error());
    }
    const AnalysisRun* run = *run_of(call);
    if (run->shown() == nullptr) {
        return std::unexpected(no_tree(*run));
    }
    return std::pair{*place, run};
}

Answer get_game_review(Context& call) {
    QueryReader query{call.request};
    const bool as_pgn = query.choice("format", {"json", "pgn"}).value_or(0) == 1;
    const auto in_tree = file_in_tree(call, query);
    if (!in_tree) {
        return std::unexpected(in_tree.error());
    }
    const auto& [place, run] = *in_tree;
    const auto number = call.path.integer("game");
    if (!number || *number < 1) {
        return refuse(ErrorCode::not_found, "the file has no game " + call.path.text("game"),
                      "game");
    }
    return Api::Later{[reader = reader_of(*run), place = place, number = *number, as_pgn] {
        return game_review(*reader, place, number, as_pgn);
    }};
}

Answer get_file_review(Context& call) {
    QueryReader query{call.request};
    const auto in_tree = file_in_tree(call, query);
    if (!in_tree) {
        return std::unexpected(in_tree.error());
    }
    return Api::Later{[reader = reader_of(*in_tree->second), place = in_tree->first] {
        const auto file = place.read();
        return file ? json_response(
                          file_review_json(*reader, read_for_review(*file, reader->run().root)))
                    : http::to_response(file.error());
    }};
}

Answer search_file(Context& call) {
    QueryReader query{call.request};
    const auto number = query.integer("game", 1, most_number);
    const auto in_tree = file_in_tree(call, query);
    if (!in_tree) {
        return std::unexpected(in_tree.error());
    }
    return when_changed(call,
                        [&core = call.core, place = in_tree->first, number,
                         root = in_tree->second->root]() -> std::expected<Change, Response> {
                            const auto kept = place.read();
                            if (!kept) {
                                return std::unexpected(http::to_response(kept.error()));
                            }
                            if (number && kept->game(*number) == nullptr) {
                                return std::unexpected(
                                    http::to_response(no_game(*number, "query.game")));
                            }
                            std::vector<std::vector<chess::Move>> lines;
                            ReadFile read = read_for_review(*kept, root);
                            for (auto& [of, line] : read.games) {
                                if (line.reason.empty() && (!number || of == *number)) {
                                    lines.push_back(std::move(line.moves));
                                }
                            }
                            return [&core, id = place.analysis, root, lines = std::move(lines)] {
                                return std::make_shared<AskGames>(core, id, root, lines)->answer();
                            };
                        });
}

constexpr std::array review_calls{
    Call{Method::get, "/api/v1/analyses/{id}/review", get_review, true, by_link()},
    Call{Method::post, "/api/v1/analyses/{id}/review", of_run<search_game>, false, json_body},
    Call{Method::get, "/api/v1/analyses/{id}/files/{file}/review", get_file_review, true,
         by_link(slow_call)},
    Call{Method::post, "/api/v1/analyses/{id}/files/{file}/review", search_file, true},
    Call{Method::get, "/api/v1/analyses/{id}/files/{file}/games/{game}/review", get_game_review,
         true, by_link(slow_call)},
};

} // namespace

std::span<const Call> calls_of_review() {
    return review_calls;
}

} // namespace adjourn::server
