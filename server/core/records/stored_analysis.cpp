#include "core/records/stored_analysis.hpp"

#include "base/json_reader.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace adjourn::server {

using nlohmann::json;
using storage::AnalysisRecord;
using storage::DirectiveRecord;
using storage::SnapshotRecord;

namespace {

constexpr int deepest_level = 200; // of the levels that settle

std::string number(std::int64_t id) {
    return std::to_string(id);
}

// Where the line leads; or the number of the move that is illegal, from 1.
std::expected<chess::Position, std::size_t> follow(chess::Position position,
                                                   const std::vector<chess::Move>& line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (!position.is_legal(line[i])) {
            return std::unexpected(i + 1);
        }
        position.play(line[i]);
    }
    return position;
}

bool is_count(const json& in) {
    return in.is_number_unsigned();
}

bool is_score(const json& in) {
    if (in.is_null()) {
        return true;
    }
    const auto whole = [&](const char* name) {
        const auto found = in.find(name);
        // Within what an int and a double of the page hold exactly.
        return found != in.end() && found->is_number_integer() &&
               std::abs(found->get<double>()) < 1e9;
    };
    const auto word = [&](const char* name) {
        const auto found = in.find(name);
        return found != in.end() && found->is_string();
    };
    return in.is_object() &&
           (whole("cp") || (whole("mate") && (!in.contains("side") || word("side"))) ||
            (word("tb") && (!in.contains("dtz") || whole("dtz"))));
}

bool is_texts(const json& in) {
    return in.is_array() &&
           std::ranges::all_of(in, [](const json& text) { return text.is_string(); });
}

bool is_move(const json& in) {
    return in.is_object() && in.contains("uci") && in["uci"].is_string() && in.contains("san") &&
           in["san"].is_string() && in.contains("alpha") && is_score(in["alpha"]) &&
           in.contains("idea") && is_score(in["idea"]);
}

bool is_moves(const json& in) {
    return in.is_array() && std::ranges::all_of(in, is_move);
}

bool is_amount(const json& in) {
    return in.is_number() && in.get<double>() >= 0;
}

bool is_object(const json& in) {
    return in.is_object();
}

bool is_text(const json& in) {
    return in.is_string();
}

constexpr std::array said_numbers{"nodes", "group", "size", "cost", "chance"};

bool is_said(const json& in) {
    return in.is_object() && is_text(in.value("best", json{})) &&
           std::ranges::all_of(
               said_numbers, [&](const char* name) { return is_amount(in.value(name, json{})); }) &&
           in["group"].get<double>() < 3;
}

json rules_json(const analysis::Limit& limit, const analysis::StrategyParameters& strategy,
                const std::vector<std::string>& accept, const std::string& moved_to,
                analysis::UnixMs renewed) {
    json out;
    out["limit"] = limit_json(limit);
    out["strategy"] = strategy_json(strategy);
    out["strategy"].erase("refine"); // the same tree, however far it is meant to go
    if (!accept.empty()) {
        out["accept"] = accept;
    }
    if (!moved_to.empty()) {
        out["fen"] = moved_to;
    }
    if (renewed != 0) {
        out["renewed"] = renewed;
    }
    return out;
}

} // namespace

std::expected<StoredRoot, std::string> root_of(const AnalysisRecord& record) {
    const auto start = chess::Position::from_fen(record.root_fen);
    if (!start) {
        return std::unexpected("its start position is none: " + start.error().message);
    }
    const auto root = follow(*start, record.root_moves);
    if (!root) {
        return std::unexpected("root move " + std::to_string(root.error()) + " is illegal");
    }
    return StoredRoot{*start, *root};
}

std::expected<Directive, std::string> sound_directive(DirectiveRecord record,
                                                      const chess::Position& root) {
    const std::optional<chess::Move> move = record.move;
    auto directive = directive_of(std::move(record));
    if (!directive) {
        return directive;
    }
    const auto end = follow(root, directive->line);
    if (!end) {
        return std::unexpected("line " + std::to_string(end.error()) + " is illegal");
    }
    if (end->packed() != directive->position) {
        return std::unexpected(std::string{"its line does not lead to its position"});
    }
    if (move && !end->is_legal(*move)) {
        return std::unexpected(std::string{"its move is illegal"});
    }
    return directive;
}

std::string snapshot_trouble(const SnapshotRecord& snapshot) {
    struct Field {
        const char* name;
        bool (*is)(const json&);
    };
    static constexpr std::array<Field, 15> fields{{{"evaluations", is_count},
                                                   {"positions", is_count},
                                                   {"nodes", is_amount},
                                                   {"engine", is_text},
                                                   {"best", is_text},
                                                   {"said", is_said},
                                                   {"engine_seconds", is_amount},
                                                   {"limit", is_object},
                                                   {"fen", is_text},
                                                   {"renewed", is_count},
                                                   {"strategy", is_object},
                                                   {"alpha", is_score},
                                                   {"idea", is_score},
                                                   {"moves", is_moves},
                                                   {"pv", is_texts}}};
    if (snapshot.refine < 1 || snapshot.refine > deepest_level) {
        return "its depth is none from 1 to " + std::to_string(deepest_level);
    }
    const auto parsed = base::parse_json(snapshot.data);
    if (!parsed) {
        return "its data " + parsed.error();
    }
    const json& in = *parsed;
    if (!in.is_object()) {
        return "its data is no object";
    }
    for (const Field& field : fields) {
        if (in.contains(field.name) && !field.is(in[field.name])) {
            return std::string{"its "} + field.name + " cannot be read";
        }
    }
    return "";
}

std::vector<Directive> read_directives(const storage::Store& store, analysis::AnalysisId analysis,
                                       const chess::Position& root,
                                       std::vector<std::string>& findings) {
    auto all = store.directives(analysis,
                                [&](const std::string& damaged) { findings.push_back(damaged); });
    std::vector<Directive> sound;
    sound.reserve(all.size());
    for (DirectiveRecord& record : all) {
        const std::string name = "directive " + number(record.id);
        if (auto directive = sound_directive(std::move(record), root)) {
            sound.push_back(std::move(*directive));
        } else {
            findings.push_back(name + ": " + directive.error());
        }
    }
    return sound;
}

std::optional<StoredAnalysis> read_analysis(const storage::Store& store, AnalysisRecord record,
                                            std::vector<std::string>& findings) {
    const std::string name = "analysis " + number(static_cast<std::int64_t>(record.id));
    const auto root = root_of(record);
    if (!root) {
        findings.push_back(name + ": " + root.error());
        return std::nullopt;
    }
    StoredAnalysis read{std::move(record), *root, {}, {}, {}, {}, {}};
    const auto part = [&](const char* what, const auto& take) {
        try {
            take();
        } catch (const storage::StoreError& error) {
            if (!error.damage()) {
                throw;
            }
            findings.push_back(name + ": its " + what + " cannot be read: " + error.what());
        }
    };
    std::vector<std::string> parameters;
    read.spec = parse_spec(read.record.parameters, &parameters);
    for (const std::string& finding : parameters) {
        findings.push_back(name + ": parameters: " + finding);
    }
    read.record.priority = std::clamp(read.record.priority, -most_priority, most_priority);
    const std::size_t before = findings.size();
    part("directives",
         [&] { read.directives = read_directives(store, read.record.id, root->root, findings); });
    if (findings.size() > before && !store.environment().damage.empty()) {
        read.lost = findings.back(); // not a row or two: nobody knows how many
    }
    const auto damaged = [&](const std::string& row) { findings.push_back(row); };
    part("snapshots", [&] { read.snapshots = store.snapshots(read.record.id, damaged); });
    std::erase_if(read.snapshots, [&](const SnapshotRecord& snapshot) {
        const std::string trouble = snapshot_trouble(snapshot);
        if (!trouble.empty()) {
            findings.push_back("snapshot " + number(snapshot.id) + ": " + trouble);
        }
        return !trouble.empty();
    });
    part("usage", [&] { read.usage = store.usage(read.record.id, damaged); });
    read.usage.analysis = read.record.id;
    return read;
}

std::string to_text(const Snapshot& snapshot) {
    const chess::Color mover = snapshot.root.turn();
    json out = rules_json(snapshot.limit, snapshot.strategy, snapshot.accept, snapshot.moved_to,
                          snapshot.renewed);
    out["evaluations"] = snapshot.evaluations;
    out["positions"] = snapshot.positions;
    out["nodes"] = snapshot.nodes;
    out["engine_seconds"] = static_cast<double>(snapshot.engine_ms) / 1000.0;
    out["engine"] = base::to_utf8(snapshot.engine); // a store may have any bytes
    out["best"] = snapshot.best;
    if (const auto& said = snapshot.said) {
        out["said"] = {{"best", said->best},
                       {"nodes", said->nodes},
                       {"group", std::to_underlying(said->kind.group)},
                       {"size", said->kind.size},
                       {"cost", said->cost},
                       {"chance", said->chance}};
    }
    out["alpha"] = score_json(snapshot.alpha, mover);
    out["idea"] = score_json(snapshot.idea, mover);
    json moves = json::array();
    for (const Snapshot::Move& move : snapshot.moves) {
        json entry = move_json(snapshot.root, move.move);
        entry["alpha"] = score_json(move.alpha, mover);
        entry["idea"] = score_json(move.idea, mover);
        moves.push_back(std::move(entry));
    }
    out["moves"] = std::move(moves);
    json pv = json::array();
    chess::Position position = snapshot.root;
    for (const chess::Move move : snapshot.pv) {
        pv.push_back(chess::to_san(position, move));
        position.play(move);
    }
    out["pv"] = std::move(pv);
    return out.dump();
}

std::string rules_text(const analysis::Limit& limit, const analysis::StrategyParameters& strategy,
                       const std::vector<std::string>& accept, const std::string& moved_to,
                       analysis::UnixMs renewed) {
    return rules_json(limit, strategy, accept, moved_to, renewed).dump();
}

NotedSnapshot::NotedSnapshot(SnapshotRecord record) : SnapshotRecord{std::move(record)} {
    const json in = json::parse(data, nullptr, false);
    rules = rules_of_snapshot(in);
    if (in.is_object()) {
        evaluations = in.value("evaluations", std::uint64_t{0});
        nodes = in.value("nodes", 0.0);
        engine = in.value("engine", "");
        best = in.value("best", "");
        if (const json told = in.value("said", json{}); is_said(told)) {
            const auto amount = [&](const char* name) { return told[name].get<double>(); };
            const auto group = static_cast<analysis::AnswerGroup>(amount("group"));
            const int size = static_cast<int>(std::min(amount("size"), 1e6));
            said = ToldAnswer{told["best"].get<std::string>(),
                              amount("nodes"),
                              {group, size},
                              amount("cost"),
                              amount("chance")};
        }
        for (const char* name : {"alpha", "idea", "pv"}) {
            values += in.value(name, json{}).dump() + "\n";
        }
        std::set<std::string> moves; // in whatever order they were found
        for (const json& move : in.value("moves", json{})) {
            moves.insert(move.dump() + "\n");
        }
        std::ranges::for_each(moves, [&](const auto& move) { values += move; });
    }
}

} // namespace adjourn::server
