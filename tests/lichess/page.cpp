#include "page.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

namespace adjourn::server::lichess {

using nlohmann::json;

namespace {

bool is_whole(const std::string& word) {
    return !word.empty() && std::ranges::all_of(word, [](unsigned char c) { return isdigit(c); });
}

} // namespace

bool Page::hear(const std::string& line) {
    lines.push_back(line);
    std::istringstream words{line};
    std::string word;
    words >> word;
    if (word != "info") {
        return word != "bestmove";
    }
    std::map<std::string, std::string> numbers;
    json score;
    bool bound = false;
    std::vector<std::string> moves;
    while (words >> word) {
        if (word == "depth" || word == "seldepth" || word == "multipv" || word == "nodes" ||
            word == "nps" || word == "time" || word == "hashfull" || word == "tbhits") {
            words >> numbers[word];
            if (!is_whole(numbers[word])) {
                broken = line;
                return false;
            }
        } else if (word == "score") {
            std::string kind;
            int value = 0;
            words >> kind >> value;
            if (!words || (kind != "cp" && kind != "mate")) {
                broken = line;
                return false;
            }
            score[kind] = value;
        } else if (word == "lowerbound" || word == "upperbound") {
            bound = true;
        } else if (word == "pv") {
            while (words >> word) {
                moves.push_back(word);
            }
        } else {
            broken = line;
            return false;
        }
    }
    const std::size_t place = numbers.contains("multipv") ? std::stoul(numbers["multipv"]) : 1;
    if (place < 1 || place > 5) {
        broken = line;
        return false;
    }
    if (place == 1) {
        state_.depth = numbers.contains("depth") ? std::stoi(numbers["depth"]) : state_.depth;
        state_.nodes = numbers.contains("nodes") ? std::stoull(numbers["nodes"]) : state_.nodes;
        std::ranges::fill(variations_, std::nullopt);
    }
    variations_.resize(std::max(variations_.size(), place));
    if (!score.is_null() && !moves.empty() && (place > 1 || !bound)) {
        variations_[place - 1] = std::pair{moves, score};
    }
    if (std::ranges::all_of(variations_, [](const auto& each) { return each.has_value(); })) {
        state_.variations.clear();
        state_.scores.clear();
        for (const auto& each : variations_) {
            state_.variations.push_back(each->first);
            state_.scores.push_back(each->second);
        }
        emits.push_back(state_);
    }
    return true;
}

} // namespace adjourn::server::lichess
