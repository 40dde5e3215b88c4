#include "files/collections/collect.hpp"

#include "files/collections/collection.hpp"
#include "merge.hpp"
#include "record.hpp"
#include "taken_games.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fstream>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <sys/file.h>
#include <thread>

namespace adjourn::collections {

namespace {

namespace fs = std::filesystem;

// FNV-1a of the size and the first MiB; and the beginning of SHA-256 of all.
class Fingerprints {
public:
    explicit Fingerprints(std::uint64_t size)
        : begin_{0xcbf29ce484222325ULL ^ size}, digest_{EVP_MD_CTX_new(), EVP_MD_CTX_free} {
        EVP_DigestInit_ex(digest_.get(), EVP_sha256(), nullptr);
    }
    void add(std::string_view bytes) {
        for (const char c : bytes.substr(0, left_)) {
            begin_ = (begin_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        }
        left_ -= std::min(left_, bytes.size());
        EVP_DigestUpdate(digest_.get(), bytes.data(), bytes.size());
    }
    Fingerprint finish() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
        if (EVP_DigestFinal_ex(digest_.get(), sum.data(), nullptr) != 1) {
            throw std::bad_alloc{}; // the only way it can fail
        }
        Fingerprint made;
        std::memcpy(&made.whole, sum.data(), sizeof made.whole);
        made.whole = std::max<std::uint64_t>(made.whole, 1);
        made.begin = std::max<std::uint64_t>(begin_, 1);
        return made;
    }

private:
    std::uint64_t begin_;
    std::size_t left_ = 1u << 20;
    std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> digest_;
};

// The file that another one works with has a lock beside it.
base::UniqueFd locked(const fs::path& file) {
    const fs::path lock = file.string() + ".lock";
    base::UniqueFd held{
        ::open(lock.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600)};
    if (!held.open()) {
        throw std::runtime_error("cannot write " + lock.string() + ": " + std::strerror(errno));
    }
    if (::flock(held.get(), LOCK_EX | LOCK_NB) != 0) {
        throw std::runtime_error(file.stem().string() + " is being added to just now");
    }
    return held;
}

// A file without a name: gone when it is closed.
base::UniqueFd scratch_file(const fs::path& beside, const char* ending) {
    const fs::path name = beside.string() + ending;
    base::UniqueFd made = create_file(name);
    fs::remove(name);
    return made;
}

class Writer {
public:
    explicit Writer(int file) : file_{file} {}
    void put(const void* from, std::size_t size) {
        buffer_.append(static_cast<const char*>(from), size);
        if (buffer_.size() >= (1u << 20)) {
            flush();
        }
    }
    void copy(int from, std::uint64_t at, std::uint64_t size) {
        std::string part;
        while (size > 0) {
            part.resize(std::min<std::uint64_t>(size, 1u << 20));
            if (read_at(from, at, part.data(), part.size()) != part.size()) {
                throw std::runtime_error("a collection is shorter than it says");
            }
            put(part.data(), part.size());
            at += part.size();
            size -= part.size();
        }
    }
    void flush() {
        write_all(file_, buffer_.data(), buffer_.size());
        buffer_.clear();
    }

private:
    int file_;
    std::string buffer_;
};

class Collecting {
public:
    Collecting(const fs::path& file, const CollectOptions& options)
        : file_{file}, options_{options}, games_{scratch_file(file, ".texts")}, runs_{scratch_file(
                                                                                    file,
                                                                                    ".runs")} {
        if (fs::exists(file)) {
            take_old();
        }
    }

    const std::vector<Source>& sources() const { return sources_; }

    // What the parts hold, in their order.
    CollectReport read(std::istream& pgn) {
        chess::PgnParts parts{pgn, options_.part};
        const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
        const std::size_t most = options_.threads > 0 ? options_.threads : cores;
        std::deque<std::future<TakenGames>> reading;
        bool more = true;
        while (more || !reading.empty()) {
            while (more && reading.size() <= most) {
                auto part = parts.next();
                more = part.has_value();
                if (part) {
                    bytes_ += part->text.size();
                    reading.push_back(
                        std::async(std::launch::async, [this, games = std::move(*part)] {
                            return take_games(games, options_);
                        }));
                }
            }
            if (!reading.empty()) {
                TakenGames taken = reading.front().get();
                reading.pop_front();
                add(std::move(taken));
            }
        }
        if (pgn.bad()) {
            throw std::runtime_error("it cannot be read to its end: damaged or cut off");
        }
        return std::move(report_);
    }

    // The new file in place of the old one.
    void write(Source source) {
        const fs::path made = file_.string() + ".new";
        base::UniqueFd out = create_file(made);
        try {
            write(out.get(), std::move(source));
        } catch (...) {
            std::error_code none;
            fs::remove(made, none);
            throw;
        }
        fs::rename(made, file_);
    }

private:
    struct Run {
        std::uint64_t at;
        std::uint64_t count;
    };

    void take_old() {
        const auto collection = Collection::open(file_);
        if (!collection) {
            throw std::runtime_error(collection.error());
        }
        sources_ = collection->info().sources;
        old_ = base::UniqueFd{::open(file_.c_str(), O_RDONLY | O_CLOEXEC)};
        if (!old_.open() || read_at(old_.get(), 0, &header_, sizeof(header_)) != sizeof(header_)) {
            throw std::runtime_error(file_.string() + " cannot be read");
        }
    }

    void add(TakenGames taken) {
        for (chess::PgnError& error : taken.report.errors) {
            error.game += games_read_;
            error.line += lines_read_;
            if (report_.errors.size() < most_told) {
                report_.errors.push_back(std::move(error));
            }
        }
        games_read_ += taken.read;
        lines_read_ += taken.lines;
        report_.games += taken.report.games;
        report_.moves += taken.report.moves;
        report_.without_result += taken.report.without_result;
        report_.too_weak += taken.report.too_weak;
        report_.damaged += taken.report.damaged;
        for (Record& record : taken.records) {
            record.game += header_.games_bytes + games_bytes_;
        }
        games_bytes_ += taken.games.size();
        write_all(games_.get(), taken.games.data(), taken.games.size());
        held_count_ += taken.records.size();
        held_.push_back(std::move(taken.records));
        if (held_count_ > options_.in_memory) {
            write_run();
        }
        if (options_.progress && !options_.progress(games_read_, bytes_)) {
            throw std::runtime_error("it was ended; nothing of it was taken");
        }
    }

    std::vector<std::unique_ptr<RecordSource>> take_held() {
        std::vector<std::unique_ptr<RecordSource>> sources;
        for (auto& records : held_) {
            sources.push_back(in_memory(std::move(records)));
        }
        held_.clear();
        held_count_ = 0;
        return sources;
    }

    void write_run() {
        Run run{run_end_, 0};
        Writer writer{runs_.get()};
        merge(take_held(), 1, [&](const Record& record) {
            writer.put(&record, sizeof(record));
            ++run.count;
        });
        writer.flush();
        run_end_ += run.count * sizeof(Record);
        written_.push_back(run);
    }

    void write(int out, Source source) {
        std::vector<std::unique_ptr<RecordSource>> all;
        if (old_.open()) {
            all.push_back(
                in_file(old_.get(), sizeof(Header), header_.records, header_.record_bytes()));
        }
        for (const Run& run : written_) {
            all.push_back(in_file(runs_.get(), run.at, run.count));
        }
        for (auto& held : take_held()) {
            all.push_back(std::move(held));
        }
        Header header;
        Writer writer{out};
        writer.put(&header, sizeof(header));
        merge(std::move(all), options_.least_games, [&](const Record& record) {
            writer.put(&record, sizeof(record));
            ++header.records;
        });
        writer.copy(old_.get(), header_.games_at(), header_.games_bytes);
        writer.copy(games_.get(), 0, games_bytes_);
        header.games_bytes = header_.games_bytes + games_bytes_;
        header.games = header_.games + source.games;
        sources_.push_back(std::move(source));
        const std::string sources = sources_text(sources_);
        writer.put(sources.data(), sources.size());
        writer.flush();
        header.sources_bytes = sources.size();
        if (::lseek(out, 0, SEEK_SET) != 0) {
            throw std::runtime_error("a collection cannot be written");
        }
        write_all(out, &header, sizeof(header));
        if (::fsync(out) != 0) {
            throw std::runtime_error("a collection cannot be written to the disk");
        }
    }

    fs::path file_;
    const CollectOptions& options_;
    base::UniqueFd old_;
    Header header_; // of the old file; empty if there is none
    std::vector<Source> sources_;
    base::UniqueFd games_; // texts of the new games
    std::uint64_t games_bytes_ = 0;
    base::UniqueFd runs_;
    std::uint64_t run_end_ = 0;
    std::vector<Run> written_;
    std::vector<std::vector<Record>> held_;
    std::size_t held_count_ = 0;
    CollectReport report_;
    std::uint64_t games_read_ = 0;
    std::uint64_t lines_read_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace

Fingerprint fingerprint_of_file(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {
        return {};
    }
    Fingerprints made{fs::file_size(file, error)};
    std::ifstream in{file, std::ios::binary};
    std::string part(1u << 20, '\0');
    while (in.read(part.data(), static_cast<std::streamsize>(part.size())) || in.gcount() > 0) {
        made.add({part.data(), static_cast<std::size_t>(in.gcount())});
    }
    return made.finish();
}

Fingerprint fingerprint_of_text(std::string_view text) {
    Fingerprints made{text.size()};
    made.add(text);
    return made.finish();
}

std::expected<CollectReport, std::string> collect(std::istream& pgn, const std::string& name,
                                                  const Fingerprint& fingerprint,
                                                  const fs::path& file,
                                                  const CollectOptions& options) {
    try {
        const fs::path directory = fs::absolute(file).parent_path();
        if (fs::create_directories(directory)) {
            fs::permissions(directory, fs::perms::owner_all);
        }
        const base::UniqueFd lock = locked(file);
        Collecting collecting{file, options};
        for (const Source& source : collecting.sources()) {
            if (source.whole && fingerprint.whole != 0 && source.fingerprint == fingerprint.whole) {
                CollectReport report;
                report.known = true;
                return report;
            }
            if (!source.whole && fingerprint.begin != 0 &&
                source.fingerprint == fingerprint.begin) {
                return std::unexpected(
                    "it begins as '" + source.name +
                    "' does, which an older version has added: whether it is the same file cannot "
                    "be told; remove the collection, and make it again from all of its files");
            }
        }
        CollectReport report = collecting.read(pgn);
        if (report.games > 0) {
            collecting.write({name, fingerprint.whole, report.games});
        }
        return report;
    } catch (const std::exception& broken) {
        return std::unexpected(broken.what());
    }
}

} // namespace adjourn::collections
