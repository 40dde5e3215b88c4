#include "check.hpp"

#include "base/utf8.hpp"
#include "check_whole.hpp"
#include "storage_base/blobs.hpp"
#include "storage_base/columns.hpp"
#include "writes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace adjourn::storage {

namespace {

using chess::Move;
using chess::Position;

std::string name(Move move) {
    const auto from = move.from().name(), to = move.to().name();
    return {from[0], from[1], to[0], to[1]};
}

class Check {
public:
    explicit Check(Database& database) : database_{database} {}

    std::vector<std::string> run() {
        try {
            const Transaction snapshot{database_, Transaction::Kind::read};
            part([&] { pages(); });
            part([&] { check_schema(database_, findings_); });
            part([&] { references(); });
            part([&] { check_seals(database_, findings_); });
            part([&] { engines(); });
            part([&] { evaluations(); });
            part([&] { failures(); });
            part([&] { analyses(); });
            part([&] { directives(); });
            part([&] { seeds(); });
            part([&] { numbers(); });
            part([&] { texts(); });
            part([&] { efforts(); });
        } catch (const SqliteError& error) {
            findings_.add("reading ended early", error.what());
        }
        return findings_.take();
    }

private:
    // Where one part meets damage, the others are looked at all the same.
    template <class Look>
    void part(Look look) {
        try {
            look();
        } catch (const SqliteError& error) {
            if (!error.damage()) {
                throw;
            }
            findings_.add("reading ended early", error.what());
        }
    }

    void pages() {
        Statement rows{database_, "PRAGMA integrity_check"};
        while (rows.step()) {
            if (const std::string line = rows.text(0); line != "ok") {
                findings_.add("structure", line);
            }
        }
    }

    void references() {
        Statement rows{database_, "PRAGMA foreign_key_check"};
        while (rows.step()) {
            findings_.add(row_name(rows.text(0).c_str(), rows.integer(1)),
                          "refers to a row of " + rows.text(2) + " that is missing");
        }
    }

    void engines() {
        Statement rows{database_,
                       "SELECT id, fingerprint, name, version, options, network FROM engines"};
        while (rows.step()) {
            const EngineRecord engine{static_cast<EngineId>(rows.integer(0)), rows.text(2),
                                      rows.text(3), rows.text(4), rows.text(5)};
            if (engine.fingerprint() != rows.text(1)) {
                findings_.add(
                    row_name("engine", rows.integer(0)),
                    "the fingerprint is not that of its name, version, options and network");
            }
        }
    }

    // Positions and their evaluations, side by side in the order of the positions' numbers.
    void evaluations() {
        Statement positions{database_, "SELECT id, key FROM positions ORDER BY id"};
        Statement facts{database_, "SELECT id, engine, limit_kind, limit_amount, excluded, answer "
                                   "FROM evaluations ORDER BY id"};
        std::int64_t count = 0;
        bool more = facts.step();
        while (positions.step()) {
            const std::int64_t id = positions.integer(0);
            const auto position = unpack(row_name("position", id), positions.bytes(1));
            if (position &&
                !std::ranges::equal(position_key(position->packed()), positions.bytes(1))) {
                findings_.add(row_name("position", id), "its key is not that of the position");
            }
            std::vector<Question> questions;
            for (; more && facts.integer(0) >> 16 <= id; more = facts.step(), ++count) {
                if (facts.integer(0) >> 16 == id && position) { // else references() told
                    evaluation(facts, *position, questions);
                }
            }
        }
        for (; more; more = facts.step()) {
            ++count;
        }
        if (database_.integer("SELECT value FROM totals WHERE name = 'evaluations'") != count) {
            findings_.add("totals", "say another number of evaluations than there are");
        }
    }

    void evaluation(const Statement& facts, const Position& position,
                    std::vector<Question>& questions) {
        const std::string what = row_name("evaluation", facts.integer(0));
        Evaluation evaluation;
        evaluation.question = question(what, position, facts.integer(1), facts.integer(2),
                                       facts.integer(3), facts.bytes(4));
        if (std::ranges::find(questions, evaluation.question) != questions.end()) {
            findings_.add(what, "its question is answered twice");
        }
        if (const auto decoded = decode_answer(facts.bytes(5), evaluation); !decoded) {
            findings_.add(what, decoded.error());
        } else {
            const auto& excluded = evaluation.question.excluded;
            if (evaluation.move &&
                std::ranges::find(excluded, *evaluation.move) != excluded.end()) {
                findings_.add(what, "the move found was excluded from the search");
            }
            line(what, "move", position,
                 evaluation.pv.empty() && evaluation.move ? std::vector{*evaluation.move}
                                                          : evaluation.pv);
        }
        if (evaluation.move && evaluation.score && evaluation.bound == analysis::Bound::exact) {
            questions.push_back(std::move(evaluation.question)); // any other is no answer
        }
    }

    void failures() {
        Statement rows{database_,
                       "SELECT f.engine, p.key, f.limit_kind, f.limit_amount, f.excluded, p.id "
                       "FROM failures f JOIN positions p ON p.id = f.position"};
        while (rows.step()) {
            const std::string what = row_name("failure at position", rows.integer(5));
            if (const auto packed = decode_key(rows.bytes(1))) {
                if (const auto position = Position::unpack(*packed)) { // else evaluations() told
                    question(what, *position, rows.integer(0), rows.integer(2), rows.integer(3),
                             rows.bytes(4));
                }
            }
        }
    }

    void analyses() {
        Statement rows{database_, "SELECT id, root_fen, root_moves, limit_kind, limit_amount, "
                                  "rank, state FROM analyses"};
        while (rows.step()) {
            const std::string what = row_name("analysis", rows.integer(0));
            root(what, rows.text(1), rows.bytes(2));
            limit(what, rows.integer(3), rows.integer(4));
            if (!std::isfinite(rows.real(5))) {
                findings_.add(what, "its rank is no finite number");
            }
            if (!state_of(rows.text(6))) {
                findings_.add(what, "its state is none");
            }
        }
    }

    // Counts that the server takes as they are.
    void numbers() {
        Statement columns{database_, "SELECT name FROM pragma_table_info('usage') "
                                     "WHERE type = 'INTEGER' AND pk = 0 "
                                     "AND name <> 'checksum'"};
        while (columns.step()) {
            below_zero("usage", "analysis", columns.text(0));
        }
        below_zero("failures", "position", "attempts");
        below_zero("snapshots", "id", "refine");
    }

    void below_zero(const char* table, const char* id, const std::string& column) {
        Statement rows{database_, std::string{"SELECT "} + id + " FROM " + table + " WHERE " +
                                      column + " < 0"};
        while (rows.step()) {
            findings_.add(row_name(table, rows.integer(0)), column + " is below 0");
        }
    }

    // SQLite lets any bytes stand as text.
    void texts() {
        struct Columns {
            const char* table;
            const char* id;
            std::vector<std::string> columns;
        };
        const Columns tables[] = {
            {"engines", "id", {"fingerprint", "name", "version", "options", "network"}},
            {"failures", "position", {"reason"}},
            {"analyses",
             "id",
             {"name", "root_fen", "profile", "parameters", "state", "state_reason"}},
            {"directives", "id", {"action", "text"}},
            {"snapshots", "id", {"data"}},
            {"sources", "id", {"text"}}};
        for (const Columns& table : tables) {
            for (const std::string& column : table.columns) {
                Statement rows{database_, "SELECT " + std::string{table.id} + ", " + column +
                                              " FROM " + table.table};
                while (rows.step()) {
                    const std::string text = rows.text(1);
                    if (base::to_utf8(text) != text) {
                        findings_.add(row_name(table.table, rows.integer(0)),
                                      column + " is no UTF-8 text");
                    }
                }
            }
        }
    }

    void directives() {
        Statement rows{database_, "SELECT d.id, p.key, d.move, d.line, a.root_fen, a.root_moves "
                                  "FROM directives d JOIN positions p ON p.id = d.position "
                                  "JOIN analyses a ON a.id = d.analysis"};
        while (rows.step()) {
            const std::string what = row_name("directive", rows.integer(0));
            const auto start = root(what, rows.text(4), rows.bytes(5));
            const auto end =
                start ? line(what, "line", *start, moves(what, rows.bytes(3))) : std::nullopt;
            if (!end) {
                continue;
            }
            if (!std::ranges::equal(position_key(end->packed()), rows.bytes(1))) {
                findings_.add(what, "its line does not lead to its position");
            } else if (!rows.is_null(2)) {
                move(what, *end, rows.integer(2));
            }
        }
    }

    void seeds() {
        Statement rows{database_, "SELECT s.id, p.key, s.move FROM seeds s "
                                  "JOIN positions p ON p.id = s.position"};
        while (rows.step()) {
            if (const auto packed = decode_key(rows.bytes(1))) {
                if (const auto position = Position::unpack(*packed)) { // else evaluations() told
                    move(row_name("seed", rows.integer(0)), *position, rows.integer(2));
                }
            }
        }
    }

    // What an analysis asked for is a part of what it has spent.
    void efforts() {
        Statement rows{database_,
                       "SELECT k.analysis FROM (SELECT analysis, count(*) AS facts FROM asked "
                       "GROUP BY analysis) k JOIN analyses a ON a.id = k.analysis "
                       "LEFT JOIN usage u ON u.analysis = k.analysis "
                       "WHERE coalesce(u.evaluations_new, 0) < k.facts"};
        while (rows.step()) {
            findings_.add(row_name("usage", rows.integer(0)),
                          "counts fewer evaluations than its analysis asked for");
        }
    }

    // ---- parts of rows ----

    std::optional<Position> unpack(const std::string& what, Bytes key) {
        const auto packed = decode_key(key);
        if (!packed) {
            findings_.add(what, packed.error());
            return std::nullopt;
        }
        auto position = Position::unpack(*packed);
        if (!position) {
            findings_.add(what, "no legal position: " + position.error().message);
            return std::nullopt;
        }
        return *position;
    }

    Question question(const std::string& what, const Position& position, std::int64_t engine,
                      std::int64_t limit_kind, std::int64_t limit_amount, Bytes excluded) {
        Question question{position.packed(), static_cast<EngineId>(engine),
                          limit(what, limit_kind, limit_amount), moves(what, excluded)};
        if (const std::string trouble = question_trouble(question); !trouble.empty()) {
            findings_.add(what, trouble);
        }
        for (const Move move : question.excluded) {
            if (!position.is_legal(move)) {
                findings_.add(what, "the excluded move " + name(move) + " is illegal");
            }
        }
        return question;
    }

    // One that is none is told, and stands for a sound one.
    analysis::Limit limit(const std::string& what, std::int64_t kind, std::int64_t amount) {
        using Kind = analysis::Limit::Kind;
        const bool known = kind >= 0 && kind <= static_cast<std::int64_t>(Kind::movetime);
        if (!known) {
            findings_.add(what, "a limit of unknown kind");
        }
        if (amount < 1) {
            findings_.add(what, "a limit of 0 or less");
        }
        return {known ? static_cast<Kind>(kind) : Kind::depth,
                static_cast<std::uint64_t>(std::max<std::int64_t>(amount, 1))};
    }

    std::vector<Move> moves(const std::string& what, Bytes bytes) {
        std::vector<Move> moves;
        if (const auto decoded = decode_moves(bytes, moves); !decoded) {
            findings_.add(what, decoded.error());
            moves.clear();
        }
        return moves;
    }

    void move(const std::string& what, const Position& position, std::int64_t raw) {
        if (raw < 0 || raw > 0xffff ||
            !position.is_legal(Move::from_raw(static_cast<std::uint16_t>(raw)))) {
            findings_.add(what, "its move is illegal");
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

    std::optional<Position> root(const std::string& what, const std::string& fen, Bytes bytes) {
        const auto start = Position::from_fen(fen);
        if (!start) {
            findings_.add(what, "its start position is none: " + start.error().message);
            return std::nullopt;
        }
        return line(what, "root move", *start, moves(what, bytes));
    }

    Database& database_;
    Findings findings_;
};

} // namespace

std::vector<std::string> check_database(Database& database) {
    return Check{database}.run();
}

} // namespace adjourn::storage
