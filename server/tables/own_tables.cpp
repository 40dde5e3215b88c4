#include "tables/own_tables.hpp"

#include "base/files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string_view>
#include <unordered_map>

namespace adjourn::tables {

using chess::Outcome;
using chess::Position;

namespace {

constexpr std::size_t most_remembered = 1 << 18;

bool converts(const Position& position, chess::Move move) {
    return position.is_capture(move) || move.kind() == chess::MoveKind::promotion;
}

struct Table {
    Table(const chess::Material& material, MappedFile from)
        : index{material}, file{std::move(from)} {}
    chess::TableIndex index;
    MappedFile file;
    std::vector<std::uint8_t> codes; // empty until asked for
};

// What is stored.
class QuietTables final : public chess::QuietTable {
public:
    void add(const chess::Material& material, MappedFile file) {
        tables_.emplace(material, Table{material, std::move(file)});
    }
    bool has(const chess::Material& material) const { return tables_.contains(material); }

    std::optional<Outcome> outcome(const Position& quiet) const override {
        const auto known = conversion(quiet);
        return known ? std::optional{known->outcome} : std::nullopt;
    }

    std::optional<chess::Conversion> conversion(const Position& quiet) const {
        chess::Material material = chess::Material::of(quiet);
        if (!material.normalised()) {
            material = material.flipped();
        }
        const auto found = tables_.find(material);
        if (found == tables_.end()) {
            return std::nullopt;
        }
        Table& table = found->second;
        if (table.codes.empty()) {
            const auto read = read_own(table.file.bytes());
            auto codes = read ? unpack_own(*read) : std::unexpected(read.error());
            if (!codes) {
                tables_.erase(found); // the file has changed since the start
                return std::nullopt;
            }
            table.codes = std::move(*codes);
        }
        const auto placed = table.index.place(quiet);
        return chess::decode(table.codes[table.index.number(placed->squares, placed->turn)]);
    }

private:
    mutable std::map<chess::Material, Table> tables_;
};

constexpr std::string_view magic{"ADJTBL\r\n", 8}; // a change of line ends shows
constexpr std::size_t name_size = 8;
constexpr std::size_t header_size = 40;
constexpr std::uint32_t version = 1;
// magic 8 | name 8, zero-padded | version 4 | 0 4 | codes 8 | CRC-32 of what is packed 4 |
// CRC-32 of the header so far 4; all numbers little-endian.
constexpr std::size_t version_at = 16;
constexpr std::size_t zero_at = 20;
constexpr std::size_t codes_at = 24;
constexpr std::size_t body_sum_at = 32;
constexpr std::size_t header_sum_at = 36;

template <class Number>
void put(std::vector<std::uint8_t>& out, Number number) {
    for (std::size_t i = 0; i < sizeof number; ++i) {
        out.push_back(static_cast<std::uint8_t>(number >> 8 * i));
    }
}

template <class Number>
Number get(std::span<const std::uint8_t> bytes, std::size_t at) {
    Number number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i) {
        number |= static_cast<Number>(static_cast<Number>(bytes[at + i]) << 8 * i);
    }
    return number;
}

std::uint32_t sum_of(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint32_t>(crc32_z(crc32_z(0, nullptr, 0), bytes.data(), bytes.size()));
}

} // namespace

// Distances of positions that are not quiet: "is it over within n plies?" for growing n. Each step
// asks for one ply less, so it ends, whatever repeats.
struct OwnTables::Parts {
    struct Bounds {
        int not_within = 0;
        int within = chess::longest_conversion + 1;
    };

    mutable std::mutex mutex;
    QuietTables quiet;
    chess::CaptureResolver resolver{quiet};
    std::unordered_map<chess::PackedPosition, Bounds, chess::PackedPositionHash> distances;

    std::optional<chess::Conversion> conversion(const Position& position) {
        if (chess::is_quiet(position)) {
            return quiet.conversion(position);
        }
        const std::optional<Outcome> outcome = resolver.outcome(position);
        if (!outcome || *outcome == Outcome::draw) {
            return outcome ? std::optional{chess::Conversion{}} : std::nullopt;
        }
        if (distances.size() > most_remembered) {
            distances.clear();
        }
        for (int plies = 1; plies <= chess::longest_conversion; ++plies) {
            if (over_within(position, *outcome, plies)) {
                return chess::Conversion{*outcome, plies};
            }
        }
        return std::nullopt;
    }

    // REQUIRES: the outcome is that of the position, no draw.
    bool over_within(const Position& position, Outcome outcome, int plies) {
        if (position.terminal() == chess::Terminal::checkmate) {
            return true;
        }
        if (plies <= 0) {
            return false;
        }
        if (chess::is_quiet(position)) {
            const auto known = quiet.conversion(position);
            return known && known->plies <= plies;
        }
        const auto key = position.packed();
        const Bounds known = distances[key];
        if (plies >= known.within || plies <= known.not_within) {
            return plies >= known.within;
        }
        const bool over =
            outcome == Outcome::win ? wins_within(position, plies) : loses_within(position, plies);
        Bounds& bounds = distances[key];
        if (over) {
            bounds.within = std::min(bounds.within, plies);
        } else {
            bounds.not_within = std::max(bounds.not_within, plies);
        }
        return over;
    }

    bool wins_within(const Position& position, int plies) {
        std::vector<Position> later;
        for (const chess::Move move : position.legal_moves()) {
            const Position after = position.after(move);
            if (outcome_of(after) != Outcome::loss) {
                continue;
            }
            if (converts(position, move) || over_at_once(after, plies - 1)) {
                return true;
            }
            later.push_back(after);
        }
        return std::any_of(later.begin(), later.end(), [&](const Position& after) {
            return !chess::is_quiet(after) && over_within(after, Outcome::loss, plies - 1);
        });
    }

    bool loses_within(const Position& position, int plies) {
        std::vector<Position> later;
        for (const chess::Move move : position.legal_moves()) {
            if (converts(position, move)) {
                continue;
            }
            const Position after = position.after(move);
            if (!chess::is_quiet(after)) {
                later.push_back(after);
            } else if (!over_within(after, Outcome::win, plies - 1)) {
                return false;
            }
        }
        return std::all_of(later.begin(), later.end(), [&](const Position& after) {
            return over_within(after, Outcome::win, plies - 1);
        });
    }

    bool over_at_once(const Position& position, int plies) {
        return (position.terminal() == chess::Terminal::checkmate || chess::is_quiet(position)) &&
               over_within(position, Outcome::loss, plies);
    }

    std::optional<Outcome> outcome_of(const Position& position) {
        switch (position.terminal()) {
        case chess::Terminal::checkmate: return Outcome::loss;
        case chess::Terminal::stalemate:
        case chess::Terminal::dead: return Outcome::draw;
        case chess::Terminal::no: break;
        }
        return resolver.outcome(position);
    }
};

OwnTables::OwnTables(const std::string& directories, Inventory& inventory)
    : parts_{std::make_unique<Parts>()} {
    for (const auto& path : table_files(directories, own_extension, inventory.problems)) {
        const auto refuse = [&](const std::string& reason) {
            inventory.problems.push_back(path.string() + " " + reason + "; it is not used");
        };
        auto file = MappedFile::open(path);
        if (!file) {
            refuse("cannot be read: " + file.error());
            continue;
        }
        const auto read = read_own(file->bytes());
        if (!read) {
            refuse(read.error());
        } else if (read->material.name() != path.stem().string()) {
            refuse("holds another table than its name says");
        } else {
            inventory.own.push_back(read->material.name());
            inventory.men = std::max(inventory.men, read->material.men());
            const chess::Material material = read->material;
            parts_->quiet.add(material, std::move(*file));
        }
    }
    for (const std::string& name : inventory.own) {
        for (const auto& next : chess::EndgameTable::needed_for(*chess::Material::parse(name))) {
            if (!parts_->quiet.has(next)) {
                inventory.problems.push_back(
                    name + std::string{own_extension} + " leads to " + next.name() +
                    ", for which there is no table: positions where that matters are not covered");
            }
        }
    }
}

OwnTables::~OwnTables() = default;

std::optional<chess::Score> OwnTables::value(const chess::Position& position) const {
    if (std::popcount(position.board().occupied()) > chess::TableIndex::most_men ||
        position.castling_rooks() != 0 || position.terminal() != chess::Terminal::no) {
        return std::nullopt;
    }
    const std::scoped_lock lock{parts_->mutex};
    const auto known = parts_->conversion(position);
    if (!known) {
        return std::nullopt;
    }
    switch (known->outcome) {
    case Outcome::win: return chess::Score::tablebase(chess::Wdl::win, known->plies);
    case Outcome::loss: return chess::Score::tablebase(chess::Wdl::loss, known->plies);
    case Outcome::draw: break;
    }
    return chess::Score::tablebase(chess::Wdl::draw, 0);
}

std::vector<analysis::TableMove> OwnTables::moves(const chess::Position& position) const {
    return analysis::moves_by_values(*this, position, converts);
}

std::vector<std::uint8_t> write_own(const chess::EndgameTable& table) {
    const std::vector<std::uint8_t> codes = table.quiet_codes();
    uLongf size = compressBound(static_cast<uLong>(codes.size()));
    std::vector<std::uint8_t> packed(size);
    if (compress2(packed.data(), &size, codes.data(), static_cast<uLong>(codes.size()), 9) !=
        Z_OK) {
        throw std::bad_alloc{}; // the only way that this can fail
    }
    packed.resize(size);
    std::vector<std::uint8_t> file{magic.begin(), magic.end()};
    std::string name = table.material().name();
    name.resize(name_size, '\0');
    file.insert(file.end(), name.begin(), name.end());
    put(file, version);
    put(file, std::uint32_t{0});
    put(file, static_cast<std::uint64_t>(codes.size()));
    put(file, sum_of(packed));
    put(file, sum_of(file));
    file.insert(file.end(), packed.begin(), packed.end());
    return file;
}

std::expected<OwnFile, std::string> read_own(std::span<const std::uint8_t> file) {
    const auto wrong = [](const char* what) { return std::unexpected(std::string{what}); };
    if (file.size() < header_size) {
        return wrong("is too short to be a table");
    }
    if (!std::equal(magic.begin(), magic.end(), file.begin())) {
        return wrong("does not begin as a table of Adjourn's does");
    }
    if (get<std::uint32_t>(file, header_sum_at) != sum_of(file.first(header_sum_at))) {
        return wrong("is damaged: the checksum of its header does not match");
    }
    if (get<std::uint32_t>(file, version_at) != version || get<std::uint32_t>(file, zero_at) != 0) {
        return wrong("has a format that this version does not know");
    }
    const auto* text = reinterpret_cast<const char*>(file.data() + magic.size());
    const auto material = chess::Material::parse({text, strnlen(text, name_size)});
    if (!material || !material->normalised() || material->is_dead() ||
        material->men() > chess::TableIndex::most_men) {
        return wrong("names no material that there is a table for");
    }
    OwnFile own{*material, get<std::uint64_t>(file, codes_at), file.subspan(header_size)};
    if (own.codes != chess::TableIndex{*material}.size()) {
        return wrong("has another size than its material");
    }
    if (get<std::uint32_t>(file, body_sum_at) != sum_of(own.packed)) {
        return wrong("is cut short or damaged: its checksum does not match");
    }
    return own;
}

std::expected<std::vector<std::uint8_t>, std::string> unpack_own(const OwnFile& file) {
    std::vector<std::uint8_t> codes(file.codes);
    auto size = static_cast<uLongf>(codes.size());
    if (uncompress(codes.data(), &size, file.packed.data(),
                   static_cast<uLong>(file.packed.size())) != Z_OK ||
        size != codes.size()) {
        return std::unexpected(std::string{"cannot be unpacked"});
    }
    return codes;
}

std::expected<MappedFile, std::string> MappedFile::open(const std::filesystem::path& file) {
    const auto failed = [] { return std::unexpected(std::string{std::strerror(errno)}); };
    const base::UniqueFd fd{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!fd.open()) {
        return failed();
    }
    struct stat about {};
    if (fstat(fd.get(), &about) != 0 || !S_ISREG(about.st_mode)) {
        return std::unexpected(std::string{"not a file"});
    }
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size == 0) {
        return MappedFile{{}};
    }
    void* at = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (at == MAP_FAILED) {
        return failed();
    }
    return MappedFile{{static_cast<const std::uint8_t*>(at), size}};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) {
        munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
    }
}

std::expected<std::size_t, std::string> write_own_file(const chess::EndgameTable& table,
                                                       const std::filesystem::path& file) {
    const auto bytes = write_own(table);
    std::filesystem::path beside = file;
    beside += ".part";
    std::error_code error;
    {
        constexpr int for_all = 0666; // as the umask says
        const base::UniqueFd out = base::make_new_file(beside, for_all);
        if (!out.open() ||
            !base::write_whole(out.get(),
                               {reinterpret_cast<const char*>(bytes.data()), bytes.size()})) {
            const std::string reason = std::strerror(errno);
            std::filesystem::remove(beside, error);
            return std::unexpected(reason);
        }
    }
    std::filesystem::rename(beside, file, error);
    if (error) {
        return std::unexpected(error.message());
    }
    return bytes.size();
}

} // namespace adjourn::tables
