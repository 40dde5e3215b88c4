#include "files/site/site_tree.hpp"

#include <deque>

namespace adjourn::server {

namespace {

// The positions of each chunk, in order.
std::vector<std::vector<std::size_t>> packed_chunks(const std::vector<SitePosition>& positions,
                                                    std::size_t bytes) {
    std::vector<std::vector<std::size_t>> below(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (positions[i].from) {
            below[*positions[i].from].push_back(i);
        }
    }
    std::vector<std::vector<std::size_t>> chunks;
    std::deque<std::size_t> roots; // of subtrees that are in no chunk yet
    if (!positions.empty()) {
        roots.push_back(0);
    }
    std::size_t taken = bytes; // in the last chunk
    while (!roots.empty()) {
        std::deque<std::size_t> open{roots.front()};
        roots.pop_front();
        while (!open.empty()) {
            const SitePosition& next = positions[open.front()];
            const std::size_t size = next.node.size() + next.verdict.size() + 24 * next.to.size();
            const bool begins = open.size() == 1 && taken >= bytes;
            if (begins) {
                chunks.emplace_back();
                taken = 0;
            } else if (taken + size > bytes && !chunks.back().empty()) {
                break;
            }
            chunks.back().push_back(open.front());
            taken += size;
            open.insert(open.end(), below[open.front()].begin(), below[open.front()].end());
            open.pop_front();
        }
        if (!open.empty()) { // full: the rest of this subtree comes next
            taken = bytes;
            roots.insert(roots.begin(), open.begin(), open.end());
        }
    }
    return chunks;
}

} // namespace

SiteChunks site_chunks(const std::vector<SitePosition>& positions, std::size_t bytes) {
    const auto chunks = packed_chunks(positions, bytes);
    std::vector<std::optional<std::size_t>> numbers(positions.size());
    std::size_t number = 0;
    for (const auto& chunk : chunks) {
        for (const std::size_t i : chunk) {
            numbers[i] = number++;
        }
    }
    SiteChunks out;
    for (const auto& chunk : chunks) {
        out.starts.push_back(*numbers[chunk.front()]);
        std::string text = "[";
        for (const std::size_t i : chunk) {
            const SitePosition& position = positions[i];
            text += text.size() == 1 ? "{\"from\":" : ",\n{\"from\":";
            text += position.from ? std::to_string(*numbers[*position.from]) : "null";
            text += ",\"to\":{";
            for (const auto& [uci, target] : position.to) {
                if (numbers[target]) {
                    text += (text.ends_with('{') ? "\"" : ",\"") + uci +
                            "\":" + std::to_string(*numbers[target]);
                }
            }
            text += "},\"node\":" + position.node;
            if (!position.verdict.empty()) {
                text += ",\"verdict\":" + position.verdict;
            }
            text += "}";
        }
        out.texts.push_back(text + "]");
    }
    return out;
}

std::string site_script(const std::string& name, const std::string& json) {
    return "(self.adjournSite = self.adjournSite || []).push([\"" + name + "\"," + json + "]);\n";
}

} // namespace adjourn::server
