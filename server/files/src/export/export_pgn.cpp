#include "chess/notation.hpp"
#include "chess/pgn_writer.hpp"
#include "core/graphs/move_clock.hpp"
#include "engine_comments.hpp"
#include "export_tags.hpp"
#include "files/export/export_tree.hpp"
#include "game_union.hpp"
#include "study.hpp"

#include <memory>
#include <utility>

namespace adjourn::server {

namespace {

std::string result_of(chess::Position position, const std::vector<ExportMove>& moves) {
    for (const std::vector<ExportMove>* at = &moves; !at->empty(); at = &at->front().replies) {
        position.play(at->front().move.move);
    }
    switch (position.terminal()) {
    case chess::Terminal::checkmate: return position.turn() == chess::Color::white ? "0-1" : "1-0";
    case chess::Terminal::stalemate:
    case chess::Terminal::dead: return "1/2-1/2";
    case chess::Terminal::no: break;
    }
    return "*";
}

std::string joined(const std::string& a, const std::string& b) {
    return a + (a.empty() || b.empty() ? "" : "; ") + b;
}

// What is known of the analysis when the export is asked for.
struct Subject {
    ExportPlace place;
    OwnWork own;
    PgnOptions options;
    std::vector<chess::PgnTag> tags;
    std::string name;
    std::string remark; // what the move clock says at the exported position, and how sure it is
    bool drawn = false;
};

std::vector<chess::AnnotatedGame> games_of(const Subject& subject, const ExportTree& chosen,
                                           const storage::Store& store) {
    GameUnion made = make_union(subject.own, chosen, subject.place);
    const std::string result = subject.drawn ? "1/2-1/2" : result_of(chosen.start, chosen.moves);
    const auto finish = [&](chess::AnnotatedGame& game) {
        add_engine_comments(game, made.path, chosen, subject.remark, subject.options, store);
    };
    std::vector<chess::AnnotatedGame> games;
    if (made.brought) {
        add_tags(made.game.tags, subject.tags);
    } else {
        chess::AnnotatedGame whole = chess::new_game(made.game.start, subject.tags, result);
        whole.moves = std::move(made.game.moves);
        made.game = std::move(whole);
    }
    finish(made.game);
    games.push_back(std::move(made.game));
    if (made.beside) {
        chess::AnnotatedGame whole = chess::new_game(made.beside->start, subject.tags, result);
        whole.moves = std::move(made.beside->moves);
        finish(whole);
        games.push_back(std::move(whole));
    }
    if (subject.options.chapter != 0) {
        games = study_chapters(games.front(), subject.name.empty() ? "Analysis" : subject.name,
                               subject.options.chapter);
    }
    const chess::AnnotatedGame* taken = subject.own.game();
    for (const chess::AnnotatedGame& game : subject.own.games->games) {
        if (subject.place.line.empty() && &game != taken) {
            games.push_back(game);
        }
    }
    return games;
}

} // namespace

ExportWriter pgn_writer(const ExportOrder& order) {
    const auto& [core, run, line, limits, own, sure] = order;
    const chess::Position at = run.root.after(line);
    const PgnOptions& options = limits.pgn;
    const bool quiet =
        options.comments == CommentDensity::none || limits.engine == EnginePart::none;
    const auto subject =
        std::make_shared<Subject>(Subject{{run.start, run.moves_before(), line, options.from_game},
                                          own,
                                          options,
                                          export_tags(run, line, options.from_game),
                                          run.record.name,
                                          quiet ? "" : joined(clock_note(run, at), sure),
                                          drawn_by_clock(run, at)});
    return [&store = core.store(), subject](const ExportTree& chosen) -> ExportText {
        const auto games = games_of(*subject, chosen, store);
        ExportText file;
        for (const chess::AnnotatedGame& game : games) {
            file.text += (file.text.empty() ? "" : "\n") + chess::to_pgn(game);
        }
        file.chapters = subject->options.chapter == 0 ? 0 : games.size();
        return file;
    };
}

} // namespace adjourn::server
