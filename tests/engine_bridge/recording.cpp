#include "recording.hpp"

#include "chess/notation.hpp"
#include "chess/uci/command.hpp"
#include "shared_data.hpp"
#include "test.hpp"

namespace adjourn::engine_bridge {
namespace {

// Ours since we keep them, and those of the data that is not all here.
const std::filesystem::path directories[] = {"tests/data/recorded", data_root() / "uci/recorded"};

Recording read(const std::filesystem::path& path) {
    Recording recording{path.stem(), {}};
    std::ifstream file{path, std::ios::binary};
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t mark = line.find_first_of("<>!");
        if (mark == line.npos || mark + 2 > line.size()) {
            continue;
        }
        std::istringstream time{line.substr(0, mark)};
        double ms = 0;
        time >> ms;
        recording.lines.push_back({ms, line[mark], line.substr(mark + 2)});
    }
    return recording;
}

std::optional<chess::Position> position_of(const std::string& command) {
    const auto parsed = chess::uci::parse(command);
    const auto* const game = std::get_if<chess::uci::Game>(&parsed);
    const bool sound = game != nullptr && game->problem.empty() && game->notes.empty();
    return sound ? std::optional{game->position} : std::nullopt;
}

std::optional<Search> search_of(const std::string& command, const chess::Position& position) {
    std::istringstream words{command};
    std::string word;
    std::string kind;
    std::uint64_t amount = 0;
    words >> word >> kind >> amount;
    using Kind = chess::Limit::Kind;
    Search search{position, {}, {}};
    if (kind == "depth" || kind == "nodes" || kind == "movetime") {
        search.limit = {kind == "depth"   ? Kind::depth
                        : kind == "nodes" ? Kind::nodes
                                          : Kind::movetime,
                        amount};
    } else {
        return std::nullopt;
    }
    words >> word;
    while (words >> word) {
        const auto move = parse_uci(position, word);
        if (!move) {
            return std::nullopt;
        }
        search.searchmoves.push_back(*move);
    }
    return search;
}

Session::Time at(double ms) {
    return Session::Time{} + std::chrono::duration_cast<Session::Time::duration>(
                                 std::chrono::duration<double, std::milli>{ms});
}

} // namespace

std::vector<Recording> recordings() {
    std::vector<Recording> result;
    for (const auto& directory : directories) {
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator{directory, none}) {
            result.push_back(read(entry.path()));
        }
    }
    std::ranges::sort(result, {}, &Recording::name);
    return result;
}

Recording recording(const std::string& name) {
    const auto ours = directories[0] / (name + ".log");
    return read(std::filesystem::exists(ours) ? ours : directories[1] / (name + ".log"));
}

std::vector<Replayed> replay(const Recording& recording) {
    Session session{{"recorded", {"x"}, {}, 1, false}, {}};
    session.start(at(0));
    auto line = recording.lines.begin();
    for (; line != recording.lines.end() && session.state() == Session::State::handshake; ++line) {
        if (line->direction == '<') {
            session.line(line->text, at(line->ms));
        }
    }
    std::vector<Replayed> result;
    session.line("readyok", at(0));
    if (session.state() != Session::State::idle) {
        return result;
    }
    session.take_report();
    std::optional<chess::Position> position;
    for (; line != recording.lines.end(); ++line) {
        if (line->direction == '>' && line->text.starts_with("position")) {
            position = position_of(line->text);
        }
        if (line->direction != '>' || !line->text.starts_with("go") || !position) {
            continue;
        }
        const auto search = search_of(line->text, *position);
        if (!search || session.state() != Session::State::idle) {
            continue;
        }
        session.take_commands();
        session.go(*search, at(line->ms));
        Replayed replayed{*search, {}, {}};
        const auto take_result = [&] {
            if (auto report = session.take_report()) {
                REQUIRE(std::holds_alternative<Result>(*report));
                replayed.result = std::get<Result>(*report);
            }
        };
        take_result();
        for (auto said = line + 1; said != recording.lines.end() && !replayed.result; ++said) {
            if (said->direction == '>' && said->text != "stop" && said->text != "isready") {
                break; // the recording went on to something else
            }
            if (said->direction == '<') {
                if (said->text.find(" score ") != said->text.npos) {
                    replayed.info_with_score.push_back(said->text);
                }
                if (session.state() == Session::State::searching) {
                    session.time(at(said->ms)); // a stop of ours never reached the engine
                }
                session.line(said->text, at(said->ms));
                while (session.state() == Session::State::confirming) {
                    session.line("readyok", at(said->ms)); // nobody asked for it in the recording
                }
                if (session.state() == Session::State::clearing) {
                    session.time(*session.deadline());
                }
                take_result();
            }
        }
        session.take_commands();
        result.push_back(std::move(replayed));
        if (!result.back().result) {
            return result; // it owes a bestmove for ever
        }
    }
    return result;
}

} // namespace adjourn::engine_bridge
