#include "tables/endgame_tables.hpp"

#include "chess/material.hpp"
#include "tables/own_tables.hpp"
#include "tables/syzygy.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <unordered_map>

namespace adjourn::tables {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts;
    std::istringstream in{list};
    for (std::string part; std::getline(in, part, ':');) {
        if (!part.empty()) {
            parts.push_back(part);
        }
    }
    return parts;
}

// What one move can turn the material into.
std::vector<chess::Material> successors(const chess::Material& material) {
    std::vector<chess::Material> result;
    for (const chess::Color color : {chess::Color::white, chess::Color::black}) {
        for (int r = 0; r < static_cast<int>(chess::Role::king); ++r) {
            const auto role = static_cast<chess::Role>(r);
            if (material.count(color, role) == 0) {
                continue;
            }
            chess::Material less = material;
            less.remove(color, role);
            result.push_back(less);
            for (int to = 1; role == chess::Role::pawn && to < static_cast<int>(chess::Role::king);
                 ++to) {
                chess::Material promoted = less;
                promoted.add(color, static_cast<chess::Role>(to));
                result.push_back(promoted);
            }
        }
    }
    return result;
}

std::string normal_name(const chess::Material& material) {
    return material.normalised() ? material.name() : material.flipped().name();
}

void note_gaps(Inventory& inventory) {
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return std::binary_search(names.begin(), names.end(), name);
    };
    for (const std::string& name : inventory.dtz) {
        if (!has(inventory.wdl, name)) {
            inventory.problems.push_back("there is a " + name + ".rtbz but no " + name + ".rtbw");
        }
    }
    for (const std::string& name : inventory.wdl) {
        if (!has(inventory.dtz, name)) {
            inventory.problems.push_back("there is a " + name + ".rtbw but no " + name +
                                         ".rtbz: results are known, distances are not");
        }
        std::set<std::string> missing;
        for (const chess::Material& next : successors(*chess::Material::parse(name))) {
            const std::string normal = normal_name(next);
            if (next.men() > 2 && !has(inventory.wdl, normal)) {
                missing.insert(normal);
            }
        }
        if (!missing.empty()) {
            std::string list;
            for (const std::string& next : missing) {
                list += (list.empty() ? "" : ", ") + next;
            }
            inventory.problems.push_back(name + " leads to " + list +
                                         ", for which there are no tables: positions where that "
                                         "matters are not covered");
        }
    }
}

// The Syzygy files that may be used; fills inventory.wdl, .dtz, .men and .problems.
std::vector<fs::path> sound_syzygy_files(const std::string& directories, Inventory& inventory) {
    std::vector<fs::path> sound;
    std::vector<fs::path> files = table_files(directories, ".rtbw", inventory.problems);
    std::vector<std::string> said_already; // of the directories
    const auto more = table_files(directories, ".rtbz", said_already);
    files.insert(files.end(), more.begin(), more.end());
    for (const fs::path& file : files) {
        const bool is_dtz = file.extension() == ".rtbz";
        const std::string name = file.stem().string();
        const chess::Material material = *chess::Material::parse(name);
        const auto mapped = MappedFile::open(file);
        const auto problem =
            mapped ? syzygy_problem(mapped->bytes(), is_dtz ? SyzygyKind::dtz : SyzygyKind::wdl,
                                    material)
                   : std::optional{"cannot be read: " + mapped.error()};
        if (problem) {
            inventory.problems.push_back(file.string() + " " + *problem + "; it is not used");
            continue;
        }
        sound.push_back(file);
        (is_dtz ? inventory.dtz : inventory.wdl).push_back(name);
        inventory.men = std::max(inventory.men, material.men());
    }
    std::sort(inventory.wdl.begin(), inventory.wdl.end());
    std::sort(inventory.dtz.begin(), inventory.dtz.end());
    note_gaps(inventory);
    return sound;
}

// Answers that were given, so that who asks again waits neither for a disk nor for another probe.
template <class Answer>
class Remembered {
public:
    template <class Probe>
    Answer of(const chess::Position& position, Probe probe) {
        const chess::PackedPosition key = position.packed();
        {
            const std::scoped_lock lock{mutex_};
            if (const auto found = answers_.find(key); found != answers_.end()) {
                return found->second;
            }
        }
        Answer answer = probe();
        const std::scoped_lock lock{mutex_};
        if (answers_.size() >= most) {
            answers_.clear();
        }
        answers_.emplace(key, answer);
        return answer;
    }

private:
    static constexpr std::size_t most = 1 << 15;
    std::mutex mutex_;
    std::unordered_map<chess::PackedPosition, Answer, chess::PackedPositionHash> answers_;
};

} // namespace

std::vector<fs::path> table_files(const std::string& directories, const std::string& extension,
                                  std::vector<std::string>& problems) {
    std::map<std::string, fs::path> found;
    for (const std::string& directory : split(directories)) {
        std::error_code error;
        for (fs::directory_iterator at{directory, error}, end; !error && at != end;
             at.increment(error)) {
            const fs::path file = at->path();
            if (file.extension() == extension && chess::Material::parse(file.stem().string())) {
                found.emplace(file.filename().string(), file);
            }
        }
        if (error) {
            problems.push_back(directory + " cannot be read: " + error.message());
        }
    }
    std::vector<fs::path> files;
    files.reserve(found.size());
    for (auto& [name, file] : found) {
        files.push_back(std::move(file));
    }
    return files;
}

struct EndgameTables::Parts {
    std::unique_ptr<Syzygy> syzygy;
    std::unique_ptr<OwnTables> own; // answers where Syzygy does not
    Remembered<std::optional<chess::Score>> values;
    Remembered<std::vector<analysis::TableMove>> moves;
};

EndgameTables::EndgameTables(const Paths& paths) : parts_{std::make_unique<Parts>()} {
    const auto files = sound_syzygy_files(paths.syzygy, inventory_);
    if (!files.empty()) {
        parts_->syzygy = std::make_unique<Syzygy>(files);
    }
    auto own = std::make_unique<OwnTables>(paths.own, inventory_);
    if (!inventory_.own.empty()) {
        parts_->own = std::move(own);
    }
}

EndgameTables::~EndgameTables() = default;

std::optional<chess::Score> EndgameTables::value(const chess::Position& position) const {
    if (std::popcount(position.board().occupied()) > inventory_.men) {
        return std::nullopt;
    }
    return parts_->values.of(position, [&] {
        const auto known = parts_->syzygy ? parts_->syzygy->value(position) : std::nullopt;
        return known || !parts_->own ? known : parts_->own->value(position);
    });
}

std::vector<analysis::TableMove> EndgameTables::moves(const chess::Position& position) const {
    if (std::popcount(position.board().occupied()) > inventory_.men) {
        return {};
    }
    return parts_->moves.of(position, [&] { return probe_moves(position); });
}

std::vector<analysis::TableMove> EndgameTables::probe_moves(const chess::Position& position) const {
    if (!parts_->syzygy || !parts_->syzygy->value(position)) {
        return parts_->own ? parts_->own->moves(position) : std::vector<analysis::TableMove>{};
    }
    auto moves = parts_->syzygy->moves(position);
    if (!moves.empty()) {
        return moves;
    }
    return analysis::moves_by_values(*this, position, [](const auto& from, chess::Move move) {
        return from.is_capture(move) || from.piece_at(move.from())->role == chess::Role::pawn;
    });
}

std::shared_ptr<const EndgameTables> open_tables(const Paths& paths) {
    if (paths.syzygy.empty() && paths.own.empty()) {
        return nullptr;
    }
    return std::make_shared<EndgameTables>(paths);
}

} // namespace adjourn::tables
