#include "files/import/import.hpp"

#include "base/text.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/directive.hpp"
#include "core/records/settings.hpp"
#include "files/check/store_check.hpp"
#include "files/import/sink.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace adjourn::server {

namespace fs = std::filesystem;
using analysis::AnalysisId;
using analysis::EngineId;
using storage::AnalysisRecord;
using storage::Store;

namespace {

constexpr const char* database_name = "adjourn.db";
constexpr const char* staged_name = "staged-";

// Of the same engine, too: here a profile of one name may stand for another program.
bool same_analysis(const AnalysisRecord& a, const AnalysisRecord& b) {
    return a.engine == b.engine && definition_of(a) == definition_of(b);
}

bool same_directive(const storage::DirectiveRecord& a, const storage::DirectiveRecord& b) {
    return a.position == b.position && a.move == b.move && a.line == b.line &&
           a.action == b.action && a.text == b.text && a.at == b.at;
}

bool same_version(const storage::FileRecord& a, const storage::FileRecord& b) {
    return a.number == b.number && a.version == b.version && a.at == b.at && a.text == b.text;
}

class Merger {
public:
    Merger(Store& store, const Store& other)
        : store_{store}, other_{other}, sink_{store, no_options_} {}

    std::expected<ImportReport, MergeError> run() {
        for (const storage::EngineRecord& engine : other_.engines()) {
            take_engine(engine);
        }
        for (AnalysisRecord& analysis : other_.analyses()) {
            if (const auto trouble = take_analysis(std::move(analysis)); !trouble.empty()) {
                return std::unexpected(MergeError{false, trouble});
            }
        }
        auto report = sink_.finish();
        if (!report) {
            return std::unexpected(MergeError{false, report.error()});
        }
        if (report->evaluations_added > 0) {
            for (const auto& [theirs, ours] : engines_) {
                report->engines.insert(ours);
            }
        }
        return std::move(*report);
    }

private:
    void take_engine(const storage::EngineRecord& engine) {
        const EngineId ours = store_.engine(engine);
        engines_[engine.id] = ours;
        other_.for_each_evaluation(engine.id, [&](const analysis::Evaluation& fact) {
            analysis::Evaluation copy = fact;
            copy.id = {};
            copy.question.engine = ours;
            ++sink_.report.records;
            sink_.fact_of_engine(std::move(copy));
        });
        for (storage::FailureRecord& failure : other_.failures(engine.id)) {
            failure.question.engine = ours;
            if (!store_.answer(failure.question)) {
                store_.fail(failure, {});
            }
        }
    }

    // Empty: done.
    std::string take_analysis(AnalysisRecord record) {
        const AnalysisId theirs = record.id;
        if (const auto engine = engines_.find(record.engine); engine != engines_.end()) {
            record.engine = engine->second;
        }
        const std::vector<AnalysisRecord> present = store_.analyses();
        const auto same =
            std::find_if(present.begin(), present.end(),
                         [&](const AnalysisRecord& other) { return same_analysis(other, record); });
        AnalysisId ours{};
        if (same != present.end()) {
            ours = same->id;
        } else {
            record.rank = present.empty() ? 1 : present.back().rank + 1;
            if (record.state == storage::AnalysisState::queued ||
                record.state == storage::AnalysisState::running) {
                record.state = storage::AnalysisState::paused;
                record.state_reason = "";
            }
            storage::NewAnalysis all{std::move(record), other_.snapshots(theirs),
                                     other_.usage(theirs)};
            const auto written = write_through(
                [&](storage::Done done) { store_.write(std::move(all), std::move(done)); });
            if (!written) {
                return written.error().why;
            }
            ours = AnalysisId{written->id};
            ++sink_.report.analyses_added;
        }
        take_words(theirs, ours);
        return "";
    }

    // A link's file gets another number here, which is perhaps another file's there. What is to be
    // verified was given there.
    static bool stays_there(const storage::DirectiveRecord& said) {
        const auto directive = directive_of(said);
        const auto* share = directive ? std::get_if<Share>(&directive->action) : nullptr;
        return (share != nullptr && share->file != 0) ||
               (directive && std::holds_alternative<Verify>(directive->action));
    }

    void take_words(AnalysisId theirs, AnalysisId ours) {
        const auto present = store_.directives(ours);
        for (storage::DirectiveRecord& said : other_.directives(theirs)) {
            const bool known = std::any_of(
                present.begin(), present.end(),
                [&](const storage::DirectiveRecord& other) { return same_directive(other, said); });
            if (!known && !stays_there(said)) {
                said.analysis = ours;
                store_.append(said, {});
            }
        }
        take_files(theirs, ours);
        for (storage::SeedRecord& seed : other_.seeds(theirs)) {
            seed.analysis = ours;
            sink_.seed_of_analysis(std::move(seed));
        }
    }

    // A file whose every version is in one of ours is that one. Another is a new file, also where
    // both have gone on from the same one: nobody's work is left out.
    void take_files(AnalysisId theirs, AnalysisId ours) {
        const auto by_file = [](std::vector<storage::FileRecord> versions) {
            std::map<std::int64_t, std::vector<storage::FileRecord>> files;
            for (storage::FileRecord& version : versions) {
                files[version.file].push_back(std::move(version));
            }
            return files;
        };
        const auto present = by_file(store_.files(ours));
        for (auto& [id, versions] : by_file(other_.files(theirs))) {
            const auto has_all = [&, &theirs = versions](const auto& file) {
                return std::ranges::all_of(theirs, [&](const storage::FileRecord& version) {
                    return std::ranges::any_of(file.second, [&](const storage::FileRecord& other) {
                        return same_version(other, version);
                    });
                });
            };
            if (std::ranges::any_of(present, has_all)) {
                continue;
            }
            for (storage::FileRecord& version : versions) {
                version.analysis = ours;
                version.file = 0;
            }
            store_.write(storage::FileChange{std::move(versions)}, {});
        }
    }

    Store& store_;
    const Store& other_;
    const ImportOptions no_options_;
    ImportSink sink_;
    std::map<EngineId, EngineId> engines_; // theirs → ours
};

// One line each, the first of them.
std::string summary(const std::vector<std::string>& findings) {
    constexpr std::size_t most = 20;
    std::string text = "nothing was taken, since the store is not sound; ";
    text += findings.size() == 1 ? "1 finding:"
            : findings.back().starts_with("and ")
                ? "more than " + std::to_string(findings.size() - 1) + " findings:"
                : std::to_string(findings.size()) + " findings:";
    for (std::size_t i = 0; i < findings.size() && i < most; ++i) {
        text += "\n  " + findings[i];
    }
    return text + (findings.size() > most ? "\n  …" : "");
}

} // namespace

std::expected<ImportReport, MergeError> import_store(Store& store, const Store& other) {
    if (const auto findings = check_facts(other); !findings.empty()) {
        return std::unexpected(MergeError{true, summary(findings)});
    }
    return Merger{store, other}.run();
}

bool is_store(const fs::path& file) {
    std::error_code none;
    return file.extension() == ".db" || fs::is_directory(file, none);
}

void StagedStore::remove_left(const fs::path& parent) {
    std::error_code none;
    std::vector<fs::path> left;
    for (const auto& entry : fs::directory_iterator{parent, none}) {
        const bool named = entry.path().filename().string().starts_with(staged_name);
        if (named && entry.symlink_status(none).type() == fs::file_type::directory &&
            fs::is_symlink(entry.path() / database_name, none)) {
            left.push_back(entry.path());
        }
    }
    for (const fs::path& directory : left) {
        if (std::distance(fs::directory_iterator{directory, none}, fs::directory_iterator{}) == 1) {
            fs::remove(directory / database_name, none);
            fs::remove(directory, none);
        }
    }
}

StagedStore::StagedStore(const fs::path& file, const fs::path& parent)
    : directory_{parent, staged_name} {
    const fs::path database = fs::is_directory(file) ? file / database_name : file;
    std::error_code missing;
    const fs::path found = fs::canonical(database, missing);
    if (missing) {
        throw storage::StoreError{"there is no store at " + database.string() + " (" +
                                  missing.message() + ")"};
    }
    fs::create_symlink(found, directory() / database_name);
}

std::string StagedStore::named_as_given(std::string text, const fs::path& directory) {
    std::error_code none;
    const fs::path file = fs::read_symlink(directory / database_name, none);
    if (none) {
        return text;
    }
    text = base::replaced(text, (directory / database_name).string(), file.string());
    return base::replaced(text, directory.string(), file.parent_path().string());
}

} // namespace adjourn::server
