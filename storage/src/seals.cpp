#include "seals.hpp"

#include <array>

namespace adjourn::storage {

// The first values of an evaluation's are those that it shares with its neighbours (Queries).
const Seal evaluation_seal{
    "evaluations", "evaluation", "id",
    "adjourn_checksum((SELECT fingerprint FROM engines WHERE engines.id = evaluations.engine), "
    "(SELECT key FROM positions WHERE positions.id = evaluations.id >> 16), evaluations.id, "
    "limit_kind, limit_amount, excluded, at, answer)"};

const Seal failure_seal{
    "failures", "failure at position", "position",
    "adjourn_checksum((SELECT fingerprint FROM engines WHERE engines.id = failures.engine), "
    "(SELECT key FROM positions WHERE positions.id = failures.position), failures.limit_kind, "
    "failures.limit_amount, failures.excluded, reason, attempts, failures.at)"};

const Seal analysis_seal{
    "analyses", "analysis", "id",
    "adjourn_checksum(analyses.id, analyses.name, root_fen, root_moves, profile, "
    "coalesce((SELECT fingerprint FROM engines WHERE engines.id = analyses.engine), ''), "
    "limit_kind, limit_amount, parameters, priority, rank, state, state_reason, created_at)"};

const Seal directive_seal{"directives", "directive", "id",
                          "adjourn_checksum(directives.id, directives.analysis, "
                          "(SELECT key FROM positions WHERE positions.id = directives.position), "
                          "coalesce(directives.move, -1), line, action, text, directives.at)"};

const Seal snapshot_seal{"snapshots", "snapshot", "id",
                         "adjourn_checksum(snapshots.id, analysis, refine, at, data)"};

const Seal seed_seal{"seeds", "seed", "id",
                     "adjourn_checksum(seeds.id, seeds.analysis, "
                     "(SELECT key FROM positions WHERE positions.id = seeds.position), seeds.move, "
                     "(SELECT text FROM sources WHERE sources.id = seeds.source), seeds.at)"};

const Seal usage_seal{"usage", "usage of analysis", "analysis",
                      "adjourn_checksum(analysis, evaluations_new, nodes, engine_ms)"};

std::span<const Seal* const> seals() {
    static constexpr std::array<const Seal*, 7> all{
        &evaluation_seal, &failure_seal, &analysis_seal, &directive_seal,
        &snapshot_seal,   &seed_seal,    &usage_seal};
    return all;
}

const char* const asked_checksum = "adjourn_checksum(asked.analysis, asked.evaluation)";

} // namespace adjourn::storage
