#include "storage/sqlite/writes.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace adjourn::storage {

namespace {

// Beyond it no number of an evaluation can be made: only a damaged store has such positions.
constexpr std::int64_t most_positions =
    std::numeric_limits<std::int64_t>::max() / numbers_per_position - 1;

constexpr std::size_t most_seen = 4'096; // a power of 2

} // namespace

SqliteWrites::SqliteWrites(Database& database)
    : database_{database}, find_position_{database, "SELECT id FROM positions WHERE key = ?"},
      find_key_{database, "SELECT key FROM positions WHERE id = ?"},
      add_position_{database, "INSERT INTO positions (key) VALUES (?)"},
      find_answers_{database, "SELECT " + all_columns(tables::evaluations) +
                                  " FROM evaluations WHERE id BETWEEN ? AND ? ORDER BY id"},
      add_evaluation_{database, "INSERT INTO evaluations (" + all_columns(tables::evaluations) +
                                    ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
      replace_evaluation_{database, "UPDATE evaluations SET at = ?, answer = ?, checksum = ? "
                                    "WHERE id = ?"},
      add_asked_{database, "INSERT INTO asked (analysis, evaluation) VALUES (?, ?)"},
      seen_(most_seen) {}

void SqliteWrites::forget() {
    Writes::forget();
    seen_.assign(most_seen, {});
    last_ids_.clear();
}

void SqliteWrites::run(const std::string& sql, Cells parameters, const TakeRow& take) {
    auto known = prepared_.find(sql);
    if (known == prepared_.end()) {
        known = prepared_.try_emplace(sql, database_, sql).first;
    }
    Statement& statement = known->second;
    statement.bind_cells(parameters);
    const ResetAtEnd reset{statement};
    std::vector<Cell> cells;
    while (statement.step()) {
        if (take) {
            statement.read(cells);
            take(cells);
        }
    }
}

std::int64_t SqliteWrites::next_id(const Table& table) {
    std::int64_t& last = last_ids_[&table];
    if (last == 0) {
        const std::string name = table.name;
        run("SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = '" + name +
                "'), 0), coalesce((SELECT max(id) FROM " + name + "), 0))",
            {}, [&](Cells row) { last = integer(row[0]); });
    }
    return ++last;
}

Writes::Place SqliteWrites::position(const chess::PackedPosition& packed) {
    Seen& seen = seen_[chess::PackedPositionHash{}(packed) % most_seen];
    if (seen.id != 0 && seen.position == packed) {
        return {seen.id, false};
    }
    const Bytes key = position_key(packed);
    Place place;
    {
        find_position_.bind(key);
        const ResetAtEnd reset{find_position_};
        if (find_position_.step()) {
            place.id = find_position_.integer(0);
        } else {
            add_position_.run(key);
            place = {database_.last_insert_id(), true};
        }
    }
    if (!place.added) { // the index said so: is it right?
        find_key_.bind(place.id);
        const ResetAtEnd reset{find_key_};
        if (!find_key_.step() || !std::ranges::equal(find_key_.bytes(0), key)) {
            database_.refuse("position " + std::to_string(place.id) +
                             " is damaged (its key is another)");
        }
    }
    seen = {packed, place.id};
    return place;
}

void SqliteWrites::ask(AnalysisId analysis, std::int64_t evaluation) {
    add_asked_.run(row(analysis), evaluation);
}

std::vector<Outcome> SqliteWrites::append(std::span<const Answered* const> facts) {
    constexpr std::size_t between_signs = 256;
    std::vector<Outcome> outcomes;
    outcomes.reserve(facts.size());
    for (const Answered* fact : facts) {
        if (outcomes.size() % between_signs == 0 && on_progress) {
            on_progress();
        }
        outcomes.push_back(append(*fact));
    }
    return outcomes;
}

Outcome SqliteWrites::append(const Answered& fact) {
    const Evaluation& evaluation = fact.evaluation;
    const Question& question = evaluation.question;
    if (const std::string trouble = trouble_of(evaluation); !trouble.empty()) {
        return refuse("evaluation", trouble);
    }
    const auto [position_id, is_new] = position(question.position);
    if (position_id < 0 || position_id > most_positions) {
        return refuse("evaluation", "its position has the number " + std::to_string(position_id) +
                                        ", which is damage");
    }
    const Checksum begun = shared(question);
    FactRow made = row_of(evaluation, machine(evaluation.machine), excluded_, answer_);
    const std::int64_t first = position_id * numbers_per_position;
    const std::int64_t end = first + numbers_per_position;
    made.id = first; // the next free one
    std::optional<std::int64_t> known_id, damaged;
    std::shared_ptr<const Evaluation> stands;
    if (!is_new) {
        find_answers_.bind(first, end - 1);
        const ResetAtEnd reset{find_answers_};
        while (!known_id && find_answers_.step()) {
            made.id = find_answers_.integer(0) + 1;
            if (find_answers_.integer(1) != made.engine ||
                find_answers_.integer(2) != made.limit_kind ||
                find_answers_.integer(3) != made.limit_amount ||
                !std::ranges::equal(find_answers_.bytes(4), excluded_)) {
                continue;
            }
            const FactRow there = find_answers_.fact();
            auto found = std::make_shared<Evaluation>();
            found->question.position = question.position;
            std::int64_t by = 0;
            if (checksum(there, begun) != there.checksum || !read(there, *found, by).empty()) {
                damaged = there.id;
            } else if (has_exact_score(*found) || !has_exact_score(evaluation)) {
                known_id = there.id;
                found->machine = machine_name(by);
                stands = std::move(found);
            }
        }
    }
    const bool counted = is_counted(fact);
    if (known_id) {
        known(fact, counted);
        return Written{*known_id, false, std::move(stands)};
    }
    if (made.id == end && !damaged) {
        return refuse("evaluation", "the position has 65,536 of them");
    }
    made.id = damaged.value_or(made.id);
    made.checksum = checksum(made, begun);
    if (damaged) {
        const WithoutTriggers open{database_}; // they keep facts from being changed: this is none
        replace_evaluation_.run(made.at, made.answer, made.checksum, made.id);
    } else {
        add_evaluation_.run(made.id, made.engine, made.limit_kind, made.limit_amount, made.excluded,
                            made.at, made.answer, made.checksum);
    }
    stored(fact, counted, made, damaged.has_value());
    return Written{made.id, true};
}

} // namespace adjourn::storage
