// The game along a line of an analysis, as the analysis sees it.
#include "api/work_errors.hpp"
#include "call.hpp"
#include "chess/game_reader.hpp"
#include "chess/pgn_writer.hpp"
#include "files/export/own_work.hpp"
#include "files/review/review.hpp"
#include "place.hpp"
#include "request_parts.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <utility>

namespace adjourn::server {

namespace {

Api::Reply when_annotated(const Context& call, const AnalysisRun& run,
                          const std::shared_ptr<Review>& made, chess::AnnotatedGame game) {
    const auto write = [made, game = std::move(game), engine = run.slot->engine().name] {
        Response response;
        response.content_type = "application/x-chess-pgn; charset=utf-8";
        response.body = chess::to_pgn(annotated(*made, game, engine));
        return response;
    };
    return when_read(
        call,
        [made, write, &store = call.core.store()] {
            lengthen(*made, store);
            return write();
        },
        write);
}

Answer get_review(Context& call) {
    QueryReader query{call.request};
    auto place = place_of(call, query);
    const auto format = query.choice("format", {"json", "pgn"});
    place = finished_in_tree(std::move(place), query);
    if (!place) {
        return std::unexpected(place.error());
    }
    const auto made = std::make_shared<Review>(review(*place->run, place->line));
    if (format.value_or(0) == 0) {
        return when_read(
            call,
            [made, &store = call.core.store()] {
                lengthen(*made, store);
                return json_response(review_json(*made));
            },
            [made] { return json_response(review_json(*made)); });
    }
    return when_annotated(call, *place->run, made, reviewed_game(*made));
}

// The body is a PGN text; its first game is reviewed from where it reaches the root.
Answer annotate_game(Context& call, const AnalysisRun& run) {
    const auto wrong = [](const std::string& message) {
        return std::unexpected(Error{ErrorCode::bad_value, message, "body"});
    };
    chess::GameReader reader{std::string_view{call.request.body}};
    auto game = reader.next();
    if (!game) {
        return wrong("there is no game in it");
    }
    const chess::GameTree tree{*game};
    const auto root = node_at(tree, run.root);
    if (!root || (*root != chess::GameTree::start && !tree.in_main_line(*root))) {
        return wrong("the game does not lead to the root of the analysis, " + run.root.fen());
    }
    std::vector<chess::Move> line;
    for (auto node = tree.first_child(*root); node != chess::GameTree::none;
         node = tree.first_child(node)) {
        line.push_back(tree.move(node));
    }
    if (run.slot == nullptr) {
        return std::unexpected(no_tree(run));
    }
    return when_annotated(call, run, std::make_shared<Review>(review(run, line)), std::move(*game));
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
        const Review known = review(run, *line);
        std::vector<Pending<Core::Given>> said;
        for (std::size_t ply = 0; ply <= line->size(); ++ply) {
            if (!known.scores[ply]) {
                said.push_back(call.core.direct(
                    run.record.id,
                    {line->begin(), line->begin() + static_cast<std::ptrdiff_t>(ply)}, "now", ""));
            }
        }
        using Results = std::vector<Pending<Core::Given>::Result>;
        return when_durable(
            call, all_of(said).map([](const Results& results) -> Pending<Response>::Result {
                for (const auto& result : results) {
                    if (!result) {
                        return std::unexpected(result.error());
                    }
                }
                return json_response({{"asked", results.size()}});
            }));
    });
}

constexpr CallRules game_body{CallRules{}.most_bytes, CallRules::Body::text, true, false};

constexpr std::array review_calls{
    Call{Method::get, "/api/v1/analyses/{id}/review", get_review, true, by_link()},
    Call{Method::post, "/api/v1/analyses/{id}/review", of_run<search_game>, false, json_body},
    Call{Method::post, "/api/v1/analyses/{id}/review/game", of_run<annotate_game>, false,
         game_body},
};

} // namespace

std::span<const Call> calls_of_review() {
    return review_calls;
}

} // namespace adjourn::server
