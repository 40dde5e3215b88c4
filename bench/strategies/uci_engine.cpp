#include "bench/strategies/uci_engine.hpp"

#include "chess/notation.hpp"
#include "core/engines/installed_engines.hpp"
#include "engine_bridge/process/uci.hpp"

#include <algorithm>
#include <sstream>

namespace adjourn::bench {

namespace uci = engine_bridge::uci;

namespace {

constexpr std::chrono::minutes patience{10}; // without a line

} // namespace

std::vector<std::string> engine_command(const std::string& text) {
    std::istringstream in{text};
    std::vector<std::string> words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    if (words.empty()) {
        words.push_back(server::find_program("stockfish").value_or("stockfish"));
    }
    return words;
}

UciEngine::UciEngine(std::vector<std::string> command, std::map<std::string, std::string> options)
    : pipe_{std::move(command)} {
    pipe_.send("uci");
    std::vector<std::string> known;
    for (;;) {
        const std::string text = line();
        const uci::Line said = uci::parse(text);
        if (const auto* id = std::get_if<uci::Id>(&said)) {
            identity_ += id->field == uci::Id::Field::name ? std::string{id->value} : "";
        } else if (const auto* option = std::get_if<uci::Option>(&said)) {
            known.push_back(option->name);
        } else if (std::holds_alternative<uci::UciOk>(said)) {
            break;
        }
    }
    for (const auto& [name, value] : options) {
        if (std::ranges::any_of(known, [&, &wanted = name](const std::string& text) {
                return uci::equal_ignoring_case(text, wanted);
            })) {
            pipe_.send("setoption name " + name + " value " + value);
            identity_ += " " + name + "=" + value;
        }
    }
    ready();
}

std::string UciEngine::line() {
    return pipe_.line(EnginePipe::Clock::now() + patience);
}

void UciEngine::ready() {
    pipe_.send("isready");
    while (!std::holds_alternative<uci::ReadyOk>(uci::parse(line()))) {
    }
}

void UciEngine::new_game() {
    pipe_.send("ucinewgame");
    ready();
}

Found UciEngine::search(const Query& query) {
    if (query.lines != lines_) {
        lines_ = query.lines;
        pipe_.send("setoption name MultiPV value " + std::to_string(lines_));
    }
    ready();
    pipe_.send(uci::position_command(query.position));
    const auto begin = std::chrono::steady_clock::now();
    const chess::Limit limit{chess::Limit::Kind::nodes, query.nodes};
    pipe_.send(uci::go_command(limit, query.position, query.only, chess::CastlingStyle::standard));
    Found found;
    std::map<int, Found::Line> lines;
    for (;;) {
        const std::string text = line();
        const uci::Line said = uci::parse(text);
        if (std::holds_alternative<uci::BestMove>(said)) {
            break;
        }
        const auto* info = std::get_if<uci::Info>(&said);
        if (info == nullptr || !info->out_of_range.empty()) {
            continue;
        }
        found.nodes = info->nodes.value_or(found.nodes);
        if (info->score && info->bound == chess::Bound::exact && !info->pv.empty()) {
            const auto move = chess::parse_uci(query.position, info->pv.front());
            if (move) {
                found.depth = info->depth.value_or(found.depth);
                lines.insert_or_assign(
                    info->multipv,
                    Found::Line{*move, *uci::to_score(*info->score, info->tbhits > 0)});
            }
        }
    }
    found.ms = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                              std::chrono::steady_clock::now() - begin)
                                              .count());
    for (const auto& [rank, said] : lines) { // a line of an older iteration may name a move twice
        if (std::ranges::none_of(found.lines, [&move = said.move](const Found::Line& other) {
                return other.move == move;
            })) {
            found.lines.push_back(said);
        }
    }
    std::ranges::stable_sort(
        found.lines, [](const Found::Line& a, const Found::Line& b) { return a.score > b.score; });
    return found;
}

} // namespace adjourn::bench
