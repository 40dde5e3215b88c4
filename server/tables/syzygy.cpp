#include "tables/syzygy.hpp"

#include "tables/endgame_tables.hpp"

#include <tbprobe.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstdlib>

namespace adjourn::tables {

namespace fs = std::filesystem;

namespace {

constexpr int longest_win = 100; // plies before the 50-move rule ends it

// libfathom has no call for the DTZ of one position: tb_probe_root() also asks for the DTZ of every
// successor, which takes up to 3 ms, but for the result alone of those whose clock is 0. It counts
// clocks in eight bits, so after this one every successor's is. The distance of the position itself
// does not depend on clocks.
constexpr unsigned fresh_clock_after = 255;

std::atomic<bool> in_use = false;

struct Boards {
    explicit Boards(const chess::Position& position) : board{position.board()} {
        if (const auto square = position.en_passant()) {
            en_passant = static_cast<unsigned>(square->index());
        }
        white_to_move = position.turn() == chess::Color::white;
    }
    std::uint64_t of(chess::Role role) const { return board.of(role); }

    const chess::detail::Board& board;
    unsigned en_passant = 0;
    bool white_to_move = true;
};

unsigned probe_wdl(const Boards& at) {
    using chess::Role;
    return tb_probe_wdl(at.board.of(chess::Color::white), at.board.of(chess::Color::black),
                        at.of(Role::king), at.of(Role::queen), at.of(Role::rook),
                        at.of(Role::bishop), at.of(Role::knight), at.of(Role::pawn), 0, 0,
                        at.en_passant, at.white_to_move);
}

// results: nullptr or room for TB_MAX_MOVES.
unsigned probe_root(const Boards& at, unsigned clock, unsigned* results) {
    using chess::Role;
    return tb_probe_root(at.board.of(chess::Color::white), at.board.of(chess::Color::black),
                         at.of(Role::king), at.of(Role::queen), at.of(Role::rook),
                         at.of(Role::bishop), at.of(Role::knight), at.of(Role::pawn), clock, 0,
                         at.en_passant, at.white_to_move, results);
}

bool in_reach(const chess::Position& position) {
    const auto men = static_cast<unsigned>(std::popcount(position.board().occupied()));
    return men <= TB_LARGEST && position.castling_rooks() == 0;
}

std::optional<chess::Wdl> result(unsigned probed) {
    if (probed == TB_RESULT_FAILED) {
        return std::nullopt;
    }
    return static_cast<chess::Wdl>(static_cast<int>(probed) - TB_DRAW);
}

chess::Move move_of(const chess::Position& position, unsigned result) {
    const chess::Square from{static_cast<int>(TB_GET_FROM(result))};
    const chess::Square to{static_cast<int>(TB_GET_TO(result))};
    if (TB_GET_EP(result) != 0) {
        return chess::Move::en_passant(from, to);
    }
    switch (TB_GET_PROMOTES(result)) {
    case TB_PROMOTES_QUEEN: return chess::Move::promotion(from, to, chess::Role::queen);
    case TB_PROMOTES_ROOK: return chess::Move::promotion(from, to, chess::Role::rook);
    case TB_PROMOTES_BISHOP: return chess::Move::promotion(from, to, chess::Role::bishop);
    case TB_PROMOTES_KNIGHT: return chess::Move::promotion(from, to, chess::Role::knight);
    default: break;
    }
    const chess::Move move = chess::Move::normal(from, to);
    assert(position.is_legal(move));
    (void)position;
    return move;
}

using Bytes = std::span<const std::uint8_t>;

constexpr std::array<std::uint8_t, 4> wdl_magic{0x71, 0xe8, 0x23, 0x5d};
constexpr std::array<std::uint8_t, 4> dtz_magic{0xd7, 0x66, 0x0c, 0xa5};
constexpr std::size_t block = 64;
constexpr std::size_t checksum_bytes = 16; // at the end of a file
constexpr std::size_t pieces_at = 6;

// The header names a piece in each nibble: 1 pawn … 6 king, and 8 more for Black.
std::optional<chess::Material> pieces(Bytes file, std::size_t at, int men) {
    chess::Material found;
    std::array<int, 2> kings{};
    for (int i = 0; i < men; ++i) {
        const int code = file[at + static_cast<std::size_t>(i)] & 15;
        const auto color = code < 8 ? chess::Color::white : chess::Color::black;
        const int role = (code & 7) - 1;
        if (role < 0 || role > static_cast<int>(chess::Role::king)) {
            return std::nullopt;
        }
        if (role == static_cast<int>(chess::Role::king)) {
            ++kings[static_cast<std::size_t>(color)];
        } else {
            found.add(color, static_cast<chess::Role>(role));
        }
    }
    return kings == std::array{1, 1} ? std::optional{found} : std::nullopt;
}

} // namespace

// A directory of links to the files that may be opened: libfathom takes directories, and opens what
// it finds there when it is needed first.
class Syzygy::Links {
public:
    explicit Links(const std::vector<fs::path>& files) {
        std::string pattern = (fs::temp_directory_path() / "adjourn-tables-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw TablesError{"no directory can be made in " + fs::temp_directory_path().string()};
        }
        path_ = pattern;
        for (const fs::path& file : files) {
            std::error_code error;
            fs::create_symlink(fs::absolute(file), path_ / file.filename(), error);
            if (error) {
                const std::string where = path_.string();
                remove();
                throw TablesError{"no links can be made in " + where + ": " + error.message()};
            }
        }
    }
    ~Links() { remove(); }
    Links(const Links&) = delete;
    Links& operator=(const Links&) = delete;
    const fs::path& path() const { return path_; }

private:
    void remove() const {
        std::error_code ignored; // left-overs in the temporary directory harm nobody
        fs::remove_all(path_, ignored);
    }
    fs::path path_;
};

Syzygy::Syzygy(const std::vector<fs::path>& files) : links_{std::make_unique<Links>(files)} {
    [[maybe_unused]] const bool taken = in_use.exchange(true);
    assert(!taken);
    if (!tb_init(links_->path().c_str())) {
        in_use = false;
        throw TablesError{"libfathom does not open " + links_->path().string()};
    }
}

// No tb_free(): after it, libfathom 1.0 opens tables through a pointer that it has freed. The next
// tb_init() lets go of what this one mapped.
Syzygy::~Syzygy() {
    in_use = false;
}

std::optional<chess::Wdl> Syzygy::wdl(const chess::Position& position) const {
    if (!in_reach(position)) {
        return std::nullopt;
    }
    const std::scoped_lock lock{mutex_};
    return result(probe_wdl(Boards{position}));
}

std::optional<chess::Score> Syzygy::value(const chess::Position& position) const {
    if (!in_reach(position)) {
        return std::nullopt;
    }
    const Boards boards{position};
    const std::scoped_lock lock{mutex_};
    const std::optional<chess::Wdl> wdl = result(probe_wdl(boards));
    if (!wdl || *wdl == chess::Wdl::draw) {
        return wdl ? std::optional{chess::Score::tablebase(*wdl, 0)} : std::nullopt;
    }
    const unsigned root = probe_root(boards, fresh_clock_after, nullptr);
    const bool known =
        root != TB_RESULT_FAILED && root != TB_RESULT_CHECKMATE && root != TB_RESULT_STALEMATE;
    return chess::Score::tablebase(*wdl, known ? static_cast<int>(TB_GET_DTZ(root)) : longest_win);
}

std::vector<analysis::TableMove> Syzygy::moves(const chess::Position& position) const {
    std::vector<analysis::TableMove> moves;
    if (!in_reach(position) || position.terminal() != chess::Terminal::no) {
        return moves;
    }
    std::array<unsigned, TB_MAX_MOVES> results;
    {
        const std::scoped_lock lock{mutex_};
        if (probe_root(Boards{position}, 0, results.data()) == TB_RESULT_FAILED) {
            return moves;
        }
    }
    for (const unsigned* at = results.data(); *at != TB_RESULT_FAILED; ++at) {
        const chess::Move move = move_of(position, *at);
        analysis::TableMove judged{
            move,
            chess::Score::tablebase(*result(TB_GET_WDL(*at)), static_cast<int>(TB_GET_DTZ(*at)))};
        const chess::Position after = position.after(move);
        switch (after.terminal()) {
        case chess::Terminal::checkmate: judged.value = chess::Score::mate_in(1); break;
        case chess::Terminal::stalemate:
        case chess::Terminal::dead: judged.value = chess::Score::cp(0); break;
        case chess::Terminal::no:
            if (judged.value.plies() > 1) {
                judged.next_plies = judged.value.plies() - 1;
            } else if (judged.value.rank() != 0) { // the count begins anew: where does it lead?
                judged.next_plies = value(after).value_or(chess::Score::cp(0)).plies();
            }
            break;
        }
        moves.push_back(judged);
    }
    analysis::sort_best_first(moves);
    return moves;
}

std::optional<std::string> syzygy_problem(Bytes file, SyzygyKind kind,
                                          const chess::Material& material) {
    const auto& magic = kind == SyzygyKind::wdl ? wdl_magic : dtz_magic;
    if (file.size() < block + checksum_bytes || file.size() % block != checksum_bytes) {
        return "is " + std::to_string(file.size()) +
               " bytes long, which no complete table is: cut short or damaged";
    }
    if (!std::equal(magic.begin(), magic.end(), file.begin())) {
        return kind == SyzygyKind::wdl ? "does not begin as a WDL table does"
                                       : "does not begin as a DTZ table does";
    }
    // One more byte of order where both sides have pawns.
    const bool both_pawns = material.count(chess::Color::white, chess::Role::pawn) > 0 &&
                            material.count(chess::Color::black, chess::Role::pawn) > 0;
    const auto found = pieces(file, pieces_at + (both_pawns ? 1 : 0), material.men());
    if (found != material && found != material.flipped()) {
        return "holds another table than its name says";
    }
    return std::nullopt;
}

} // namespace adjourn::tables
