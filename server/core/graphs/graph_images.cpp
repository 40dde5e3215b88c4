#include "core/graphs/graph_images.hpp"

#include "base/files.hpp"
#include "core/graphs/graph_slot.hpp"

#include <boost/container_hash/hash.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <system_error>
#include <type_traits>
#include <vector>

namespace adjourn::server {

class BlockWriter {
public:
    explicit BlockWriter(const std::filesystem::path& file);

    void put(std::span<const std::byte> bytes);
    // Whether all of it was written.
    bool close();

private:
    void write_block();

    std::ofstream file_;
    std::vector<std::byte> block_;
    std::uint64_t number_ = 0;
};

class BlockReader {
public:
    explicit BlockReader(const std::filesystem::path& file);

    // Fills all of it; false if there are not so many bytes, or not sound ones.
    bool take(std::span<std::byte> bytes);
    // How many have not been taken; 0 if the file cannot be read.
    std::uint64_t left() const { return left_; }

private:
    bool read_block();

    std::ifstream file_;
    std::uint64_t left_ = 0;    // that were not given out
    std::uint64_t in_file_ = 0; // of these, that are not in block_
    std::vector<std::byte> block_;
    std::size_t at_ = 0; // in block_
    std::uint64_t number_ = 0;
};

// Of any bytes.
std::uint64_t sum_of(std::span<const std::byte> bytes, std::uint64_t number);

namespace {

using namespace std::chrono_literals;

constexpr const char* extension = ".image";
constexpr const char* unfinished_part = ".new";
constexpr auto unused_for = 30 * 24h;
constexpr auto unfinished_for = 24h; // whoever wrote it is gone

std::uint64_t sum_of_text(const std::string& text) {
    return sum_of(std::as_bytes(std::span{text}), 0);
}

// Another build may lay its graphs out in another way, or judge facts in another.
const std::string& program() {
    static const std::string sum = [] {
        std::ifstream file{base::program_file(), std::ios::binary};
        std::string piece(std::size_t{1} << 20, '\0');
        std::uint64_t sum = 0;
        while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
               file.gcount() > 0) {
            const auto bytes = std::as_bytes(std::span{piece});
            sum = sum_of(bytes.first(static_cast<std::size_t>(file.gcount())), sum);
        }
        return sum == 0 ? "" : std::to_string(sum);
    }();
    return sum;
}

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_bytes(std::span{&value, 1});
}

template <class T>
bool take(BlockReader& from, T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return from.take(std::as_writable_bytes(std::span{&value, 1}));
}

bool take(BlockReader& from, std::string& text) {
    std::uint64_t size = 0;
    if (!take(from, size) || size > from.left()) {
        return false;
    }
    text.resize(static_cast<std::size_t>(size));
    return from.take(std::as_writable_bytes(std::span{text}));
}

} // namespace

void FactSum::add(const storage::EvaluationMark& mark) {
    std::size_t one = static_cast<std::size_t>(mark.checksum);
    boost::hash_combine(one, static_cast<std::int64_t>(mark.id));
    boost::hash_combine(one, mark.at);
    sum_ += one;
    ++count_;
}

std::string GraphImages::name_of(const GraphKey& key, const storage::EngineRecord& engine) const {
    std::ostringstream name;
    name << "tables " << options_.tables << "\nengine " << static_cast<std::int64_t>(engine.id)
         << ' ' << engine.fingerprint() << "\neffort " << std::hexfloat << key.basis.least_effort
         << std::hex << '\n';
    for (const analysis::ExcludedMove& excluded : key.basis.excluded) {
        for (const auto byte : excluded.position.bytes) {
            name << static_cast<unsigned>(byte) << '.';
        }
        name << ' ' << excluded.move.raw() << '\n';
    }
    return name.str();
}

// Without the program: another build's image gives way to this one's.
std::filesystem::path GraphImages::path_of(const std::string& name) const {
    std::ostringstream file;
    file << "graph-" << std::hex << sum_of_text(name) << extension;
    return options_.directory / file.str();
}

std::optional<GraphImages::Image>
GraphImages::read(const GraphKey& key, const storage::EngineRecord& engine,
                  std::shared_ptr<const analysis::Tables> tables) const {
    const std::string name = name_of(key, engine);
    const std::filesystem::path path = path_of(name);
    std::error_code error;
    // That first: who has no image does not read the whole program.
    if (!std::filesystem::exists(path, error) || program().empty()) {
        return std::nullopt;
    }
    BlockReader file{path};
    std::string made_by, of;
    ImageBasis basis;
    if (!take(file, made_by) || made_by != program() || !take(file, of) || of != name ||
        !take(file, basis)) {
        return std::nullopt;
    }
    const auto next = [&](std::span<std::byte> bytes) { return file.take(bytes); };
    auto graph = analysis::read_image(next, file.left(), std::move(tables), key.basis);
    if (!graph) {
        return std::nullopt;
    }
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now(), error);
    return Image{std::move(*graph), basis};
}

bool GraphImages::write(const GraphKey& key, const storage::EngineRecord& engine,
                        const analysis::Graph& graph, const ImageBasis& basis) const {
    if (basis.facts.count() < options_.least_facts || program().empty()) {
        return false;
    }
    std::error_code error;
    if (std::filesystem::create_directories(options_.directory, error)) {
        std::filesystem::permissions(options_.directory, std::filesystem::perms::owner_all, error);
    }
    const auto space = std::filesystem::space(options_.directory, error);
    constexpr std::uint64_t gigabyte = 1'000'000'000;
    const std::uintmax_t stays_free = std::max(gigabyte, options_.stays_free);
    if (error || space.available < 4 * graph.memory() ||
        space.available - 4 * graph.memory() < stays_free) {
        return false;
    }
    remove_unused();
    const std::string name = name_of(key, engine);
    const std::filesystem::path path = path_of(name);
    std::filesystem::path unfinished = path;
    unfinished += unfinished_part + std::to_string(::getpid());
    BlockWriter file{unfinished};
    const auto put = [&](std::span<const std::byte> bytes) { file.put(bytes); };
    const auto put_text = [&](const std::string& text) {
        put(bytes_of(std::uint64_t{text.size()}));
        put(std::as_bytes(std::span{text}));
    };
    put_text(program());
    put_text(name);
    put(bytes_of(basis));
    analysis::write_image(graph, put);
    // Not synced: a file that the machine did not finish has wrong checksums.
    if (file.close()) {
        std::filesystem::rename(unfinished, path, error);
    } else {
        std::filesystem::remove(unfinished, error);
        return false;
    }
    return !error;
}

void GraphImages::remove_unused() const {
    std::error_code error;
    const auto now = std::filesystem::file_time_type::clock::now();
    for (std::filesystem::directory_iterator at{options_.directory, error}, end;
         !error && at != end; at.increment(error)) {
        const std::filesystem::directory_entry& entry = *at;
        const std::string file = entry.path().filename().string();
        const bool ours = file.starts_with("graph-") && file.find(extension) != std::string::npos;
        const bool unfinished = file.find(unfinished_part) != std::string::npos;
        std::error_code gone;
        const auto age = now - entry.last_write_time(gone);
        if (ours && !gone && age > (unfinished ? unfinished_for : unused_for)) {
            std::filesystem::remove(entry.path(), gone);
        }
    }
}

namespace {

constexpr std::size_t block_size = std::size_t{1} << 20;
using Sum = std::uint64_t;

} // namespace

std::uint64_t sum_of(std::span<const std::byte> bytes, std::uint64_t number) {
    std::size_t sum = number;
    boost::hash_combine(sum, bytes.size());
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), sizeof(Sum)))) {
        Sum word = 0;
        std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
        boost::hash_combine(sum, word);
    }
    return sum;
}

BlockWriter::BlockWriter(const std::filesystem::path& file) {
    if (base::make_new_file(file).open()) { // its owner's alone, as the store is
        file_.open(file, std::ios::binary);
    } else {
        file_.setstate(std::ios::failbit);
    }
    block_.reserve(block_size);
}

void BlockWriter::put(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto piece = bytes.first(std::min(bytes.size(), block_size - block_.size()));
        block_.insert(block_.end(), piece.begin(), piece.end());
        bytes = bytes.subspan(piece.size());
        if (block_.size() == block_size) {
            write_block();
        }
    }
}

bool BlockWriter::close() {
    if (!block_.empty()) {
        write_block();
    }
    file_.close();
    return file_.good();
}

void BlockWriter::write_block() {
    const Sum sum = sum_of(block_, number_++);
    file_.write(reinterpret_cast<const char*>(block_.data()),
                static_cast<std::streamsize>(block_.size()));
    file_.write(reinterpret_cast<const char*>(&sum), sizeof sum);
    block_.clear();
}

BlockReader::BlockReader(const std::filesystem::path& file) : file_{file, std::ios::binary} {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(file, error);
    constexpr std::uint64_t whole = block_size + sizeof(Sum);
    const std::uint64_t rest = error ? 0 : size % whole;
    left_ = error ? 0 : size / whole * block_size + (rest > sizeof(Sum) ? rest - sizeof(Sum) : 0);
    in_file_ = left_;
}

bool BlockReader::take(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        if (at_ == block_.size() && !read_block()) {
            return false;
        }
        const std::size_t count = std::min(bytes.size(), block_.size() - at_);
        std::memcpy(bytes.data(), block_.data() + at_, count);
        bytes = bytes.subspan(count);
        at_ += count;
        left_ -= count;
    }
    return true;
}

bool BlockReader::read_block() {
    block_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(block_size, in_file_)));
    at_ = 0;
    Sum sum = 0;
    file_.read(reinterpret_cast<char*>(block_.data()), static_cast<std::streamsize>(block_.size()));
    file_.read(reinterpret_cast<char*>(&sum), sizeof sum);
    if (block_.empty() || !file_ || sum != sum_of(block_, number_++)) {
        block_.clear();
        in_file_ = left_ = 0;
        return false;
    }
    in_file_ -= block_.size();
    return true;
}

} // namespace adjourn::server
