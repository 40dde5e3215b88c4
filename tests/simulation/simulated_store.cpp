#include "simulated_store.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>

namespace adjourn::simulation {

using storage::Answered;
using storage::DirectiveRecord;
using storage::FileRecord;

namespace {

std::string answer_of(const analysis::Evaluation& fact) {
    return (fact.move ? std::to_string(fact.move->raw()) : "-") + " " +
           (fact.score ? std::to_string(fact.score->encode()) : "-") + " " +
           std::to_string(static_cast<int>(fact.bound)) + " " + std::to_string(fact.at);
}

bool usable(const analysis::Evaluation& fact) {
    return fact.move && fact.score && fact.bound == analysis::Bound::exact;
}

std::string text_of(const DirectiveRecord& said) {
    std::string text = said.action + " " + said.text + " " + std::to_string(said.at);
    for (const chess::Move move : said.line) {
        text += " " + std::to_string(move.raw());
    }
    return text;
}

std::string text_of(const FileRecord& row) {
    return std::to_string(static_cast<std::int64_t>(row.analysis)) + " " +
           std::to_string(row.number) + " " + std::to_string(row.version) + " " +
           std::to_string(row.before) + " " + row.text;
}

std::string unlike(const std::string& what, std::int64_t id, const std::string& had,
                   const std::string& has) {
    return what + " " + std::to_string(id) + " was acknowledged as '" + had + "' and is '" + has +
           "'";
}

} // namespace

std::string text_of(const analysis::Question& question) {
    std::string text;
    for (const auto byte : question.position.bytes) {
        constexpr const char* digits = "0123456789abcdef";
        text += digits[static_cast<unsigned>(byte) >> 4];
        text += digits[static_cast<unsigned>(byte) & 15];
    }
    text += " " + std::to_string(static_cast<int>(question.limit.kind)) + ":" +
            std::to_string(question.limit.amount);
    for (const chess::Move move : question.excluded) {
        text += " x" + std::to_string(move.raw());
    }
    return text;
}

void SimulatedStore::write(storage::Change change, storage::Done done) {
    storage::Change copy = change;
    if (waited_for_) {
        meanwhile();
    }
    store_.write(std::move(change),
                 [this, copy = std::move(copy), done = std::move(done)](const auto& outcome) {
                     failed_ = outcome ? 0 : failed_ + 1;
                     if (outcome) {
                         acknowledged(copy, *outcome);
                     }
                     if (done) {
                         done(outcome);
                     }
                 });
    if (waited_for_) {
        meanwhile();
        try {
            store_.flush();
        } catch (const storage::StoreError&) { // it was told
        }
    }
}

void SimulatedStore::acknowledged(const storage::Change& change, const storage::Written& written) {
    const auto add_usage = [&](analysis::AnalysisId id, const storage::Cost& cost, bool fresh) {
        auto& usage = ledger_.usage[static_cast<std::int64_t>(id)];
        usage.nodes += cost.nodes;
        usage.engine_ms += cost.engine_ms;
        usage.evaluations_new += fresh ? 1 : 0;
    };
    if (const auto* answered = std::get_if<Answered>(&change)) {
        const analysis::Evaluation& fact = answered->evaluation;
        if (written.inserted) {
            const bool good = usable(fact);
            ledger_.facts[written.id] = {text_of(fact.question), answer_of(fact), good, clock_(),
                                         life_};
            if (good) {
                ledger_.answers[text_of(fact.question) + " e" +
                                std::to_string(static_cast<std::int64_t>(fact.question.engine))] =
                    written.id;
            }
        }
        if (answered->asked_by && written.id != 0) {
            add_usage(*answered->asked_by,
                      answered->cost.value_or(storage::Cost{fact.nodes, fact.time_ms}),
                      written.inserted && !answered->on_the_way);
        }
        if (answered->order && answered->asked_by && !answered->on_the_way) {
            ledger_.directives[answered->order->id] = text_of(*answered->order);
        }
    } else if (const auto* spent = std::get_if<storage::Spent>(&change)) {
        add_usage(spent->analysis, spent->cost, false);
    } else if (const auto* said = std::get_if<DirectiveRecord>(&change)) {
        if (said->id == 0 && written.inserted) {
            ledger_.directives[written.id] = text_of(*said);
            ledger_.directive_of[written.id] = static_cast<std::int64_t>(said->analysis);
        }
    } else if (const auto* file = std::get_if<storage::FileChange>(&change)) {
        for (std::size_t i = 0; written.inserted && i < file->rows.size(); ++i) {
            ledger_.files[written.id + static_cast<std::int64_t>(i)] = text_of(file->rows[i]);
        }
    } else if (const auto* failed = std::get_if<storage::FailureRecord>(&change)) {
        constexpr int tries = 3;
        if (failed->attempts < tries) {
            ledger_.wrong = "a question is given up after " + std::to_string(failed->attempts) +
                            " searches: " + failed->reason;
        }
    } else if (const auto* gone = std::get_if<storage::RemovedAnalysis>(&change)) {
        ledger_.removed[static_cast<std::int64_t>(gone->id)] = true;
    }
}

storage::StoreEnvironment SimulatedStore::environment() const {
    storage::StoreEnvironment seen = store_.environment();
    seen.free_bytes = std::nullopt; // of this machine's disk
    return seen;
}

storage::Writing SimulatedStore::writing() const {
    storage::Writing now = store_.writing();
    now.silent = hangs_since_ ? std::chrono::milliseconds{clock_() - *hangs_since_}
                              : std::chrono::milliseconds{0};
    return now;
}

void Ledger::forget(std::int64_t fact) {
    facts.erase(fact);
    std::erase_if(answers, [fact](const auto& answer) { return answer.second == fact; });
}

namespace {

struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Opened = std::unique_ptr<sqlite3, Close>;
using Prepared = std::unique_ptr<sqlite3_stmt, Close>;

Prepared prepare(const Opened& database, const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
        throw std::runtime_error{sqlite3_errmsg(database.get())};
    }
    return Prepared{statement};
}

} // namespace

std::int64_t flip_a_bit(const std::filesystem::path& directory, std::uint64_t chance) {
    sqlite3* handle = nullptr;
    sqlite3_open((directory / "adjourn.db").c_str(), &handle);
    const Opened database{handle};
    const Prepared choice =
        prepare(database, "SELECT id, answer FROM evaluations ORDER BY id LIMIT 1 OFFSET " +
                              std::to_string(chance % 1'000) +
                              " % (SELECT max(1, count(*)) FROM evaluations)");
    if (sqlite3_step(choice.get()) != SQLITE_ROW) {
        return 0;
    }
    const std::int64_t id = sqlite3_column_int64(choice.get(), 0);
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(choice.get(), 1));
    std::string answer{bytes, static_cast<std::size_t>(sqlite3_column_bytes(choice.get(), 1))};
    answer[chance / 1'000 % answer.size()] ^= static_cast<char>(1 << chance / 1'000'000 % 8);
    const Prepared guard =
        prepare(database, "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE "
                          "'%BEFORE UPDATE ON evaluations%'");
    if (sqlite3_step(guard.get()) != SQLITE_ROW) {
        throw std::runtime_error{"nothing guards evaluations"};
    }
    const std::string guarded = reinterpret_cast<const char*>(sqlite3_column_text(guard.get(), 0));
    const auto run = [&](const Prepared& statement) {
        if (sqlite3_step(statement.get()) != SQLITE_DONE) {
            throw std::runtime_error{sqlite3_errmsg(database.get())};
        }
    };
    sqlite3_reset(guard.get());
    sqlite3_reset(choice.get());
    run(prepare(database, "DROP TRIGGER evaluations_stay"));
    const Prepared change =
        prepare(database, "UPDATE evaluations SET answer = ?1 WHERE id = " + std::to_string(id));
    sqlite3_bind_blob(change.get(), 1, answer.data(), static_cast<int>(answer.size()),
                      SQLITE_STATIC);
    run(change);
    run(prepare(database, guarded));
    return id;
}

std::string Ledger::missing_in(const storage::Store& store) const {
    std::string wrong;
    std::map<std::int64_t, std::string> there;
    std::set<std::string> twice;
    for (const storage::EngineRecord& engine : store.engines()) {
        store.for_each_evaluation(engine.id, [&](const analysis::Evaluation& fact) {
            there[static_cast<std::int64_t>(fact.id)] = answer_of(fact);
            if (usable(fact) && !twice
                                     .insert(text_of(fact.question) + " e" +
                                             std::to_string(static_cast<std::int64_t>(engine.id)))
                                     .second) {
                wrong = "two answers to one question are stored: " + text_of(fact.question);
            }
        });
    }
    for (const auto& [id, fact] : facts) {
        const auto found = there.find(id);
        if (found == there.end() || found->second != fact.answer) {
            return unlike("evaluation", id, fact.answer,
                          found == there.end() ? "not there" : found->second);
        }
    }
    for (const storage::EngineRecord& engine : store.engines()) {
        for (const storage::FailureRecord& failure : store.failures(engine.id)) {
            if (answers.contains(text_of(failure.question) + " e" +
                                 std::to_string(static_cast<std::int64_t>(engine.id)))) {
                return "a failure is noted of what was answered: " + text_of(failure.question);
            }
        }
    }
    std::map<std::int64_t, std::string> said, rows;
    for (const storage::AnalysisRecord& record : store.analyses()) {
        for (const DirectiveRecord& each : store.directives(record.id)) {
            said[each.id] = text_of(each);
        }
        for (const FileRecord& head : store.files(record.id)) {
            for (const FileRecord& each : store.versions(head.file)) {
                rows[each.id] = text_of(each);
            }
        }
        const storage::UsageRecord has = store.usage(record.id);
        const auto least = usage.find(static_cast<std::int64_t>(record.id));
        if (least != usage.end() &&
            (has.nodes < least->second.nodes || has.engine_ms < least->second.engine_ms ||
             has.evaluations_new < least->second.evaluations_new)) {
            return "analysis " + std::to_string(static_cast<std::int64_t>(record.id)) +
                   " has spent less than was acknowledged: " + std::to_string(has.nodes) + " of " +
                   std::to_string(least->second.nodes) + " nodes, " +
                   std::to_string(has.engine_ms) + " of " +
                   std::to_string(least->second.engine_ms) + " ms, " +
                   std::to_string(has.evaluations_new) + " of " +
                   std::to_string(least->second.evaluations_new) + " evaluations";
        }
    }
    for (const auto& [id, text] : directives) {
        const auto of = directive_of.find(id);
        if (of != directive_of.end() && removed.contains(of->second)) {
            continue;
        }
        const auto found = said.find(id);
        if (found == said.end() || found->second != text) {
            return unlike("order", id, text, found == said.end() ? "not there" : found->second);
        }
    }
    for (const auto& [id, text] : files) {
        if (removed.contains(std::strtoll(text.c_str(), nullptr, 10))) {
            continue;
        }
        const auto found = rows.find(id);
        if (found == rows.end() || found->second != text) {
            return unlike("version of a game", id, text,
                          found == rows.end() ? "not there" : found->second);
        }
    }
    return wrong;
}

} // namespace adjourn::simulation
