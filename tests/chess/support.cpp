#include "support.hpp"
#include "shared_data.hpp"
#include "test.hpp"

namespace adjourn::chess::testing {

Position position(const std::string& fen) {
    const auto result = Position::from_fen(fen);
    if (!result) {
        FAIL(fen << " refused: " << result.error().field << ": " << result.error().message);
    }
    return *result;
}

Move move(const Position& position, const std::string& uci) {
    const auto result = parse_uci(position, uci);
    if (!result) {
        FAIL(result.error().message);
    }
    return *result;
}

namespace {

std::optional<std::string> read(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        return std::nullopt;
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Bishops on squares of different colours, the king between the rooks.
std::string random_back_rank(Random& random) {
    std::string rank = "RNBQKBNR";
    for (;;) {
        std::shuffle(rank.begin(), rank.end(), random);
        const auto king = rank.find('K');
        const bool rooks = rank.find('R') < king && king < rank.rfind('R');
        if (rooks && (rank.find('B') + rank.rfind('B')) % 2 == 1) {
            return rank;
        }
    }
}

std::string lower(std::string text) {
    for (char& c : text) {
        c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

} // namespace

std::optional<std::string> shared_file(const std::string& path) {
    return read(data_root() / path);
}

std::string own_file(const std::string& path) {
    const auto text = read(std::string{ADJOURN_TEST_DATA} + "/chess/" + path);
    REQUIRE(text);
    return *text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        lines.push_back(line);
    }
    return lines;
}

Position random_start(Random& random) {
    const std::string white = random_back_rank(random);
    const std::string black = random() % 4 == 0 ? random_back_rank(random) : white;
    return position(lower(black) + "/pppppppp/8/8/8/8/PPPPPPPP/" + white + " w KQkq - 0 1");
}

Position random_position(Random& random, int most_plies) {
    Position current = random() % 2 == 0 ? Position::initial() : random_start(random);
    for (auto plies = static_cast<int>(random() % static_cast<unsigned>(most_plies)); plies > 0;
         --plies) {
        const MoveList moves = current.legal_moves();
        if (moves.empty()) {
            break;
        }
        current.play(moves[random() % moves.size()]);
    }
    return current;
}

void for_random_positions(int games, int plies, std::uint64_t seed,
                          const std::function<void(const Position&)>& show) {
    Random random{seed};
    for (int game = 0; game < games; ++game) {
        Position current = game % 2 == 0 ? Position::initial() : random_start(random);
        for (int ply = 0; ply < plies; ++ply) {
            show(current);
            const MoveList moves = current.legal_moves();
            if (moves.empty()) {
                break;
            }
            // Castling, en passant and promotion are rare in random play; prefer them.
            Move chosen = moves[random() % moves.size()];
            for (const Move move : moves) {
                if (move.kind() != MoveKind::normal && random() % 4 == 0) {
                    chosen = move;
                }
            }
            current.play(chosen);
        }
    }
}

} // namespace adjourn::chess::testing
