#include "sqlite_store.hpp"

#include "check.hpp"
#include "schema.hpp"
#include "survey.hpp"

#include <system_error>
#include <utility>

namespace adjourn::storage {

namespace fs = std::filesystem;

namespace {

bool has_log(const fs::path& file) {
    std::error_code missing;
    const auto size = fs::file_size(file.string() + "-wal", missing);
    return !missing && size > 0;
}

// SQLite would begin a new database, and remove the log of the one that was there.
void require_store(const fs::path& file) {
    std::error_code error;
    const bool there = fs::exists(file, error);
    if (there ? fs::file_size(file, error) > 0 || error : !has_log(file)) {
        return;
    }
    throw StoreError{file.string() + (there ? " is empty" : " is missing, but not its log") +
                     ": a store was there; put the file back, or restore a backup and move " +
                     file.filename().string() +
                     "-wal away; to begin anew, remove both and the files 'lock' and "
                     "'acknowledged' beside them"};
}

} // namespace

SqliteStore::SqliteStore(fs::path directory, OpenMode mode, int checkpoint_pages)
    : directory_{std::move(directory)} {
    mode == OpenMode::owner ? open_owner(checkpoint_pages) : open_read();
}

SqliteStore::~SqliteStore() {
    if (database_) {
        writer_.reset();
        if (const auto level = level_of(*database_)) {
            high_water_->note(*level);
        }
        database_->cut(); // then nothing of the log is copied over the file
        std::error_code missing;
        fs::remove(directory_ / "owner", missing);
    }
}

void SqliteStore::open_owner(int checkpoint_pages) {
    lock_ = DirectoryLock::own(directory_);
    if (lock_.saw_store()) {
        require_store(file());
    }
    high_water_.emplace(directory_);
    database_ = std::make_unique<Database>(file(), Access::write, &damage_);
    schema_version(*database_, migrations()); // before anything of a stranger's file is changed
    database_->use_wal();
    migrate(*database_, migrations());
    if (!lock_.saw_store()) {
        database_->checkpoint(); // what begins here is in the file, whatever happens to the log
        lock_.note_store();
    }
    if (const auto level = level_of(*database_)) {
        high_water_->compare(*level, true);
    }
    readers_ = std::make_unique<ReaderPool>(file(), Access::read, &damage_);
    watch_.emplace(std::vector{file(), fs::path{file().string() + "-wal"}});
    target_ = std::make_unique<SqliteTarget>(
        *database_, checkpoint_pages, [this] { return trouble(); }, &*high_water_);
    writer_ = std::make_unique<Writer>(*target_);
}

std::string SqliteStore::trouble() const {
    if (std::string moved = watch_->trouble(); !moved.empty()) {
        return moved;
    }
    const std::string cut = database_->cut();
    return cut.empty()
               ? ""
               : cut + " was cut off while it was in use: what is written now would do more "
                       "damage; end this program, and see what 'adjourn check' finds, or "
                       "restore a backup";
}

void SqliteStore::open_read() {
    std::error_code error;
    if (!fs::exists(file(), error)) {
        throw_no_store(file(), error);
    }
    Access access = Access::read;
    high_water_.emplace(directory_); // before the store, which a server may write to
    const auto look_at = [this](Database& probe) {
        require_current(probe, migrations());
        if (const auto level = level_of(probe)) {
            high_water_->compare(*level, false);
        }
    };
    try {
        Database probe{file(), access, &damage_};
        look_at(probe);
    } catch (const SqliteError&) {
        // A directory on read-only media has no place for the files that readers share. Without a
        // log and with owners kept out, the file itself is all there is.
        lock_ = DirectoryLock::keep_owners_out(directory_);
        if (!lock_ || has_log(file())) {
            throw;
        }
        access = Access::read_frozen;
        Database probe{file(), access, &damage_};
        look_at(probe);
    }
    readers_ = std::make_unique<ReaderPool>(file(), access, &damage_);
    writer_ =
        std::make_unique<Writer>("not stored: " + file().string() + " was opened for reading only");
}

void SqliteStore::append(const Evaluation& evaluation, std::optional<AnalysisId> asked_by,
                         Done done) {
    writer_->submit(
        [evaluation, asked_by](Writes& writes) { return writes.append(evaluation, asked_by); },
        std::move(done));
}

void SqliteStore::fail(const FailureRecord& failure, Done done) {
    writer_->submit([failure](Writes& writes) { return writes.fail(failure); }, std::move(done));
}

void SqliteStore::clear_failures(EngineId engine, Done done) {
    writer_->submit([engine](Writes& writes) { return writes.clear_failures(engine); },
                    std::move(done));
}

void SqliteStore::insert(const AnalysisRecord& analysis, Done done) {
    writer_->submit([analysis](Writes& writes) { return writes.insert(analysis); },
                    std::move(done));
}

void SqliteStore::update(const AnalysisRecord& analysis, Done done) {
    writer_->submit([analysis](Writes& writes) { return writes.update(analysis); },
                    std::move(done));
}

void SqliteStore::remove(AnalysisId analysis, Done done) {
    writer_->submit([analysis](Writes& writes) { return writes.remove(analysis); },
                    std::move(done));
}

void SqliteStore::append(const DirectiveRecord& directive, Done done) {
    writer_->submit([directive](Writes& writes) { return writes.append(directive); },
                    std::move(done));
}

void SqliteStore::append(const SnapshotRecord& snapshot, Done done) {
    writer_->submit([snapshot](Writes& writes) { return writes.append(snapshot); },
                    std::move(done));
}

void SqliteStore::append(const SeedRecord& seed, Done done) {
    writer_->submit([seed](Writes& writes) { return writes.append(seed); }, std::move(done));
}

void SqliteStore::set(const UsageRecord& usage, Done done) {
    writer_->submit([usage](Writes& writes) { return writes.set(usage); }, std::move(done));
}

void SqliteStore::announce(const std::string& url, const std::string&) {
    DirectoryLock::write_owner(directory_, url);
}

void SqliteStore::flush() {
    writer_->flush();
}

EngineId SqliteStore::engine(const EngineRecord& engine) {
    if (const auto known = readers_->lease()->find_engine(engine.fingerprint())) {
        return *known;
    }
    return static_cast<EngineId>(
        writer_->await([&engine](Writes& writes) { return writes.engine(engine); }).id);
}

StoreEnvironment SqliteStore::environment() const {
    StoreEnvironment seen;
    std::error_code error;
    const fs::space_info space = fs::space(directory_, error);
    seen.problem = watch_ ? watch_->trouble() : "";
    if (error) {
        seen.problem =
            seen.problem.empty() ? directory_.string() + ": " + error.message() : seen.problem;
    } else {
        seen.free_bytes = space.available;
    }
    std::uint64_t bytes = 0;
    for (const std::string& name : {file().string(), file().string() + "-wal"}) {
        std::error_code missing;
        const auto size = fs::file_size(name, missing);
        bytes += missing ? 0 : size;
    }
    seen.bytes = bytes;
    try {
        seen.evaluations = evaluation_count();
    } catch (const StoreError&) {
        // Reads tell where they are needed; a damaged table need not stop what is written.
    }
    seen.damage = damage_.first();
    seen.missing = high_water_->missing();
    return seen;
}

void SqliteStore::accept_missing() {
    high_water_->accept();
}

void SqliteStore::recover() {
    writer_->recover();
}

std::vector<EngineRecord> SqliteStore::engines(const Damaged& damaged) const {
    return readers_->lease()->engines(damaged);
}

void SqliteStore::for_each_evaluation(EngineId engine,
                                      const std::function<void(const Evaluation&)>& visit,
                                      const Damaged& damaged, const Wanted& wanted) const {
    readers_->lease()->for_each_evaluation(engine, visit, damaged, wanted);
}

std::vector<Evaluation> SqliteStore::evaluations_after(EngineId engine, EvaluationId after,
                                                       std::size_t most,
                                                       const Damaged& damaged) const {
    return readers_->lease()->evaluations_after(engine, after, most, damaged);
}

std::vector<Evaluation> SqliteStore::evaluations(const chess::PackedPosition& position,
                                                 const Damaged& damaged) const {
    return readers_->lease()->evaluations(position, damaged);
}

std::optional<Evaluation> SqliteStore::answer(const Question& question) const {
    return readers_->lease()->answer(question);
}

std::uint64_t SqliteStore::evaluation_count() const {
    return readers_->lease()->evaluation_count();
}

std::vector<FailureRecord> SqliteStore::failures(EngineId engine, const Damaged& damaged) const {
    return readers_->lease()->failures(engine, damaged);
}

std::vector<AnalysisRecord> SqliteStore::analyses(const Damaged& damaged) const {
    return readers_->lease()->analyses(damaged);
}

std::vector<DirectiveRecord> SqliteStore::directives(AnalysisId analysis,
                                                     const Damaged& damaged) const {
    return readers_->lease()->directives(analysis, damaged);
}

std::vector<SnapshotRecord> SqliteStore::snapshots(AnalysisId analysis,
                                                   const Damaged& damaged) const {
    return readers_->lease()->snapshots(analysis, damaged);
}

std::vector<SeedRecord> SqliteStore::seeds(AnalysisId analysis, const Damaged& damaged) const {
    return readers_->lease()->seeds(analysis, damaged);
}

UsageRecord SqliteStore::usage(AnalysisId analysis, const Damaged& damaged) const {
    return readers_->lease()->usage(analysis, damaged);
}

std::vector<EvaluationId> SqliteStore::asked(AnalysisId analysis, const Damaged& damaged) const {
    return readers_->lease()->asked(analysis, damaged);
}

std::vector<std::string> SqliteStore::survey() const {
    std::vector<std::string> findings = survey_database(readers_->lease()->database());
    if (!findings.empty()) {
        damage_.take(file().string() + ": the file is damaged: " + findings.front() +
                     "; restore a copy, or save what can be read with 'adjourn check --repair'");
    }
    return findings;
}

std::vector<std::string> SqliteStore::check() const {
    std::vector<std::string> findings = check_database(readers_->lease()->database());
    if (std::string missing = high_water_->missing(); !missing.empty()) {
        findings.push_back(std::move(missing));
    }
    return findings;
}

} // namespace adjourn::storage
