// Games as an analysis sees them: the one along a line, those of a file.
#include "ask_games.hpp"
#include "call.hpp"
#include "chess/pgn_writer.hpp"
#include "files/review/review.hpp"
#include "place.hpp"
#include "request_parts.hpp"
#include "views/file_review.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <utility>

namespace adjourn::server {

namespace {

Answer get_review(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    const auto format = query.choice("format", {"json", "pgn"});
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    const auto made = std::make_shared<Review>(review(*place->run, place->line));
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
        return when_durable(call, asking->answer(call.alone));
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
                          : std::unexpected(Error{ErrorCode::conflict, reason, "game"});
}

class GameReview {
public:
    GameReview(const AnalysisRun& run, const FilePlace& place, std::int64_t number)
        : run_{run}, place_{place}, number_{number} {}

    std::expected<bool, Error> go_on(const TimeUp& time_up) {
        if (read_ == nullptr) {
            return false;
        }
        if (!*read_) {
            return std::unexpected(read_->error());
        }
        if (walk_ == nullptr) {
            walk_ = std::make_unique<ReviewWalk>(run_, line().moves);
            engine_ = run_.slot->engine().name;
        }
        return walk_->go_on(time_up);
    }

    std::function<void()> elsewhere() {
        if (read_ != nullptr) {
            return nullptr;
        }
        read_ = std::make_shared<std::expected<ReadGame, Error>>();
        return [read = read_, place = place_, number = number_, root = run_.root] {
            *read = read_reviewed(place, number, root);
        };
    }

    Response response(bool as_pgn) {
        Review made = walk_->take();
        lengthen(made, place_.store);
        ReadGame& read = **read_;
        if (as_pgn) {
            return pgn_response(chess::to_pgn(annotated(made, std::move(read.game), engine_)));
        }
        json out = review_json(made);
        out.update({{"file", head_json(read.file)},
                    {"game", number_},
                    {"previous", number_at(read.place - 1)},
                    {"next", number_at(read.place + 1)},
                    {"tags", json::array()},
                    {"result", line().result},
                    {"clocks", json::array()}});
        for (const chess::PgnTag& tag : line().tags) {
            out["tags"].push_back({{"name", tag.name}, {"value", tag.value}});
        }
        for (const std::string& clock : line().clocks) {
            out["clocks"].push_back(clock.empty() ? json{} : json(clock));
        }
        return json_response(out);
    }

private:
    const GameLine& line() const { return (*read_)->file.games[(*read_)->place].second; }
    json number_at(std::size_t place) const {
        const auto& games = (*read_)->file.games;
        return place < games.size() ? json(games[place].first) : json{};
    }

    const AnalysisRun& run_;
    const FilePlace place_;
    const std::int64_t number_;
    std::shared_ptr<std::expected<ReadGame, Error>> read_; // null until it is asked for
    std::unique_ptr<ReviewWalk> walk_;
    std::string engine_;
};

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
        return std::unexpected(
            Error{ErrorCode::not_found, "the file has no game " + call.path.text("game"), "game"});
    }
    const auto game = std::make_shared<GameReview>(*run, place, *number);
    return Api::Walk{
        look_at(call.core, *run, [game](const TimeUp& time_up) { return game->go_on(time_up); }),
        [game, as_pgn] { return game->response(as_pgn); }, [game] { return game->elsewhere(); }};
}

// The games of a file are read before its walk begins.
struct FileTable {
    std::shared_ptr<std::expected<ReadFile, Error>> read;
    std::unique_ptr<FileReview> walk;
};

Answer get_file_review(Context& call) {
    QueryReader query{call.request};
    const auto in_tree = file_in_tree(call, query);
    if (!in_tree) {
        return std::unexpected(in_tree.error());
    }
    const AnalysisRun& run = *in_tree->second;
    const auto table = std::make_shared<FileTable>();
    const auto look = [table, &run](const TimeUp& time_up) -> std::expected<bool, Error> {
        if (table->read == nullptr) {
            return false;
        }
        if (!*table->read) {
            return std::unexpected(table->read->error());
        }
        if (table->walk == nullptr) {
            table->walk = std::make_unique<FileReview>(run, std::move(**table->read));
        }
        return table->walk->go_on(time_up);
    };
    const auto elsewhere = [table, place = in_tree->first,
                            root = run.root]() -> std::function<void()> {
        if (table->read != nullptr) {
            return nullptr;
        }
        table->read = std::make_shared<std::expected<ReadFile, Error>>();
        return [read = table->read, place, root] {
            const auto file = place.read();
            *read = file ? std::expected<ReadFile, Error>{read_for_review(*file, root)}
                         : std::unexpected(file.error());
        };
    };
    return Api::Walk{look_at(call.core, run, look),
                     [table] { return json_response(table->walk->result()); }, elsewhere};
}

Answer search_file(Context& call) {
    QueryReader query{call.request};
    const auto number = query.integer("game", 1, most_number);
    const auto in_tree = file_in_tree(call, query);
    if (!in_tree) {
        return std::unexpected(in_tree.error());
    }
    return when_changed(
        call,
        [&core = call.core, alone = call.alone, place = in_tree->first, number,
         root = in_tree->second->root]() -> std::expected<Change, Response> {
            const auto kept = place.read();
            if (!kept) {
                return std::unexpected(http::to_response(kept.error()));
            }
            if (number && kept->game(*number) == nullptr) {
                return std::unexpected(http::to_response(no_game(*number, "query.game")));
            }
            std::vector<std::vector<chess::Move>> lines;
            ReadFile read = read_for_review(*kept, root);
            for (auto& [of, line] : read.games) {
                if (line.reason.empty() && (!number || of == *number)) {
                    lines.push_back(std::move(line.moves));
                }
            }
            return [&core, alone, id = place.analysis, root, lines = std::move(lines)] {
                return std::make_shared<AskGames>(core, id, root, lines)->answer(alone);
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
