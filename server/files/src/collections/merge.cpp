#include "merge.hpp"

#include "record.hpp"

#include <algorithm>
#include <cstring>
#include <queue>
#include <stdexcept>

namespace adjourn::collections {

namespace {

class MemorySource final : public RecordSource {
public:
    explicit MemorySource(std::vector<Record> records) : records_{std::move(records)} {}
    const Record* peek() override { return at_ < records_.size() ? &records_[at_] : nullptr; }
    void next() override { ++at_; }

private:
    std::vector<Record> records_;
    std::size_t at_ = 0;
};

class FileSource final : public RecordSource {
public:
    FileSource(int file, std::uint64_t at, std::uint64_t count, std::size_t record_bytes)
        : file_{file}, place_{at}, left_{count}, record_bytes_{record_bytes} {}

    const Record* peek() override {
        if (at_ == buffer_.size() && left_ > 0) {
            constexpr std::uint64_t most = 1u << 14;
            buffer_.resize(std::min(left_, most));
            if (read_records(file_, place_, record_bytes_, buffer_) != buffer_.size()) {
                throw std::runtime_error("a collection is shorter than it says");
            }
            place_ += buffer_.size() * record_bytes_;
            left_ -= buffer_.size();
            at_ = 0;
        }
        return at_ < buffer_.size() ? &buffer_[at_] : nullptr;
    }
    void next() override { ++at_; }

private:
    int file_;
    std::uint64_t place_;
    std::uint64_t left_;
    std::size_t record_bytes_;
    std::vector<Record> buffer_;
    std::size_t at_ = 0;
};

// Keeps a position's moves until it is known in how many games it was.
class Positions {
public:
    Positions(std::uint64_t least, const std::function<void(const Record&)>& take)
        : least_{least}, take_{take} {}

    void add(const Record& record) {
        if (!moves_.empty() && moves_.back().place() == record.place()) {
            moves_.back().add(record);
            return;
        }
        if (!moves_.empty() && moves_.back().position != record.position) {
            end();
        }
        moves_.push_back(record);
    }
    void end() {
        std::uint64_t games = 0;
        for (const Record& move : moves_) {
            games += move.games();
        }
        if (games >= least_) {
            std::for_each(moves_.begin(), moves_.end(), take_);
        }
        moves_.clear();
    }

private:
    std::uint64_t least_;
    const std::function<void(const Record&)>& take_;
    std::vector<Record> moves_;
};

} // namespace

std::unique_ptr<RecordSource> in_memory(std::vector<Record> records) {
    return std::make_unique<MemorySource>(std::move(records));
}

std::unique_ptr<RecordSource> in_file(int file, std::uint64_t at, std::uint64_t count,
                                      std::size_t record_bytes) {
    return std::make_unique<FileSource>(file, at, count, record_bytes);
}

std::size_t read_records(int file, std::uint64_t at, std::size_t record_bytes,
                         std::span<Record> into) {
    std::vector<char> bytes(into.size() * record_bytes);
    const std::size_t count = read_at(file, at, bytes.data(), bytes.size()) / record_bytes;
    for (std::size_t i = 0; i < count; ++i) {
        into[i] = Record{};
        std::memcpy(&into[i], bytes.data() + i * record_bytes, record_bytes);
    }
    return count;
}

void merge(std::vector<std::unique_ptr<RecordSource>> sources, std::uint64_t least,
           const std::function<void(const Record&)>& take) {
    struct Next {
        Record record;
        std::size_t source;
    };
    const auto later = [](const Next& a, const Next& b) {
        return std::pair{a.record.place(), a.source} > std::pair{b.record.place(), b.source};
    };
    std::priority_queue<Next, std::vector<Next>, decltype(later)> next{later};
    const auto refill = [&](std::size_t source) {
        if (const Record* record = sources[source]->peek()) {
            next.push({*record, source});
        }
    };
    for (std::size_t source = 0; source < sources.size(); ++source) {
        refill(source);
    }
    Positions positions{least, take};
    while (!next.empty()) {
        const Next first = next.top();
        next.pop();
        positions.add(first.record);
        sources[first.source]->next();
        refill(first.source);
    }
    positions.end();
}

void sort_and_add(std::vector<Record>& records) {
    // Of one place in their order: the first of equally strong games is kept.
    std::stable_sort(records.begin(), records.end(),
                     [](const Record& a, const Record& b) { return a.place() < b.place(); });
    std::size_t kept = 0;
    for (std::size_t at = 0; at < records.size(); ++at) {
        if (kept > 0 && records[kept - 1].place() == records[at].place()) {
            records[kept - 1].add(records[at]);
        } else {
            records[kept++] = records[at];
        }
    }
    records.resize(kept);
}

} // namespace adjourn::collections
