#include "files/import/sink.hpp"

#include "base/readable.hpp"
#include "base/text.hpp"
#include "core/records/directive.hpp"

namespace adjourn::server {

namespace {

constexpr std::size_t most_out = 200'000;      // writes that wait for the disk
constexpr std::size_t most_recent = 1'000'000; // seeds remembered, so that openings are not written
                                               // again with each game
constexpr std::size_t most_notes = 5'000;      // of one import
constexpr std::size_t longest_note = 10'000;   // bytes, as in the API
constexpr std::size_t longest_pv = 500;        // plies; what waits must not take all memory

} // namespace

ImportSink::ImportSink(storage::Store& store, const ImportOptions& options)
    : store_{store}, options_{options} {}

ImportSink::~ImportSink() = default;

bool ImportSink::wants_seed(chess::Color mover, std::size_t plies) const {
    return options_.target && (!options_.plies || plies < *options_.plies) &&
           (options_.side == ImportSide::both ||
            (mover == chess::Color::white) == (options_.side == ImportSide::white));
}

void ImportSink::seed(const chess::Position& position, chess::Move move) {
    if (recent_.size() >= most_recent) {
        recent_.clear();
    }
    Seed seed{position.packed(), move};
    if (!recent_.insert(seed).second) {
        ++twice_;
        return;
    }
    wait_for_room();
    store_.append(storage::SeedRecord{options_.target->analysis, seed.position, move, options_.name,
                                      options_.at},
                  [tally = tally_](const std::expected<storage::Written, std::string>& written) {
                      tally->took(written, &Tally::seeds_added, &Tally::seeds_known);
                  });
}

void ImportSink::note(const std::vector<chess::Move>& line, const std::string& text) {
    const ImportTarget& target = *options_.target;
    const auto key = [](const chess::PackedPosition& position) {
        return chess::Position::unpack(position)->fen();
    };
    if (!noted_) {
        noted_.emplace();
        for (const storage::DirectiveRecord& said : store_.directives(target.analysis)) {
            if (said.action == name_of(Note{}) && chess::Position::unpack(said.position)) {
                Noted& there = (*noted_)[key(said.position)];
                there.texts.insert(said.text);
                there.last = std::max(there.last, said.at);
            }
        }
    }
    const chess::Position position = target.root.after(line);
    const std::string kept = base::shortened(text, longest_note);
    Noted& there = (*noted_)[key(position.packed())];
    if (there.texts.contains(kept)) {
        return;
    }
    if (notes_ == most_notes) {
        warning(report.records, 0,
                "comments after the first " + std::to_string(most_notes) + " are left out");
    }
    if (++notes_ > most_notes) {
        return;
    }
    there.texts.insert(kept);
    there.last = std::max(there.last + 1, options_.at); // its moment names a note
    wait_for_room();
    std::vector<chess::Move> whole = target.played;
    whole.insert(whole.end(), line.begin(), line.end());
    const Directive said{0, position.packed(), std::move(whole), Note{kept}, there.last};
    store_.append(record_of(said, target.analysis),
                  [tally = tally_](const std::expected<storage::Written, std::string>& written) {
                      tally->took(written, &Tally::notes_added, &Tally::notes_known);
                  });
}

void ImportSink::fact(analysis::Evaluation evaluation, ImportSource source) {
    std::optional<analysis::EngineId>& engine = engines_[static_cast<std::size_t>(source)];
    if (!engine) {
        const storage::EngineRecord record = imported_engine(source, options_.name);
        engine = store_.engine(record);
        report.sources.insert(record.name);
        report.engines.insert(*engine);
    }
    evaluation.question.engine = *engine;
    evaluation.at = options_.at;
    if (evaluation.pv.size() > longest_pv) {
        evaluation.pv.erase(evaluation.pv.begin() + static_cast<std::ptrdiff_t>(longest_pv),
                            evaluation.pv.end());
    }
    wait_for_room();
    store_.append(evaluation,
                  [tally = tally_](const std::expected<storage::Written, std::string>& written) {
                      tally->took(written, &Tally::facts_added, &Tally::facts_known);
                  });
}

void ImportSink::error(std::size_t record, std::size_t line, const std::string& message) {
    ++report.broken;
    if (report.errors.size() < ImportReport::most_errors) {
        report.errors.push_back({record + options_.records_before, line + options_.lines_before,
                                 base::readable(message)}); // it may quote bytes that are no UTF-8
    }
}

void ImportSink::warning(std::size_t record, std::size_t line, const std::string& message) {
    report.warn(
        {record + options_.records_before, line + options_.lines_before, base::readable(message)});
}

void ImportSink::wait_for_room() {
    std::unique_lock lock{tally_->mutex};
    if (tally_->out >= most_out) {
        tally_->settled.wait(lock, [this] { return tally_->out < most_out / 2; });
    }
    ++tally_->out;
}

std::expected<ImportReport, std::string> ImportSink::finish() {
    try {
        store_.flush();
    } catch (const storage::StoreError& error) {
        return std::unexpected(error.what());
    }
    const std::lock_guard lock{tally_->mutex}; // everything is out of the queue
    if (!tally_->problem.empty()) {
        return std::unexpected(tally_->problem);
    }
    report.seeds_added = tally_->seeds_added;
    report.notes_added = tally_->notes_added;
    report.seeds_known = tally_->seeds_known + twice_;
    report.evaluations_added = tally_->facts_added;
    report.evaluations_known = tally_->facts_known;
    if (report.evaluations_added == 0) {
        report.engines.clear();
    }
    return std::move(report);
}

// On the store's writer thread.
void ImportSink::Tally::took(const std::expected<storage::Written, std::string>& written,
                             std::size_t Tally::*added, std::size_t Tally::*known) {
    const std::lock_guard lock{mutex};
    if (written) {
        ++(this->*(written->inserted ? added : known));
    } else if (problem.empty()) {
        problem = written.error();
    }
    if (--out == most_out / 2 - 1) {
        settled.notify_one();
    }
}

} // namespace adjourn::server
