// What clouds say of a position, beside what the tree says.
#include "api/cloud/cloud_answer.hpp"
#include "api/views/view.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <limits>

namespace adjourn::server {

using nlohmann::json;

namespace {

struct CloudWords {
    json entry = nullptr;                       // {uci, san, cloud}
    int best = std::numeric_limits<int>::min(); // rank of a score, for the side to move
    bool good = false;                          // to be named where no engine has looked
};

} // namespace

void add_clouds(json& node, const chess::Position& here,
                const std::vector<storage::CloudRecord>& known) {
    std::map<std::string, CloudWords> said; // by UCI
    for (const storage::CloudRecord& record : known) {
        const auto moves = read_cloud_answer(record.source, here, 200, record.text);
        if (!moves) { // it does not know the position, or another version has taken it
            continue;
        }
        for (const CloudMove& told : *moves) {
            CloudWords& words = said[chess::to_uci(here, told.move)];
            if (words.entry.is_null()) {
                words.entry = move_json(here, told.move);
            }
            json word{{"source", record.source},
                      {"score", score_json(told.score, here.turn())},
                      {"at", record.at}};
            if (told.rank) {
                word["rank"] = *told.rank;
            }
            if (told.depth) {
                word["depth"] = *told.depth;
            }
            words.entry["cloud"].push_back(std::move(word));
            words.best = std::max(words.best, told.score.rank());
            words.good = words.good || told.rank != 0;
        }
    }
    const auto words_of = [&](const json& row) { return said.find(row["uci"].get<std::string>()); };
    const auto best_of = [&](const json& row) {
        const auto words = words_of(row);
        return words == said.end() ? std::numeric_limits<int>::min() : words->second.best;
    };
    json& rows = node["moves"];
    const auto unscored = std::find_if(rows.begin(), rows.end(),
                                       [](const json& row) { return row["alpha"].is_null(); });
    std::stable_sort(unscored, rows.end(), [&](const json& one, const json& other) {
        return best_of(one) > best_of(other);
    });
    for (json& row : rows) {
        if (const auto words = words_of(row); words != said.end()) {
            row["cloud"] = words->second.entry["cloud"];
            said.erase(words);
        }
    }
    std::erase_if(said, [](const auto& words) { return !words.second.good; });
    std::vector<CloudWords> others;
    for (auto& [uci, words] : said) {
        others.push_back(std::move(words));
    }
    std::ranges::stable_sort(others, std::ranges::greater{}, &CloudWords::best);
    for (CloudWords& words : others) {
        node["cloud_moves"].push_back(std::move(words.entry));
    }
}

} // namespace adjourn::server
