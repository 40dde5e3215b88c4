#include "perft_table.hpp"

#include "support.hpp"

#include <sstream>

namespace adjourn::chess::testing {

namespace {

void read_semicolons(const std::string& line, std::vector<PerftEntry>& table) {
    PerftEntry entry;
    std::istringstream stream{line};
    std::string fields;
    bool in_fen = true;
    std::string token;
    int depth = 0;
    std::string spaced;
    for (const char c : line) {
        spaced += c == ';' ? ' ' : c;
    }
    std::istringstream tokens{spaced};
    while (tokens >> token) {
        if (token.size() == 2 && token[0] == 'D' && token[1] >= '1' && token[1] <= '9' &&
            fields.find('/') != std::string::npos) {
            in_fen = false;
            depth = token[1] - '0';
        } else if (in_fen) {
            fields += (fields.empty() ? "" : " ") + token;
        } else {
            entry.counts.emplace_back(depth, std::stoull(token));
        }
    }
    entry.fen = fields;
    if (!entry.counts.empty()) {
        table.push_back(entry);
    }
}

} // namespace

std::vector<PerftEntry> read_perft_table(const std::string& text) {
    std::vector<PerftEntry> table;
    for (const std::string& line : lines_of(text)) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        std::istringstream stream{line};
        std::string word;
        stream >> word;
        if (word == "epd") {
            std::string fen;
            std::getline(stream >> std::ws, fen);
            table.push_back({fen, {}});
        } else if (word == "perft") {
            int depth = 0;
            std::uint64_t nodes = 0;
            stream >> depth >> nodes;
            table.back().counts.emplace_back(depth, nodes);
        } else if (word != "id") {
            read_semicolons(line, table);
        }
    }
    return table;
}

} // namespace adjourn::chess::testing
