// What people change in the games of a file, and taking it back. A change is made of the version
// that is there, and written only if nobody has written another one meanwhile.
#include "api/views/view_files.hpp"
#include "chess/game_edit.hpp"
#include "chess/pgn_writer.hpp"
#include "kept_place.hpp"
#include "request_parts.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

namespace {

using chess::GameTree;

constexpr std::size_t longest_comment = 100'000; // bytes, of what an edit says
constexpr std::size_t longest_path = 20'000;     // numbers of moves, with dots
constexpr std::size_t most_marks = 100;

// What an edit does to the game at a node, and the line to what it is about then.
struct Edited {
    chess::GameEdit edit;
    std::vector<chess::Move> shown;
};
using EditGame = std::function<std::expected<Edited, Error>(const GameTree&, GameTree::Node)>;
using EditNode = std::function<chess::EditResult(const GameTree&, GameTree::Node)>;

std::expected<Edited, Error> edited(const chess::EditResult& edit, std::vector<chess::Move> shown) {
    if (!edit) {
        return std::unexpected(Error{ErrorCode::conflict, edit.error(), "path"});
    }
    return Edited{*edit, std::move(shown)};
}

EditGame at_node(EditNode edit) {
    return [edit = std::move(edit)](const GameTree& tree, GameTree::Node node) {
        return edited(edit(tree, node), tree.moves_to(node));
    };
}

EditGame read_move_edit(const JsonObject& reader) {
    const std::string text = reader.at("move").text().value_or("");
    return [text](const GameTree& tree, GameTree::Node node) -> std::expected<Edited, Error> {
        auto line = parse_line_at(text, tree.position(node), "move");
        if (!line) {
            return std::unexpected(line.error());
        }
        if (line->size() != 1) {
            return std::unexpected(Error{ErrorCode::bad_value, "move must be one move", "move"});
        }
        std::vector<chess::Move> shown = tree.moves_to(node);
        shown.push_back(line->front());
        return tree.child(node, line->front())
                   ? Edited{{}, std::move(shown)} // it is there
                   : edited(add_move(tree, node, line->front()), std::move(shown));
    };
}

EditGame read_delete(const JsonObject&) {
    return [](const GameTree& tree, GameTree::Node node) {
        std::vector<chess::Move> shown = tree.moves_to(node);
        if (!shown.empty()) {
            shown.pop_back();
        }
        return edited(delete_move(tree, node), std::move(shown));
    };
}

template <auto edit>
EditGame read_plain(const JsonObject&) {
    return at_node([](const GameTree& tree, GameTree::Node node) { return edit(tree, node); });
}

template <auto edit>
EditGame read_nag(const JsonObject& reader) {
    const auto nag = static_cast<std::uint8_t>(reader.at("nag").integer(0, 255).value_or(0));
    return at_node(
        [nag](const GameTree& tree, GameTree::Node node) { return edit(tree, node, nag); });
}

template <chess::CommentPlace place>
EditGame read_comment(const JsonObject& reader) {
    const std::string text = reader.at("text").text(longest_comment).value_or("");
    return at_node([text](const GameTree& tree, GameTree::Node node) {
        return set_comment(tree, node, place, text);
    });
}

EditGame read_marks(const JsonObject& reader) {
    std::vector<chess::BoardMark> marks;
    for (const JsonValue& item : reader.at("marks").items(most_marks)) {
        const auto mark = mark_of(item.text().value_or(""));
        if (!mark) {
            item.wrong(item.path() + " must be a circle like Gd4 or an arrow like Ge2e4, in G, R, "
                                     "Y or B");
            break;
        }
        marks.push_back(*mark);
    }
    return at_node([marks](const GameTree& tree, GameTree::Node node) {
        return set_marks(tree, node, marks);
    });
}

struct EditAction {
    std::string_view name;
    EditGame (*read)(const JsonObject& reader);
};
constexpr std::array edit_actions{
    EditAction{"move", read_move_edit},
    EditAction{"delete", read_delete},
    EditAction{"promote", read_plain<chess::promote>},
    EditAction{"main", read_plain<chess::make_main_line>},
    EditAction{"nag", read_nag<chess::set_nag>},
    EditAction{"clear_nag", read_nag<chess::clear_nag>},
    EditAction{"comment", read_comment<chess::CommentPlace::behind>},
    EditAction{"comment_before", read_comment<chess::CommentPlace::before>},
    EditAction{"marks", read_marks},
};

struct EditWish {
    std::int64_t game = 0;
    std::optional<std::int64_t> version; // that was looked at; none: whichever is the last
    std::string path;
    EditGame edit;
};

// What it writes, null where nothing changes, and the answer.
struct EditDone {
    std::optional<storage::FileChange> change;
    Response response;
};

std::expected<EditDone, Error> carry_out(const KeptFile& file, const EditWish& wish,
                                         analysis::UnixMs at) {
    const auto* version = file.game(wish.game);
    auto game = version == nullptr ? std::nullopt : game_of(version->text);
    if (!game) {
        return std::unexpected(no_game(wish.game, "game"));
    }
    if (wish.version && *wish.version != version->version) {
        return std::unexpected(Error{ErrorCode::conflict,
                                     "somebody has changed the game: it is at version " +
                                         std::to_string(version->version) + ", look again",
                                     "version"});
    }
    Edited made;
    {
        const GameTree tree{*game};
        const auto node = node_at(tree, wish.path);
        if (!node) {
            return std::unexpected(
                Error{ErrorCode::bad_value, "path leads to no move of the game", "path"});
        }
        auto edit = wish.edit(tree, *node);
        if (!edit) {
            return std::unexpected(edit.error());
        }
        made = std::move(*edit);
    }
    EditDone done;
    storage::FileRecord shown = *version;
    if (!made.edit.empty()) {
        apply(*game, made.edit);
        done.change = file.with_game(wish.game, chess::to_pgn(*game), at);
        shown = done.change->rows.front();
    }
    json out = game_json(shown);
    const GameTree tree{*game};
    const auto node = tree.find(std::span<const chess::Move>{made.shown});
    out["path"] = path_text(tree, node.value_or(GameTree::start));
    done.response = json_response(out);
    return done;
}

Answer edit_game(Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto place = file_place(call);
        if (!place) {
            return std::unexpected(place.error());
        }
        std::vector<std::string_view> names;
        for (const EditAction& action : edit_actions) {
            names.push_back(action.name);
        }
        EditWish wish;
        wish.game = reader.at("game").integer(1, most_number).value_or(0);
        wish.version = reader.find("version").integer(1, most_number);
        wish.path = reader.find("path").text(longest_path).value_or("");
        if (const auto action = reader.at("action").choice(names)) {
            wish.edit = edit_actions[*action].read(reader);
        }
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        return when_changed(call,
                            [&core = call.core, place = *place, wish = std::move(wish),
                             at = call.core.now()]() -> std::expected<Change, Response> {
                                const auto file = place.read();
                                auto done = file ? carry_out(*file, wish, at)
                                                 : std::unexpected(file.error());
                                if (!done || !done->change) {
                                    return std::unexpected(done ? std::move(done->response)
                                                                : http::to_response(done.error()));
                                }
                                return [&core, id = place.analysis, done = std::move(*done)] {
                                    return core.keep(id, *done.change).map([done](std::int64_t) {
                                        return done.response;
                                    });
                                };
                            });
    });
}

Answer undo(Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto place = file_place(call);
        if (!place) {
            return std::unexpected(place.error());
        }
        const auto game = reader.find("game").integer(1, most_number);
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        return when_changed(
            call,
            [&core = call.core, place = *place, number = game.value_or(0),
             at = call.core.now()]() -> std::expected<Change, Response> {
                const auto file = place.read(number == 0);
                if (!file) {
                    return std::unexpected(http::to_response(file.error()));
                }
                auto change = file->undone(number, at);
                if (!change) {
                    return std::unexpected(
                        http::to_response({ErrorCode::conflict, change.error(), "game"}));
                }
                return [&core, id = place.analysis, change = std::move(*change)] {
                    return core.keep(id, change).map([row = change.rows.front()](std::int64_t) {
                        return json_response(row.number == 0
                                                 ? json{{"id", row.file}, {"name", row.text}}
                                                 : game_json(row));
                    });
                };
            });
    });
}

constexpr std::array edit_calls{
    Call{Method::post, "/api/v1/analyses/{id}/files/{file}/edits", edit_game, false, json_body},
    Call{Method::post, "/api/v1/analyses/{id}/files/{file}/undo", undo, false, json_body},
};

} // namespace

std::span<const Call> calls_of_edits() {
    return edit_calls;
}

} // namespace adjourn::server
