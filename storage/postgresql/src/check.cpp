#include "check.hpp"

#include "schema.hpp"
#include "storage_base/bytes.hpp"

#include <algorithm>
#include <optional>

namespace adjourn::storage::postgresql {

namespace {

using chess::Move;
using chess::Position;

constexpr std::size_t most_findings = 200;

class Check {
public:
    Check(const Store& store, Connection& connection) : store_{store}, connection_{connection} {}

    std::vector<std::string> run() {
        try {
            references();
            evaluations();
            for (const AnalysisRecord& analysis : store_.analyses(damaged_)) {
                check(analysis);
            }
        } catch (const StoreError& error) {
            add("reading ended early", error.what());
        }
        if (more_ > 0) {
            findings_.push_back("and " + std::to_string(more_) + " more");
        }
        return std::move(findings_);
    }

private:
    void add(const std::string& what, const std::string& why) {
        if (findings_.size() < most_findings) {
            findings_.push_back(what + (why.empty() ? "" : ": " + why));
        } else {
            ++more_;
        }
    }

    // What no reference in the schema says.
    void references() {
        const Transaction snapshot{connection_, Transaction::Kind::read};
        const auto none = [this](const std::string& from_where, const std::string& what) {
            const Rows rows = connection_.run("SELECT count(*) FROM " + from_where);
            if (rows.integer(0, 0) > 0) {
                add(what, std::to_string(rows.integer(0, 0)) + " rows");
            }
        };
        connection_.execute("SET LOCAL enable_seqscan = on"); // all is read
        none("evaluations e WHERE NOT EXISTS (SELECT 1 FROM positions p WHERE p.id = e.id >> 16)",
             "evaluations of positions that are missing");
        none("evaluations e WHERE NOT EXISTS (SELECT 1 FROM engines g WHERE g.id = e.engine)",
             "evaluations of engines that are missing");
        none("asked a WHERE NOT EXISTS (SELECT 1 FROM evaluations e WHERE e.id = a.evaluation)",
             "who asked for evaluations that are missing");
        none("asked_sums s WHERE NOT EXISTS (SELECT 1 FROM asked a WHERE a.analysis = s.analysis) "
             "AND s.sum <> 0",
             "sums of what nobody asked for");
        if (connection_
                .run("SELECT count(*) - (SELECT value FROM totals WHERE name = "
                     "'evaluations') FROM evaluations")
                .integer(0, 0) != 0) {
            add("totals", "say another number of evaluations than there are");
        }
    }

    void evaluations() {
        for (const EngineRecord& engine : store_.engines(damaged_)) {
            chess::PackedPosition at;
            std::optional<Position> position;
            std::vector<Question> answered; // of this position
            store_.for_each_evaluation(
                engine.id,
                [&](const Evaluation& evaluation) {
                    const std::string what = "evaluation " + std::to_string(row(evaluation.id));
                    if (!position || at != evaluation.question.position) {
                        at = evaluation.question.position;
                        position = unpack(what, at);
                        answered.clear();
                    }
                    if (position) {
                        check(what, evaluation, *position, answered);
                    }
                },
                damaged_);
            for (const FailureRecord& failure : store_.failures(engine.id, damaged_)) {
                const std::string what = "failure of engine " + std::to_string(row(engine.id));
                if (const auto place = unpack(what, failure.question.position)) {
                    legal(what, *place, failure.question.excluded);
                }
                if (failure.attempts < 0) {
                    add(what, "attempts is below 0");
                }
            }
        }
    }

    void check(const std::string& what, const Evaluation& evaluation, const Position& position,
               std::vector<Question>& answered) {
        const Question& question = evaluation.question;
        legal(what, position, question.excluded);
        if (std::ranges::find(answered, question) != answered.end()) {
            add(what, "its question is answered twice");
        }
        if (has_exact_score(evaluation)) {
            answered.push_back(question);
        }
        if (evaluation.move &&
            std::ranges::find(question.excluded, *evaluation.move) != question.excluded.end()) {
            add(what, "the move found was excluded from the search");
        }
        line(what, position,
             evaluation.pv.empty() && evaluation.move ? std::vector{*evaluation.move}
                                                      : evaluation.pv);
    }

    void check(const AnalysisRecord& analysis) {
        const std::string name = "analysis " + std::to_string(row(analysis.id));
        const auto start = Position::from_fen(analysis.root_fen);
        if (!start) {
            add(name, "its start position is none: " + start.error().message);
        }
        const auto root = start ? line(name, *start, analysis.root_moves) : std::nullopt;
        for (const DirectiveRecord& said : store_.directives(analysis.id, damaged_)) {
            const std::string what = "directive " + std::to_string(said.id);
            const auto end = root ? line(what, *root, said.line) : std::nullopt;
            if (end && end->packed() != said.position) {
                add(what, "its line does not lead to its position");
            } else if (end && said.move) {
                legal(what, *end, {*said.move});
            }
        }
        for (const SnapshotRecord& snapshot : store_.snapshots(analysis.id, damaged_)) {
            if (snapshot.refine < 0) {
                add("snapshot " + std::to_string(snapshot.id), "refine is below 0");
            }
        }
        for (const SeedRecord& seed : store_.seeds(analysis.id, damaged_)) {
            if (const auto place = unpack("seed of " + name, seed.position)) {
                legal("seed of " + name, *place, {seed.move});
            }
        }
        // What an analysis asked for is a part of what it has spent.
        if (store_.usage(analysis.id, damaged_).evaluations_new <
            store_.asked(analysis.id, damaged_).size()) {
            add("usage of " + name, "counts fewer evaluations than its analysis asked for");
        }
    }

    std::optional<Position> unpack(const std::string& what, const chess::PackedPosition& packed) {
        auto position = Position::unpack(packed);
        if (!position) {
            add(what, "no legal position: " + position.error().message);
            return std::nullopt;
        }
        return *position;
    }

    void legal(const std::string& what, const Position& position, const std::vector<Move>& moves) {
        for (const Move move : moves) {
            if (!position.is_legal(move)) {
                add(what, "a move is illegal");
            }
        }
    }

    // Where the moves lead; nullopt and a finding if one of them is illegal.
    std::optional<Position> line(const std::string& what, Position position,
                                 const std::vector<Move>& moves) {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (!position.is_legal(moves[i])) {
                add(what, "move " + std::to_string(i + 1) + " of its line is illegal");
                return std::nullopt;
            }
            position.play(moves[i]);
        }
        return position;
    }

    const Store& store_;
    Connection& connection_;
    std::vector<std::string> findings_;
    std::size_t more_ = 0;
    const Damaged damaged_ = [this](const std::string& what) { add(what, ""); };
};

} // namespace

std::vector<std::string> check_database(const Store& store, Connection& connection) {
    return Check{store, connection}.run();
}

} // namespace adjourn::storage::postgresql
