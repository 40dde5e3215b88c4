// Annotated games: whatever the file, what is read is written, read and written again as it is,
// with nothing to mend; what is changed and merged is, too.
#include "require.hpp"

#include "chess/game_edit.hpp"
#include "chess/game_reader.hpp"
#include "chess/pgn_writer.hpp"

using namespace adjourn::chess;
using adjourn::chess::fuzz::require;

namespace {

std::string require_stable(const std::vector<AnnotatedGame>& games) {
    std::string text;
    for (const AnnotatedGame& game : games) {
        text += to_pgn(game) + "\n";
    }
    const GameFile again = read_games(text);
    require(again.report == ReadingReport{});
    require(again.games == games);
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const GameFile file = read_games(fuzz::text_of(data, size));
    for (const ReadingNote& note : file.report.notes) {
        require(note.what.line >= 1 && !note.what.message.empty());
    }
    require_stable(file.games);
    std::uint32_t number = size == 0 ? 0 : data[size / 2];
    for (AnnotatedGame game : file.games) {
        const AnnotatedGame before = game;
        const GameTree tree{game};
        const GameTree::Node node = number++ % tree.size();
        const auto edit = number % 3 == 0   ? delete_move(tree, node)
                          : number % 3 == 1 ? promote(tree, node)
                                            : make_main_line(tree, node);
        if (edit) {
            game.moves = *edit;
            require_stable({game});
            if (const auto merged = merge(GameTree{game}, before)) {
                game.moves = *merged;
                require_stable({game});
                const auto again = merge(GameTree{game}, before);
                require(again && *again == game.moves);
            }
        }
    }
    return 0;
}
