// EPD records into seeds and evaluations.
#include "files/import/import.hpp"

#include "base/line_reader.hpp"
#include "chess/epd.hpp"

#include <algorithm>

namespace adjourn::server {

namespace {

analysis::Limit limit_of(const chess::EpdVerdict& verdict) {
    using Kind = analysis::Limit::Kind;
    if (verdict.depth.value_or(0) > 0) {
        return {Kind::depth, static_cast<std::uint64_t>(*verdict.depth)};
    }
    if (verdict.nodes.value_or(0) > 0) {
        return {Kind::nodes, *verdict.nodes};
    }
    if (verdict.seconds.value_or(0) > 0) {
        return {Kind::movetime, std::min<std::uint64_t>(*verdict.seconds, 1'000'000) * 1'000};
    }
    return {Kind::depth, 1}; // nothing is known of the effort: anything else is better
}

void take_score(const chess::EpdRecord& record, const chess::EpdVerdict& verdict,
                ImportSink& sink) {
    analysis::Evaluation fact;
    fact.question.position = record.position.packed();
    fact.question.limit = limit_of(verdict);
    fact.score = verdict.score;
    fact.depth = std::max(verdict.depth.value_or(0), 0);
    fact.nodes = verdict.nodes.value_or(0);
    fact.pv = verdict.pv;
    if (fact.pv.empty() && !verdict.best.empty()) {
        fact.pv = {verdict.best.front()};
    }
    if (!fact.pv.empty()) {
        fact.move = fact.pv.front();
    }
    sink.fact(std::move(fact), ImportSource::epd);
}

// The best moves, and the line that one of them begins.
bool take_seeds(const chess::EpdRecord& record, const chess::EpdVerdict& verdict,
                ImportSink& sink) {
    bool took = false;
    const auto take = [&](const chess::Position& position, chess::Move move, std::size_t plies) {
        if (sink.wants_seed(position.turn(), plies)) {
            sink.seed(position, move);
            took = true;
        }
    };
    for (const chess::Move move : verdict.best) {
        take(record.position, move, 0);
    }
    chess::Position position = record.position;
    for (std::size_t ply = 0; ply < verdict.pv.size(); ++ply) {
        take(position, verdict.pv[ply], ply);
        position.play(verdict.pv[ply]);
    }
    return took;
}

} // namespace

void read_epd(std::istream& in, ImportSink& sink) {
    base::LineReader lines{in};
    std::size_t comments = 0;
    std::size_t first_comment = 0; // its line
    while (lines.next()) {
        const std::size_t line = lines.number();
        if (chess::is_epd_comment(lines.text())) {
            if (lines.text().find_first_of("#;/") != std::string_view::npos && comments++ == 0) {
                first_comment = line;
            }
            continue;
        }
        const std::size_t number = ++sink.report.records;
        if (lines.too_long()) {
            sink.error(number, line, base::LineReader::trouble());
            continue;
        }
        const auto record = chess::parse_epd(lines.text());
        if (!record) {
            sink.error(number, line, record.error());
            continue;
        }
        for (const chess::EpdNote& note : record->told) {
            sink.warning(number, line, to_text(note));
        }
        const auto verdict = chess::verdict_of(*record);
        if (!verdict) {
            sink.error(number, line, verdict.error());
            continue;
        }
        const bool can_move = record->position.has_legal_move();
        if (can_move && verdict->score == chess::Score::mated_in(0)) {
            sink.error(number, line, "the score says mate, and the side to move is not mated");
            continue;
        }
        sink.report.moves += verdict->best.empty() && verdict->pv.empty() ? 0 : 1;
        bool took = take_seeds(*record, *verdict, sink);
        if (verdict->score && can_move) {
            take_score(*record, *verdict, sink);
            took = true;
        }
        sink.report.skipped += took ? 0 : 1;
    }
    if (comments > 0) {
        sink.warning(sink.report.records, first_comment,
                     "left out as comments, from here on: " + std::to_string(comments) +
                         (comments == 1 ? " line" : " lines"));
    }
}

} // namespace adjourn::server
