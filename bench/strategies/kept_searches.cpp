#include "bench/strategies/kept_searches.hpp"

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace adjourn::bench {

namespace {

constexpr const char* head = "adjourn bench searches 1";

// Two FNV-1a sums with different beginnings: 128 bits, so that no two sequences meet.
std::uint64_t fnv(std::uint64_t sum, const std::string& text) {
    for (const char c : text) {
        sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return (sum ^ 0xff) * 0x100000001b3ULL;
}

// One line, different for different queries.
std::string to_text(const Query& query) {
    std::ostringstream out;
    out << query.position.engine_fen() << " nodes " << query.nodes << " lines " << query.lines;
    for (const chess::Move move : query.only) {
        out << ' ' << move.raw();
    }
    return out.str();
}

std::string line_of(const SearchKey& key, const Found& found) {
    std::ostringstream out;
    out << std::hex << key.high << ' ' << key.low << std::dec << ' ' << found.nodes << ' '
        << found.ms << ' ' << found.depth << ' ' << found.lines.size();
    for (const Found::Line& line : found.lines) {
        out << ' ' << line.move.raw() << ' ' << line.score.encode();
    }
    out << " .\n"; // what lacks the full stop was cut off
    return out.str();
}

std::optional<std::pair<SearchKey, Found>> read_line(const std::string& text) {
    std::istringstream in{text};
    SearchKey key;
    Found found;
    std::size_t count = 0;
    in >> std::hex >> key.high >> key.low >> std::dec >> found.nodes >> found.ms >> found.depth >>
        count;
    for (std::size_t i = 0; in && i < count; ++i) {
        std::uint16_t move = 0;
        std::uint32_t code = 0;
        in >> move >> code;
        const auto score = chess::Score::decode(code);
        if (!score) {
            return std::nullopt;
        }
        found.lines.push_back({chess::Move::from_raw(move), *score});
    }
    std::string end;
    in >> end;
    return end == "." ? std::optional{std::pair{key, std::move(found)}} : std::nullopt;
}

} // namespace

SearchKey SearchKey::of(const std::string& identity) {
    return {fnv(0xcbf29ce484222325ULL, identity), fnv(0x9ae16a3b2f90404fULL, identity)};
}

SearchKey SearchKey::then(const Query& query) const {
    const std::string text = to_text(query);
    return {fnv(high, text), fnv(low, text)};
}

KeptSearches::KeptSearches(const std::filesystem::path& file) : name_{file.string()} {
    if (file.has_parent_path()) {
        std::filesystem::create_directories(file.parent_path());
    }
    End end = End::empty;
    if (std::ifstream in{file}) {
        end = read(in, name_);
    }
    file_.reset(std::fopen(name_.c_str(), "a"));
    if (!file_) {
        throw std::runtime_error(name_ + ": cannot be written");
    }
    if (end != End::whole) {
        std::fputs(end == End::cut ? "\n" : (std::string{head} + "\n").c_str(), file_.get());
        std::fflush(file_.get());
    }
}

void KeptSearches::know(const std::filesystem::path& file) {
    std::ifstream in{file};
    if (!in) {
        throw std::runtime_error(file.string() + ": cannot be read");
    }
    if (read(in, file.string()) == End::empty) {
        throw std::runtime_error(file.string() + ": not a file of kept searches");
    }
}

KeptSearches::End KeptSearches::read(std::istream& in, const std::string& name) {
    End end = End::empty;
    for (std::string line; std::getline(in, line);) {
        if (end == End::empty && line != head) {
            throw std::runtime_error(name + ": not a file of kept searches");
        }
        end = in.eof() ? End::cut : End::whole;
        if (auto known = end == End::whole ? read_line(line) : std::nullopt) {
            known_.insert(std::move(*known));
        }
    }
    return end;
}

std::optional<Found> KeptSearches::find(const SearchKey& key) const {
    const auto found = known_.find(key);
    return found == known_.end() ? std::nullopt : std::optional{found->second};
}

void KeptSearches::keep(const SearchKey& key, const Found& found) {
    if (std::fputs(line_of(key, found).c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0) {
        throw std::runtime_error(name_ + ": cannot be written");
    }
    known_.insert_or_assign(key, found);
}

} // namespace adjourn::bench
