#include "files/import/import.hpp"

#include "base/text.hpp"
#include "core/records/directive.hpp"

#include <algorithm>
#include <sstream>

namespace adjourn::server {

namespace {

// Indexed by ImportFormat.
constexpr std::array<std::string_view, 3> format_words{"pgn", "epd", "jsonl"};

constexpr std::size_t most_out = 200'000;      // writes that wait for the disk
constexpr std::size_t most_recent = 1'000'000; // seeds remembered, so that openings are not written
                                               // again with each game
constexpr std::size_t most_notes = 5'000;      // of one import
constexpr std::size_t longest_note = 10'000;   // bytes, as in the API
constexpr std::size_t longest_pv = 500;        // plies; what waits must not take all memory

} // namespace

std::string_view to_text(ImportFormat format) {
    return format_words.at(static_cast<std::size_t>(format));
}

std::optional<ImportFormat> parse_import_format(std::string_view text) {
    const auto found = std::ranges::find(format_words, text);
    return found == format_words.end()
               ? std::nullopt
               : std::optional{static_cast<ImportFormat>(found - format_words.begin())};
}

void ImportReport::add(const ImportReport& other) {
    for (const auto& [place, count] : import_counts) {
        this->*count += other.*count;
    }
    const auto add_first = [](std::vector<ImportError>& into,
                              const std::vector<ImportError>& more) {
        const std::size_t room = most_errors - std::min(most_errors, into.size());
        into.insert(into.end(), more.begin(),
                    more.begin() + static_cast<std::ptrdiff_t>(std::min(room, more.size())));
    };
    add_first(errors, other.errors);
    add_first(warnings, other.warnings);
    engines.insert(other.engines.begin(), other.engines.end());
    sources.insert(other.sources.begin(), other.sources.end());
    file = other.file ? other.file : file;
}

void ImportReport::warn(ImportError warning) {
    ++warned;
    if (warnings.size() < most_errors) {
        warnings.push_back(std::move(warning));
    }
}

std::string to_text(const ImportError& error, ImportFormat format, const std::string& file) {
    const std::string record =
        format == ImportFormat::pgn ? "game " + std::to_string(error.record) + ", " : "";
    return file + ": " +
           (error.line == 0 ? "" : record + "line " + std::to_string(error.line) + ": ") +
           error.message;
}

storage::EngineRecord imported_engine(ImportSource source, const std::string& file) {
    storage::EngineRecord record;
    constexpr std::array<const char*, import_sources> names{"pgn %eval", "pgn cutechess",
                                                            "pgn tcec", "epd", "lichess"};
    record.name = names.at(static_cast<std::size_t>(source));
    std::string name = file;
    std::replace(name.begin(), name.end(), '\n', ' ');
    record.options = "File=" + name + "\n";
    return record;
}

std::expected<ImportReport, std::string> import_text(storage::Store& store, ImportFormat format,
                                                     std::istream& in,
                                                     const ImportOptions& options) {
    ImportSink sink{store, options};
    switch (format) {
    case ImportFormat::pgn: read_pgn(in, sink); break;
    case ImportFormat::epd: read_epd(in, sink); break;
    case ImportFormat::lichess: read_lichess(in, sink); break;
    }
    return sink.finish();
}

std::expected<ImportReport, std::string> import_games(storage::Store& store,
                                                      const std::string& text, GamesText games,
                                                      ImportOptions options, bool seeds) {
    const auto kept = keep(store, options.target->analysis, options.name, games.games, options.at);
    if (!kept) {
        return std::unexpected(kept.error());
    }
    if (!seeds) {
        options.target.reset();
    }
    std::istringstream in{text};
    auto report = import_text(store, ImportFormat::pgn, in, options);
    if (report) {
        report->file =
            ImportedFile{kept->file, kept->known, games.games.size(), std::move(games.told)};
    }
    return report;
}

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
                  [tally = tally_](const storage::Outcome& written) {
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
                  [tally = tally_](const storage::Outcome& written) {
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
    store_.append(evaluation, [tally = tally_](const storage::Outcome& written) {
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
void ImportSink::Tally::took(const storage::Outcome& written, std::size_t Tally::*added,
                             std::size_t Tally::*known) {
    const std::lock_guard lock{mutex};
    if (written) {
        ++(this->*(written->inserted ? added : known));
    } else if (problem.empty()) {
        problem = written.error().why;
    }
    if (--out == most_out / 2 - 1) {
        settled.notify_one();
    }
}

} // namespace adjourn::server
