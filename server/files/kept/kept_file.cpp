#include "files/kept/kept_file.hpp"

#include "chess/pgn_writer.hpp"
#include "core/records/settings.hpp"
#include "files/review/review.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

namespace adjourn::server {

using storage::FileChange;

KeptFile::KeptFile(std::vector<Version> versions)
    : id_{versions.front().file}, analysis_{versions.front().analysis}, at_{versions.front().at} {
    for (Version& version : versions) {
        versions_[version.number].push_back(std::move(version));
    }
    // Where the row with its name is damaged, its games are there all the same.
    const Version* named = last(0);
    deleted_ = named != nullptr && named->text.empty();
    name_ = named == nullptr ? "file " + std::to_string(id_) : named->text;
}

const KeptFile::Version* KeptFile::last(std::int64_t number) const {
    const auto found = versions_.find(number);
    return found == versions_.end() ? nullptr : &found->second.back();
}

const KeptFile::Version* KeptFile::game(std::int64_t number) const {
    const Version* const found = number < 1 ? nullptr : last(number);
    return found == nullptr || found->text.empty() ? nullptr : found;
}

std::vector<const KeptFile::Version*> KeptFile::games() const {
    std::vector<const Version*> found;
    for (const auto& [number, versions] : versions_) {
        if (const Version* one = game(number)) {
            found.push_back(one);
        }
    }
    return found;
}

std::vector<const KeptFile::Version*> KeptFile::earlier() const {
    std::vector<const Version*> found;
    for (const auto& [number, versions] : versions_) {
        for (const Version& one : versions) {
            if (number > 0 && &one != &versions.back() && !one.text.empty()) {
                found.push_back(&one);
            }
        }
    }
    return found;
}

KeptFile::Version KeptFile::next(std::int64_t number, std::string text, analysis::UnixMs at) const {
    const Version* const there = last(number);
    const std::int64_t before = there == nullptr ? 0 : there->version;
    return {0, analysis_, id_, number, before + 1, before, std::move(text), at};
}

FileChange KeptFile::with(const std::string& name, const std::vector<std::string>& games,
                          analysis::UnixMs at) const {
    FileChange change;
    const auto put = [&](std::int64_t number, const std::string& text) {
        const Version* const there = last(number);
        if ((there == nullptr ? "" : there->text) != text) {
            change.rows.push_back(next(number, text, at));
        }
    };
    if (!name.empty()) {
        put(0, name);
    }
    for (std::size_t i = 0; i < games.size(); ++i) {
        put(static_cast<std::int64_t>(i) + 1, games[i]);
    }
    for (const auto& [number, versions] : versions_) {
        if (number > static_cast<std::int64_t>(games.size())) {
            put(number, "");
        }
    }
    return change;
}

FileChange KeptFile::with_game(std::int64_t number, std::string pgn, analysis::UnixMs at) const {
    return {{next(number, std::move(pgn), at)}};
}

FileChange KeptFile::without(analysis::UnixMs at) const {
    return {{next(0, "", at)}};
}

std::expected<FileChange, std::string> KeptFile::undone(std::int64_t number,
                                                        analysis::UnixMs at) const {
    const Version* const there = last(number);
    if (there == nullptr || there->before == 0) {
        return std::unexpected("there is nothing to take back");
    }
    const auto& all = versions_.at(number);
    const auto before = std::ranges::find(all, there->before, &Version::version);
    if (before == all.end()) {
        return std::unexpected("the version before is damaged and cannot be read");
    }
    Version undone = next(number, before->text, at);
    undone.before = before->before;
    return FileChange{{std::move(undone)}};
}

FileChange new_file(analysis::AnalysisId analysis, const std::string& name,
                    const std::vector<std::string>& games, analysis::UnixMs at) {
    FileChange change{{{0, analysis, 0, 0, 1, 0, name, at}}};
    for (const std::string& game : games) {
        const auto number = static_cast<std::int64_t>(change.rows.size());
        change.rows.push_back({0, analysis, 0, number, 1, 0, game, at});
    }
    return change;
}

std::vector<KeptFile> kept_files(const storage::Store& store, analysis::AnalysisId analysis) {
    std::map<std::int64_t, std::vector<storage::FileRecord>> by_file;
    for (storage::FileRecord& version : store.files(analysis)) {
        by_file[version.file].push_back(std::move(version));
    }
    std::vector<KeptFile> files;
    files.reserve(by_file.size());
    for (auto& [file, versions] : by_file) {
        files.emplace_back(std::move(versions));
    }
    std::erase_if(files, [](const KeptFile& file) { return file.deleted(); });
    return files;
}

std::optional<KeptFile> kept_file(const storage::Store& store, analysis::AnalysisId analysis,
                                  std::int64_t file) {
    auto versions = store.versions(file);
    return versions.empty() || versions.front().analysis != analysis
               ? std::nullopt
               : std::optional{KeptFile{std::move(versions)}};
}

std::optional<chess::AnnotatedGame> game_of(const std::string& pgn) {
    return chess::GameReader{pgn}.next();
}

namespace {

std::vector<chess::AnnotatedGame> read(std::span<const KeptFile> files,
                                       std::vector<const KeptFile::Version*> (KeptFile::*which)()
                                           const) {
    std::vector<chess::AnnotatedGame> games;
    for (const KeptFile& file : files) {
        for (const KeptFile::Version* one : (file.*which)()) {
            if (auto game = game_of(one->text)) {
                games.push_back(std::move(*game));
            }
        }
    }
    return games;
}

using Known =
    std::unordered_map<chess::PackedPosition, std::vector<chess::Move>, chess::PackedPositionHash>;

// All moves of a game, those of variations among them.
void note_moves(Known& known, const chess::AnnotatedGame& game) {
    const chess::GameTree tree{game};
    std::vector<std::pair<chess::GameTree::Node, chess::Position>> open{
        {chess::GameTree::start, tree.position(chess::GameTree::start)}};
    while (!open.empty()) {
        const auto [node, position] = open.back();
        open.pop_back();
        for (auto child = tree.first_child(node); child != chess::GameTree::none;
             child = tree.next_sibling(child)) {
            std::vector<chess::Move>& moves = known[position.packed()];
            if (std::ranges::find(moves, tree.move(child)) == moves.end()) {
                moves.push_back(tree.move(child));
            }
            open.emplace_back(child, position.after(tree.move(child)));
        }
    }
}

std::string players_of(const chess::AnnotatedGame& game, const std::string& otherwise) {
    const std::string white{chess::tag_value(game.tags, "White")};
    const std::string black{chess::tag_value(game.tags, "Black")};
    const auto is_name = [](const std::string& name) {
        return name.find_first_not_of("?. ") != std::string::npos;
    };
    return is_name(white) && is_name(black) ? white + " – " + black : otherwise;
}

std::optional<LeavingGame> leaving_of(const Known& known, const GameLine& game,
                                      chess::Position position) {
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const auto moves = known.find(position.packed());
        if (moves == known.end()) {
            return std::nullopt;
        }
        if (std::ranges::find(moves->second, game.moves[i]) == moves->second.end()) {
            const auto end = game.moves.begin() + static_cast<std::ptrdiff_t>(i + 1);
            return LeavingGame{{}, {game.moves.begin(), end}, moves->second, 0, {}};
        }
        position.play(game.moves[i]);
    }
    return std::nullopt;
}

} // namespace

std::vector<chess::AnnotatedGame> games_of(const std::vector<KeptFile>& files) {
    return read(files, &KeptFile::games);
}

std::vector<chess::AnnotatedGame> earlier_games_of(const std::vector<KeptFile>& files) {
    return read(files, &KeptFile::earlier);
}

GamesText read_games_text(std::string_view text) {
    GamesText read;
    chess::GameReader reader{text};
    while (const auto game = reader.next()) {
        read.games.push_back(chess::to_pgn(*game));
    }
    read.told = reader.report();
    return read;
}

nlohmann::json told_json(const chess::ReadingReport& told) {
    constexpr std::size_t most = 100;
    nlohmann::json list = nlohmann::json::array();
    for (const chess::ReadingNote& note : told.notes) {
        if (list.size() < most) {
            list.push_back({{"game", note.what.game},
                            {"line", note.what.line},
                            {"column", note.what.column},
                            {"message", note.what.message}});
        }
    }
    return {{"mended", told.mended}, {"refused", told.refused}, {"told", std::move(list)}};
}

chess::ReadingReport told_of(const nlohmann::json& json) {
    chess::ReadingReport told{json.at("mended"), json.at("refused"), {}};
    for (const nlohmann::json& note : json.at("told")) {
        told.notes.push_back(
            {chess::ReadingNote::Kind::mended,
             {note.at("game"), note.at("line"), note.at("message"), note.at("column")}});
    }
    return told;
}

std::expected<Kept, std::string> keep(storage::Store& store, analysis::AnalysisId analysis,
                                      const std::string& name,
                                      const std::vector<std::string>& games, analysis::UnixMs at) {
    for (const KeptFile& file : kept_files(store, analysis)) {
        if (file.with(name, games, at).rows.empty()) {
            return Kept{file.id(), true};
        }
    }
    const auto written = write_through(
        [&](const storage::Done& done) { store.write(new_file(analysis, name, games, at), done); });
    if (!written) {
        return std::unexpected(written.error().why);
    }
    return Kept{written->id, false};
}

std::vector<LeavingGame> games_that_leave(const std::vector<KeptFile>& files,
                                          const chess::Position& root, analysis::UnixMs since,
                                          std::size_t most, const Labels& mine) {
    std::vector<LeavingGame> found;
    if (files.empty() || files.back().at() <= since) {
        return found;
    }
    const auto my_side = [&](const chess::AnnotatedGame& game) {
        return my_side_of(mine, chess::tag_value(game.tags, "White"),
                          chess::tag_value(game.tags, "Black"));
    };
    const bool named = !mine.my_names.empty();
    Known known;
    for (const KeptFile& file : files) {
        const auto games = read({&file, 1}, &KeptFile::games);
        for (const chess::AnnotatedGame& game : games) {
            const auto me = my_side(game);
            if (file.at() <= since) {
                break;
            }
            if (named && !me) {
                continue;
            }
            if (auto left = leaving_of(known, game_line(game, root), root)) {
                left->players = players_of(game, file.name());
                left->at = file.at();
                left->me = me;
                found.push_back(std::move(*left));
            }
        }
        for (const chess::AnnotatedGame& game : games) {
            if (!named || !my_side(game)) {
                note_moves(known, game);
            }
        }
    }
    std::ranges::stable_sort(found, [](const LeavingGame& a, const LeavingGame& b) {
        return a.line.size() > b.line.size();
    });
    found.resize(std::min(found.size(), most));
    return found;
}

} // namespace adjourn::server
