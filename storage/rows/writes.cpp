#include "storage/rows/writes.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace adjourn::storage {

Outcome Writes::write(const Change& change) {
    return std::visit([this](const auto& one) { return write(one); }, change);
}

Outcome Writes::write(const Answered& fact) {
    const Answered* const one = &fact;
    return append({&one, 1}).front();
}

Outcome Writes::write(const FailureRecord& failure) {
    const Question& question = failure.question;
    if (const std::string trouble = question_trouble(question); !trouble.empty()) {
        return refuse("failure", trouble);
    }
    if (!has_engine(question.engine)) {
        return refuse("failure", no_such("engine", question.engine));
    }
    put(tables::failures,
        row_of(failure, fingerprint(question.engine), position(question.position).id));
    failures_ = true;
    return Written{row(question.engine), true};
}

Outcome Writes::write(const ClearedFailures& cleared) {
    run("DELETE FROM failures WHERE engine = $1", std::array{Cell{row(cleared.engine)}});
    return Written{row(cleared.engine), true};
}

Outcome Writes::write(const RemovedAnalysis& removed) {
    if (!has_analysis(removed.id)) {
        return refuse("removal", no_such("analysis", removed.id));
    }
    // And by reference its directives, snapshots, seeds, files, usage.
    run("DELETE FROM analyses WHERE id = $1", std::array{Cell{row(removed.id)}});
    analyses_.erase(removed.id);
    spent_.erase(removed.id);
    return Written{row(removed.id), true};
}

Outcome Writes::write(const DirectiveRecord& given) {
    if (!has_analysis(given.analysis)) {
        return refuse("directive", no_such("analysis", given.analysis));
    }
    if (position_key(given.position).empty()) {
        return refuse("directive", "a position of no bytes");
    }
    DirectiveRecord directive = given;
    const std::int64_t place = position(directive.position).id;
    directive.id = next_id(tables::directives);
    put(tables::directives, row_of(directive, place));
    return Written{directive.id, true};
}

Outcome Writes::write(const SnapshotRecord& given) {
    if (!has_analysis(given.analysis)) {
        return refuse("snapshot", no_such("analysis", given.analysis));
    }
    SnapshotRecord snapshot = given;
    snapshot.id = next_id(tables::snapshots);
    put(tables::snapshots, row_of(snapshot));
    return Written{snapshot.id, true};
}

Outcome Writes::write(const SeedRecord& seed) {
    if (!has_analysis(seed.analysis)) {
        return refuse("seed", no_such("analysis", seed.analysis));
    }
    if (position_key(seed.position).empty()) {
        return refuse("seed", "a position of no bytes");
    }
    const Place place = position(seed.position);
    if (!place.added) {
        static const std::string same = "SELECT id FROM seeds" + where_columns(tables::seeds, 1, 3);
        std::optional<std::int64_t> there;
        run(same,
            std::array{Cell{row(seed.analysis)}, Cell{place.id},
                       Cell{std::int64_t{seed.move.raw()}}},
            [&](Cells row) { there = integer(row[0]); });
        if (there) {
            return Written{*there, false};
        }
    }
    const std::int64_t id = next_id(tables::seeds);
    put(tables::seeds, row_of(seed, id, place.id, source(seed.source)));
    return Written{id, true};
}

Outcome Writes::write(const EngineRecord& engine) {
    const std::string fingerprint = engine.fingerprint();
    std::optional<std::int64_t> found; // by the table: it is small, and its index may be damaged
    run(select_rows(tables::engines), {}, [&](Cells row) {
        if (!found && text(row[1]) == fingerprint) {
            found = integer(row[0]);
        }
    });
    if (found) {
        return Written{*found, false};
    }
    const auto cell = [](const std::string& text) { return Cell{std::string_view{text}}; };
    return Written{
        add(tables::engines, std::array{cell(fingerprint), cell(engine.name), cell(engine.version),
                                        cell(engine.options), cell(engine.network)}),
        true};
}

Outcome Writes::probe() {
    // What is the same already need not be written.
    run("UPDATE totals SET value = value + 1", {});
    run("UPDATE totals SET value = value - 1", {});
    return Written{};
}

// ---- what follows from facts ----

std::string Writes::trouble_of(const Evaluation& evaluation) {
    std::string trouble = question_trouble(evaluation.question);
    if (trouble.empty()) {
        trouble = answer_trouble(evaluation);
    }
    if (trouble.empty() && !has_engine(evaluation.question.engine)) {
        trouble = no_such("engine", evaluation.question.engine);
    }
    return trouble;
}

bool Writes::is_counted(const Answered& fact) {
    return fact.asked_by && has_analysis(*fact.asked_by);
}

void Writes::known(const Answered& fact, bool counted) {
    if (counted) {
        spend(fact, false);
    }
}

void Writes::stored(const Answered& fact, bool counted, const FactRow& row, bool replaced) {
    if (has_failures()) {
        static const std::string drop =
            "DELETE FROM failures" + where_columns(tables::failures, 0, 5);
        run(drop, std::array{Cell{row.engine}, Cell{row.id >> position_shift}, Cell{row.limit_kind},
                             Cell{row.limit_amount}, Cell{row.excluded}});
    }
    added_ += replaced ? 0 : 1;
    if (!counted) {
        return;
    }
    bool noted = fact.on_the_way;
    if (replaced && !noted) { // who asked for it first stays
        run("SELECT 1 FROM asked WHERE evaluation = $1", std::array{Cell{row.id}},
            [&](Cells) { noted = true; });
    }
    spend(fact, !noted);
    if (noted) {
        return;
    }
    ask(*fact.asked_by, row.id);
    asked_[*fact.asked_by] += asked_checksum(storage::row(*fact.asked_by), row.id);
}

void Writes::spend(AnalysisId analysis, const Cost& cost) {
    UsageRecord& spent = spent_[analysis];
    spent.nodes = base::capped_sum(spent.nodes, cost.nodes);
    spent.engine_ms = base::capped_sum(spent.engine_ms, cost.engine_ms);
}

void Writes::spend(const Answered& fact, bool added) {
    spend(*fact.asked_by, fact.cost.value_or(Cost{fact.evaluation.nodes, fact.evaluation.time_ms}));
    spent_[*fact.asked_by].evaluations_new += added ? 1 : 0;
    if (fact.order) {
        put(tables::directives, row_of(*fact.order, position(fact.order->position).id));
    }
}

void Writes::settle() {
    for (const auto& [analysis, sum] : asked_) {
        add_to(tables::asked_sums, std::array{Cell{row(analysis)}, Cell{sum}});
    }
    asked_.clear();
    static const std::string so_far =
        select_rows(tables::usage) + where_columns(tables::usage, 0, 1);
    for (const auto& [analysis, spent] : spent_) {
        UsageRecord all{.analysis = analysis};
        std::optional<Cell> damaged; // a checksum that stays: nothing makes the row believable
        run(so_far, std::array{Cell{row(analysis)}}, [&](Cells row) {
            read(row, all);
            if (!is_sound(tables::usage, row)) {
                damaged = row[4];
            }
        });
        all.evaluations_new += spent.evaluations_new;
        all.nodes = base::capped_sum(all.nodes, spent.nodes);
        all.engine_ms = base::capped_sum(all.engine_ms, spent.engine_ms);
        RecordRow made = row_of(all);
        made.cells.back() = damaged.value_or(made.cells.back());
        put(tables::usage, made);
    }
    spent_.clear();
    if (added_ > 0) {
        evaluations_ = static_cast<std::uint64_t>(add_to(
            tables::totals, std::array{Cell{std::string_view{"evaluations"}}, Cell{added_}}));
        added_ = 0;
    }
}

void Writes::forget() {
    evaluations_.reset();
    engines_.clear();
    begun_.clear();
    machines_.clear();
    analyses_.clear();
    failures_.reset();
    last_source_.reset();
    spent_.clear();
    asked_.clear();
    added_ = 0;
}

std::uint64_t Writes::evaluations() {
    if (!evaluations_) {
        evaluations_ = 0;
        run("SELECT value FROM totals WHERE name = 'evaluations'", {}, [this](Cells row) {
            evaluations_ = static_cast<std::uint64_t>(std::max<std::int64_t>(integer(row[0]), 0));
        });
    }
    return *evaluations_;
}

// ---- rows ----

void Writes::put(const Table& table, const RecordRow& row) {
    std::string& sql = puts_[&table];
    if (sql.empty()) {
        sql = put_row(table);
    }
    run(sql, Cells{row.cells}.first(table.columns.size()));
}

std::optional<std::int64_t> Writes::find(const Table& table, Cells values) {
    std::optional<std::int64_t> id;
    run("SELECT id FROM " + std::string{table.name} + where_columns(table, 1, values.size()),
        values, [&](Cells row) { id = integer(row[0]); });
    return id;
}

std::int64_t Writes::add(const Table& table, Cells values) {
    std::int64_t id = 0;
    run(add_row(table), values, [&](Cells row) { id = integer(row[0]); });
    return id;
}

std::int64_t Writes::add_to(const Table& table, Cells key_and_value) {
    const std::string name = table.name, key = table.columns[0].name, sum = table.columns[1].name;
    std::int64_t all = 0;
    run("INSERT INTO " + name + " (" + key + ", " + sum + ") VALUES ($1, $2) ON CONFLICT (" + key +
            ") DO UPDATE SET " + sum + " = " + name + "." + sum + " + excluded." + sum +
            " RETURNING " + sum,
        key_and_value, [&](Cells row) { all = integer(row[0]); });
    return all;
}

Writes::Place Writes::position(const chess::PackedPosition& packed) {
    const std::array key{Cell{position_key(packed)}};
    const auto found = find(tables::positions, key);
    return found ? Place{*found, false} : Place{add(tables::positions, key), true};
}

std::int64_t Writes::source(const std::string& text) {
    if (!last_source_ || last_source_->first != text) {
        const std::array cell{Cell{std::string_view{text}}};
        const auto found = find(tables::sources, cell);
        last_source_.emplace(text, found ? *found : add(tables::sources, cell));
    }
    return last_source_->second;
}

std::int64_t Writes::machine(const std::string& name) {
    if (name.empty()) {
        return 0;
    }
    const auto known = machines_.find(name);
    if (known != machines_.end()) {
        return known->second;
    }
    const auto found = find(tables::machines, std::array{Cell{std::string_view{name}}});
    const std::int64_t id = found ? *found : next_id(tables::machines);
    if (!found) {
        put(tables::machines, row_of(MachineRecord{id, name}));
    }
    machines_.emplace(name, id);
    return id;
}

const std::string& Writes::machine_name(std::int64_t machine) {
    static const std::string none;
    const auto known =
        std::ranges::find(machines_, machine, &decltype(machines_)::value_type::second);
    if (machine == 0 || known != machines_.end()) {
        return machine == 0 ? none : known->first;
    }
    MachineRecord found;
    run(select_rows(tables::machines) + where_columns(tables::machines, 0, 1),
        std::array{Cell{machine}}, [&](Cells row) {
            if (is_sound(tables::machines, row)) {
                read(row, found);
            }
        });
    return found.name.empty() ? none : machines_.emplace(found.name, machine).first->first;
}

bool Writes::has_engine(EngineId engine) {
    if (engines_.contains(engine)) {
        return true;
    }
    run("SELECT fingerprint FROM engines WHERE id = $1", std::array{Cell{row(engine)}},
        [&](Cells row) {
            begun_.emplace(engine, begun_with(bytes(row[0])));
            engines_.emplace(engine, text(row[0]));
        });
    return engines_.contains(engine);
}

std::string Writes::fingerprint_of(const AnalysisRecord& analysis) {
    return analysis.engine != EngineId{} && has_engine(analysis.engine)
               ? fingerprint(analysis.engine)
               : "";
}

bool Writes::has_analysis(AnalysisId analysis) {
    if (!analyses_.contains(analysis)) {
        run("SELECT 1 FROM analyses WHERE id = $1", std::array{Cell{row(analysis)}},
            [&](Cells) { analyses_.insert(analysis); });
    }
    return analyses_.contains(analysis);
}

// Also where the table is damaged: what is written there says so.
bool Writes::has_failures() {
    if (!failures_) {
        try {
            failures_ = false;
            run("SELECT 1 FROM failures LIMIT 1", {}, [this](Cells) { failures_ = true; });
        } catch (const StoreError& error) {
            if (!error.damage()) {
                throw;
            }
            failures_ = true;
        }
    }
    return *failures_;
}

Outcome Writes::write(const NewAnalysis& added) {
    if (const std::string trouble = limit_trouble(added.record.limit); !trouble.empty()) {
        return refuse("analysis", trouble);
    }
    AnalysisRecord analysis = added.record;
    analysis.id = AnalysisId{next_id(tables::analyses)};
    put(tables::analyses, row_of(analysis, fingerprint_of(analysis)));
    return Written{row(analysis.id), true};
}

Outcome Writes::write(const ChangedAnalysis& change) {
    const AnalysisRecord& analysis = change.record;
    if (const std::string trouble = limit_trouble(analysis.limit); !trouble.empty()) {
        return refuse("analysis", trouble);
    }
    if (!has_analysis(analysis.id)) {
        return refuse("change", no_such("analysis", analysis.id));
    }
    put(tables::analyses, row_of(analysis, fingerprint_of(analysis)));
    return Written{row(analysis.id), true};
}

Outcome Writes::write(const Spent& spent) {
    if (!has_analysis(spent.analysis)) {
        return refuse("cost", no_such("analysis", spent.analysis));
    }
    spend(spent.analysis, spent.cost);
    return Written{row(spent.analysis), true};
}

Outcome Writes::write(const CloudRecord& cloud) {
    if (position_key(cloud.position).empty()) {
        return refuse("answer of a cloud", "a position of no bytes");
    }
    put(tables::clouds, row_of(cloud));
    return Written{};
}

// Writes of files: versions follow each other, and nobody's is lost by somebody else's.

Outcome Writes::write(const FileChange& change) {
    if (change.rows.empty()) {
        return refuse("file", "nothing to write");
    }
    const FileRecord& first = change.rows.front();
    for (const FileRecord& row : change.rows) {
        const bool other = row.file != first.file || row.analysis != first.analysis;
        const std::string trouble = other ? "rows of several files" : file_trouble(row);
        if (!trouble.empty()) {
            return refuse("file", trouble);
        }
    }
    if (first.file == 0 && first.number != 0) {
        return refuse("file", "a game without its file");
    }
    if (first.analysis != AnalysisId{} && !has_analysis(first.analysis)) {
        return refuse("file", no_such("analysis", first.analysis));
    }
    if (first.file != 0 && owner_of_file(first.file) != first.analysis) {
        return refuse("file", no_such("file", first.file));
    }
    std::vector<FileRecord> rows = change.rows;
    for (FileRecord& row : rows) {
        if (const auto there = follow_last(row)) {
            return Written{*there, false};
        }
    }
    for (FileRecord& row : rows) {
        row.id = next_id(tables::files);
        row.file = first.file == 0 ? rows.front().id : first.file;
        put(tables::files, row_of(row));
    }
    return Written{rows.front().id, true};
}

std::optional<AnalysisId> Writes::owner_of_file(std::int64_t file) {
    std::optional<AnalysisId> owner;
    run("SELECT analysis FROM files WHERE file = $1 LIMIT 1", std::array{Cell{file}},
        [&](Cells row) { owner = AnalysisId{integer(row[0])}; });
    return owner;
}

// Of damaged versions nobody knows who reads: the next one comes after them.
std::optional<std::int64_t> Writes::follow_last(FileRecord& file) {
    static const std::string later =
        select_rows(tables::files) +
        " WHERE file = $1 AND number = $2 AND version >= $3 ORDER BY version";
    std::optional<std::int64_t> known;
    std::int64_t last = 0;
    run(later, std::array{Cell{file.file}, Cell{file.number}, Cell{file.version}}, [&](Cells row) {
        last = integer(row[4]);
        known = is_sound(tables::files, row) ? std::optional{integer(row[0])} : known;
    });
    file.version = std::max(file.version, last + 1);
    return known;
}

} // namespace adjourn::storage
