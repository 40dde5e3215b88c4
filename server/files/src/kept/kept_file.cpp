#include "files/kept/kept_file.hpp"

#include "chess/game_reader.hpp"

#include <algorithm>
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

std::vector<chess::AnnotatedGame> read(const std::vector<const KeptFile::Version*>& versions) {
    std::vector<chess::AnnotatedGame> games;
    for (const KeptFile::Version* one : versions) {
        if (auto game = game_of(one->text)) {
            games.push_back(std::move(*game));
        }
    }
    return games;
}

} // namespace

std::vector<chess::AnnotatedGame> games_of(const std::vector<KeptFile>& files) {
    std::vector<const KeptFile::Version*> all;
    for (const KeptFile& file : files) {
        const auto games = file.games();
        all.insert(all.end(), games.begin(), games.end());
    }
    return read(all);
}

std::vector<chess::AnnotatedGame> earlier_games_of(const std::vector<KeptFile>& files) {
    std::vector<const KeptFile::Version*> all;
    for (const KeptFile& file : files) {
        const auto games = file.earlier();
        all.insert(all.end(), games.begin(), games.end());
    }
    return read(all);
}

} // namespace adjourn::server
