#include "files/kept/keep_text.hpp"

#include "chess/pgn_writer.hpp"
#include "core/records/write_through.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace adjourn::server {

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
        return std::unexpected(written.error());
    }
    return Kept{written->id, false};
}

} // namespace adjourn::server
