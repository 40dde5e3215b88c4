#include "tables/inventory.hpp"

#include "chess/material.hpp"
#include "tables/own_tables.hpp"
#include "tables/syzygy.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <sys/stat.h>

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

class SyzygyCheck {
public:
    explicit SyzygyCheck(Inventory& inventory) : inventory_{inventory} {}

    bool sound(const fs::path& file, SyzygyKind kind, const chess::Material& material) {
        const auto mapped = MappedFile::open(file);
        if (!mapped) {
            refuse(file, "cannot be read: " + mapped.error());
            return false;
        }
        if (const auto problem = syzygy_problem(mapped->bytes(), kind, material)) {
            refuse(file, *problem);
            return false;
        }
        return true;
    }

private:
    void refuse(const fs::path& file, const std::string& reason) {
        inventory_.problems.push_back(file.string() + " " + reason + "; it is not used");
    }

    Inventory& inventory_;
};

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

std::string identity_of(const fs::path& file) {
    struct stat about {};
    if (::stat(file.c_str(), &about) != 0) {
        return file.filename().string() + ' '; // whoever reads it will say more
    }
    return file.filename().string() + ' ' + std::to_string(about.st_size) + ' ' +
           std::to_string(about.st_mtim.tv_sec) + '.' + std::to_string(about.st_mtim.tv_nsec) + ' ';
}

std::vector<fs::path> sound_syzygy_files(const std::string& directories, Inventory& inventory) {
    SyzygyCheck check{inventory};
    std::vector<fs::path> sound;
    std::vector<fs::path> files = table_files(directories, ".rtbw", inventory.problems);
    std::vector<std::string> said_already; // of the directories
    const auto more = table_files(directories, ".rtbz", said_already);
    files.insert(files.end(), more.begin(), more.end());
    for (const fs::path& file : files) {
        const bool is_dtz = file.extension() == ".rtbz";
        const std::string name = file.stem().string();
        const chess::Material material = *chess::Material::parse(name);
        if (check.sound(file, is_dtz ? SyzygyKind::dtz : SyzygyKind::wdl, material)) {
            sound.push_back(file);
            (is_dtz ? inventory.dtz : inventory.wdl).push_back(name);
            inventory.identity += identity_of(file);
            inventory.men = std::max(inventory.men, material.men());
        }
    }
    std::sort(inventory.wdl.begin(), inventory.wdl.end());
    std::sort(inventory.dtz.begin(), inventory.dtz.end());
    note_gaps(inventory);
    return sound;
}

} // namespace adjourn::tables
