
#include "files/import/import.hpp"

#include "base/json_reader.hpp"
#include "base/line_reader.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace adjourn::server {

using nlohmann::json;

namespace {

using LineTrouble = std::optional<std::string>; // what is wrong with a line

constexpr std::int64_t most_knodes = 1'000'000'000'000'000;

std::optional<std::int64_t> integer(const json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_number_integer()) {
        return std::nullopt;
    }
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return found->is_number_unsigned() && found->get<std::uint64_t>() > most
               ? most
               : found->get<std::int64_t>();
}

const std::string* text(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get_ptr<const std::string*>()
                                                       : nullptr;
}

const json* array(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_array() ? &*found : nullptr;
}

// From the mover's side.
std::optional<chess::Score> score_of(const json& pv, chess::Color mover) {
    const bool white = mover == chess::Color::white;
    const auto mate = integer(pv, "mate");
    const auto cp = integer(pv, "cp");
    if (pv.contains("mate") == pv.contains("cp") || mate == 0) {
        return std::nullopt;
    }
    // The least number has no negation, and is out of range whoever moves.
    const auto of_mover = [&](std::int64_t told) {
        return white || told == std::numeric_limits<std::int64_t>::min() ? told : -told;
    };
    return mate ? chess::told_mate(of_mover(*mate))
           : cp ? chess::told_cp(of_mover(*cp))
                : std::nullopt;
}

void tell_others(const json& object, const std::string& where,
                 std::initializer_list<std::string_view> known, std::vector<std::string>& told) {
    for (const auto& [name, value] : object.items()) {
        if (std::ranges::find(known, name) == known.end()) {
            told.push_back(where + base::shortened(name, 64) + " is left out: it is unknown");
        }
    }
}

// "is not JSON at line 1, column 2: …", where the line is all that there is.
std::string of_a_line(const std::string& trouble) {
    constexpr std::string_view line = "line 1, ";
    std::string message = "the line " + trouble;
    if (const auto at = message.find(line); at != std::string::npos) {
        message.erase(at, line.size());
    }
    return message;
}

LineTrouble take_eval(const chess::Position& position, const json& eval, const std::string& where,
                      LichessLine& into) {
    const json* pvs = eval.is_object() ? array(eval, "pvs") : nullptr;
    const auto depth = eval.is_object() ? integer(eval, "depth") : std::nullopt;
    if (pvs == nullptr || pvs->empty() || !depth || *depth < 1 || *depth > chess::most_told_depth) {
        return where + ": pvs and a depth of 1 to " + std::to_string(chess::most_told_depth) +
               " are wanted";
    }
    const std::optional<std::int64_t> knodes =
        eval.contains("knodes") ? integer(eval, "knodes") : 0;
    if (!knodes || *knodes < 0 || *knodes > most_knodes) {
        return where + ": knodes of 0 to " + std::to_string(most_knodes) + " are wanted";
    }
    tell_others(eval, where + ".", {"pvs", "depth", "knodes"}, into.told);
    analysis::Evaluation fact;
    fact.question.position = position.packed();
    fact.question.limit = {analysis::Limit::Kind::depth, static_cast<std::uint64_t>(*depth)};
    fact.depth = static_cast<int>(*depth);
    fact.nodes = static_cast<std::uint64_t>(*knodes) * 1'000; // of the search that found all PVs
    for (std::size_t i = 0; i < pvs->size(); ++i) {
        const json& pv = (*pvs)[i];
        const std::string at = where + ".pvs[" + std::to_string(i) + "]";
        const std::string* line = pv.is_object() ? text(pv, "line") : nullptr;
        fact.score = pv.is_object() ? score_of(pv, position.turn()) : std::nullopt;
        if (line == nullptr || !fact.score) {
            return at + ": cp within 29,753 or mate within 246, and line are wanted";
        }
        tell_others(pv, at + ".", {"cp", "mate", "line"}, into.told);
        auto moves = chess::parse_line(position, *line);
        if (!moves) {
            return at + ": " + moves.error().error.message;
        }
        base::Words words{*line};
        for (std::size_t count = 0; count <= moves->size(); ++count) {
            if (words.next().empty() != (count == moves->size())) {
                return at + ": a line of moves alone is wanted";
            }
        }
        auto& excluded = fact.question.excluded;
        if (moves->empty() ||
            std::find(excluded.begin(), excluded.end(), moves->front()) != excluded.end()) {
            return at + ": a move of its own is wanted first";
        }
        fact.pv = std::move(*moves);
        fact.move = fact.pv.front();
        into.facts.push_back(fact);
        fact.nodes = 0;
        excluded.insert(std::lower_bound(excluded.begin(), excluded.end(), *fact.move), *fact.move);
    }
    return std::nullopt;
}

} // namespace

std::expected<LichessLine, std::string> parse_lichess_line(std::string_view line) {
    const auto object = base::parse_json(line);
    if (!object) {
        return std::unexpected(of_a_line(object.error()));
    }
    const std::string* fen = object->is_object() ? text(*object, "fen") : nullptr;
    const json* evals = object->is_object() ? array(*object, "evals") : nullptr;
    if (fen == nullptr || evals == nullptr) {
        return std::unexpected("an object with fen and evals is wanted");
    }
    const auto position = chess::Position::from_fen(*fen);
    if (!position) {
        return std::unexpected("fen: " + position.error().field + ": " + position.error().message);
    }
    LichessLine read;
    tell_others(*object, "", {"fen", "evals"}, read.told);
    for (std::size_t i = 0; i < evals->size(); ++i) {
        if (auto trouble =
                take_eval(*position, (*evals)[i], "evals[" + std::to_string(i) + "]", read)) {
            return std::unexpected(std::move(*trouble));
        }
    }
    return read;
}

void read_lichess(std::istream& in, ImportSink& sink) {
    base::LineReader lines{in};
    while (lines.next()) {
        const std::size_t number = lines.number();
        const std::string_view line = lines.text();
        if (line.find_first_not_of(" \t\r") == std::string_view::npos && !lines.too_long()) {
            continue;
        }
        const std::size_t record = ++sink.report.records;
        if (lines.too_long()) {
            sink.error(record, number, base::LineReader::trouble());
            continue;
        }
        const auto read = parse_lichess_line(line);
        if (!read) {
            sink.error(record, number, read.error());
            continue;
        }
        for (const std::string& told : read->told) {
            sink.warning(record, number, told);
        }
        sink.report.moves += read->facts.size();
        sink.report.skipped += read->facts.empty() ? 1 : 0;
        for (const analysis::Evaluation& fact : read->facts) {
            sink.fact(fact, ImportSource::lichess);
        }
    }
}

} // namespace adjourn::server
