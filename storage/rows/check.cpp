#include "storage/rows/check.hpp"

#include "base/text.hpp"
#include "chess/game_reader.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace adjourn::storage {

void Findings::add(const std::string& row, const std::string& what) {
    if (lines_.size() < most) {
        lines_.push_back(row + ": " + what);
    } else {
        ++more_;
    }
}

std::vector<std::string> Findings::take() {
    if (more_ > 0) {
        lines_.push_back("and " + std::to_string(more_) + " more");
    }
    return std::move(lines_);
}

namespace {

using chess::Move;
using chess::Position;

std::string name(Move move) {
    const auto from = move.from().name(), to = move.to().name();
    return {from[0], from[1], to[0], to[1]};
}

class Check {
public:
    Check(Reads& reads, Findings& findings) : reads_{reads}, findings_{findings} {}

    void run() {
        findings_.part([&] { each<EngineRecord>([](const std::string&, const EngineRecord&) {}); });
        findings_.part([&] { positions(); });
        findings_.part([&] { facts(); });
        findings_.part([&] { each<FailureRecord>([&](auto&... of) { check(of...); }); });
        findings_.part([&] { each<AnalysisRecord>([&](auto&... of) { check(of...); }); });
        findings_.part([&] { each<DirectiveRecord>([&](auto&... of) { check(of...); }); });
        findings_.part([&] { each<SnapshotRecord>([&](auto&... of) { check(of...); }); });
        findings_.part([&] { rows(tables::sources, [](Cells) {}); });
        findings_.part([&] { each<SeedRecord>([&](auto&... of) { check(of...); }); });
        findings_.part([&] { each<FileRecord>([&](auto&... of) { check(of...); }); });
        findings_.part([&] { each<CloudRecord>([&](auto&... of) { check(of...); }); });
        findings_.part([&] { asked(); });
    }

private:
    // All rows of a table, of which the texts and numbers are looked at.
    template <class Take>
    void rows(const Table& table, Take take) {
        reads_.each(table, {},
                    {[&](Cells row) {
                         cells(table, row);
                         take(row);
                     },
                     [&](const std::string& why) { findings_.add("reading ended early", why); },
                     [] {}});
    }

    // Likewise, with their checksums; `take` gets the name and the record of each that is one.
    template <class Record, class Take>
    void each(Take take) {
        const Table& table = table_of(Record{});
        rows(table, [&](Cells row) {
            const std::string what = row_name(table, row);
            Record record;
            if (!is_sound(table, row)) {
                findings_.add(what, wrong_checksum);
            }
            if (const std::string why = read(row, record); !why.empty()) {
                findings_.add(what, why);
            } else {
                take(what, record);
            }
        });
    }

    // Any bytes stand as text, and any number where one is expected.
    void cells(const Table& table, Cells row) {
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            if (const auto* const real = std::get_if<double>(&row[i]);
                real != nullptr && !std::isfinite(*real)) {
                findings_.add(row_name(table, row),
                              std::string{"its "} + table.columns[i].name + " is no finite number");
            }
            if (table.columns[i].type == ColumnType::text) {
                if (const std::string is = text(row[i]); base::to_utf8(is) != is) {
                    findings_.add(row_name(table, row),
                                  std::string{table.columns[i].name} + " is no UTF-8 text");
                }
            }
        }
    }

    void positions() {
        rows(tables::positions,
             [&](Cells row) { unpacked(row_name(tables::positions, row), bytes(row[1]), true); });
    }

    void facts() {
        std::uint64_t count = 0;
        std::int64_t at = -1;
        std::optional<Position> position;
        std::vector<Question> answered; // of this position
        Evaluation evaluation;
        const auto take = [&](const FactRow& fact, const std::optional<Bytes>& key) {
            ++count;
            if (!key) {
                return true; // what is missing the references tell
            }
            const std::string what = "evaluation " + std::to_string(fact.id);
            if (fact.id >> position_shift != at) {
                at = fact.id >> position_shift;
                position = unpacked("", *key, false);
                answered.clear();
            }
            if (checksum(fact, reads_.shared(fact.engine, *key)) != fact.checksum) {
                findings_.add(what, wrong_checksum);
            }
            evaluation.question.position = position ? position->packed() : chess::PackedPosition{};
            std::int64_t machine = 0;
            if (const std::string why = read(fact, evaluation, machine); !why.empty()) {
                findings_.add(what, why);
            } else if (position) {
                if (machine != 0 && reads_.machine(machine).empty()) {
                    findings_.add(what, "its machine is missing");
                }
                check(what, evaluation, *position, answered);
            }
            return true;
        };
        reads_.each_fact({}, {}, {}, take, [&](const std::string& why) {
            findings_.add("reading ended early", why);
        });
        if (reads_.evaluation_count() != count) {
            findings_.add("totals", "say another number of evaluations than there are");
        }
    }

    void check(const std::string& what, const Evaluation& evaluation, const Position& position,
               std::vector<Question>& answered) {
        const Question& question = evaluation.question;
        excluded(what, question, position);
        if (std::ranges::find(answered, question) != answered.end()) {
            findings_.add(what, "its question is answered twice");
        }
        if (has_exact_score(evaluation)) {
            answered.push_back(question); // any other is no answer
        }
        if (evaluation.move &&
            std::ranges::find(question.excluded, *evaluation.move) != question.excluded.end()) {
            findings_.add(what, "the move found was excluded from the search");
        }
        if (!evaluation.pv.empty()) {
            line(what, "move", position, evaluation.pv);
        } else if (evaluation.move) {
            line(what, "move", position, {*evaluation.move});
        }
    }

    void check(const std::string& what, const FailureRecord& failure) {
        if (const auto position = Position::unpack(failure.question.position)) {
            excluded(what, failure.question, *position); // else positions() told
        }
        not_below_0(what, "attempts", failure.attempts);
    }

    void check(const std::string& what, const AnalysisRecord& analysis) {
        analyses_.insert(analysis.id);
        const auto start = Position::from_fen(analysis.root_fen);
        if (!start) {
            findings_.add(what, "its start position is none: " + start.error().message);
            return;
        }
        if (const auto root = line(what, "root move", *start, analysis.root_moves)) {
            roots_.emplace(analysis.id, *root);
        }
    }

    void check(const std::string& what, const DirectiveRecord& said) {
        const auto root = roots_.find(said.analysis);
        const auto end =
            root == roots_.end() ? std::nullopt : line(what, "line", root->second, said.line);
        if (end && end->packed() != said.position) {
            findings_.add(what, "its line does not lead to its position");
        } else if (end && said.move) {
            legal(what, *end, *said.move);
        }
    }

    void check(const std::string& what, const SnapshotRecord& snapshot) {
        not_below_0(what, "refine", snapshot.refine);
    }

    void check(const std::string& what, const SeedRecord& seed) {
        if (const auto position = Position::unpack(seed.position)) { // else positions() told
            legal(what, *position, seed.move);
        }
    }

    // What stands there is one game, of which nothing is left out when it is read.
    void check(const std::string& what, const FileRecord& file) {
        if (file.number == 0 || file.text.empty()) {
            return;
        }
        const auto [games, report] = chess::read_games(file.text);
        if (report.refused > 0) {
            findings_.add(what, chess::to_text(report.notes.front()));
        } else if (games.size() != 1) {
            findings_.add(what, "it is no single game");
        }
    }

    // What its text says is looked at whenever it is read (api/cloud).
    void check(const std::string& what, const CloudRecord& cloud) {
        unpacked(what, position_key(cloud.position), true);
    }

    // What analyses asked for, and that it is a part of what they have spent.
    void asked() {
        struct Sum {
            std::uint64_t rows = 0;
            std::int64_t sum = 0, kept = 0;
        };
        std::map<std::int64_t, Sum> sums;
        rows(tables::asked, [&](Cells row) {
            Sum& own = sums[integer(row[0])];
            ++own.rows;
            own.sum += asked_checksum(integer(row[0]), integer(row[1]));
        });
        rows(tables::asked_sums, [&](Cells row) { sums[integer(row[0])].kept = integer(row[1]); });
        for (const auto& [analysis, own] : sums) {
            if (own.sum != own.kept) {
                findings_.add("analysis " + std::to_string(analysis),
                              "the checksum of what it asked for is another");
            }
        }
        std::map<std::int64_t, std::uint64_t> spent;
        rows(tables::usage, [&](Cells row) {
            const std::string what = row_name(tables::usage, row);
            if (!is_sound(tables::usage, row)) {
                findings_.add(what, wrong_checksum);
            }
            for (std::size_t i = 1; i < 4; ++i) {
                not_below_0(what, tables::usage.columns[i].name, integer(row[i]));
            }
            spent[integer(row[0])] =
                static_cast<std::uint64_t>(std::max<std::int64_t>(integer(row[1]), 0));
        });
        for (const auto& [analysis, own] : sums) {
            if (analyses_.contains(AnalysisId{analysis}) && spent[analysis] < own.rows) {
                findings_.add("usage of analysis " + std::to_string(analysis),
                              "counts fewer evaluations than its analysis asked for");
            }
        }
    }

    // ---- parts of rows ----

    // nullopt, and a finding if that is wanted, where it is none.
    std::optional<Position> unpacked(const std::string& what, Bytes key, bool told) {
        const auto packed = decode_key(key);
        if (!packed) {
            told ? findings_.add(what, packed.error()) : void();
            return std::nullopt;
        }
        auto position = Position::unpack(*packed);
        if (!position) {
            told ? findings_.add(what, "no legal position: " + position.error().message) : void();
            return std::nullopt;
        }
        if (told && position->packed() != *packed) {
            findings_.add(what, "its key is not that of the position");
        }
        return *position;
    }

    void excluded(const std::string& what, const Question& question, const Position& position) {
        for (const Move move : question.excluded) {
            if (!position.is_legal(move)) {
                findings_.add(what, "the excluded move " + name(move) + " is illegal");
            }
        }
    }

    void legal(const std::string& what, const Position& position, Move move) {
        if (!position.is_legal(move)) {
            findings_.add(what, "its move is illegal");
        }
    }

    void not_below_0(const std::string& what, const std::string& column, std::int64_t value) {
        if (value < 0) {
            findings_.add(what, column + " is below 0");
        }
    }

    // Where the moves lead; nullopt and a finding if one of them is illegal.
    std::optional<Position> line(const std::string& what, const char* part, Position position,
                                 const std::vector<Move>& moves) {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (!position.is_legal(moves[i])) {
                findings_.add(what, std::string{part} + " " + std::to_string(i + 1) + ", " +
                                        name(moves[i]) + ", is illegal");
                return std::nullopt;
            }
            position.play(moves[i]);
        }
        return position;
    }

    Reads& reads_;
    Findings& findings_;
    std::set<AnalysisId> analyses_;
    std::map<AnalysisId, Position> roots_;
};

} // namespace

void check_rows(Reads& reads, Findings& findings) {
    Check{reads, findings}.run();
}

} // namespace adjourn::storage
