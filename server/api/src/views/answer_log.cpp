#include "api/views/answer_log.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace adjourn::server {

using analysis::AnalysisId;
using analysis::UnixMs;
using nlohmann::json;

namespace {

std::optional<AnswerLog::Seen> seen_of(const json& one) {
    const auto text = [&](const char* name) {
        const auto found = one.find(name);
        return found != one.end() && found->is_string() ? found->get<std::string>() : "";
    };
    const auto number = [&](const char* name) {
        const auto found = one.find(name);
        return found != one.end() && found->is_number_integer() ? found->get<UnixMs>() : 0;
    };
    if (!one.is_object()) {
        return std::nullopt;
    }
    const std::string letter = text("letter");
    AnswerLog::Seen seen{text("root"),
                         text("best"),
                         letter.size() == 1 ? letter.front() : ' ',
                         static_cast<int>(std::clamp<UnixMs>(number("percent"), 0, 100)),
                         number("from"),
                         number("until"),
                         0};
    if (seen.root.empty() || seen.best.empty() || seen.letter < 'A' || seen.letter > 'F') {
        return std::nullopt;
    }
    return seen;
}

std::optional<std::int64_t> id_of(const std::string& name) {
    std::int64_t id = 0;
    const auto [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), id);
    return wrong == std::errc{} && end == name.data() + name.size() ? std::optional{id}
                                                                    : std::nullopt;
}

} // namespace

AnswerLog::AnswerLog(const std::string& kept) {
    const json parsed = json::parse(kept, nullptr, false);
    if (!parsed.is_object()) {
        return;
    }
    for (const auto& [name, list] : parsed.items()) {
        const auto id = id_of(name);
        if (!id || !list.is_array()) {
            continue;
        }
        for (const json& one : list) {
            if (auto seen = seen_of(one)) {
                const UnixMs from = seen->from;
                see(AnalysisId{*id}, std::move(*seen));
                seen_[AnalysisId{*id}].back().from =
                    std::min(from, seen_[AnalysisId{*id}].back().from);
            }
        }
    }
}

void AnswerLog::see(AnalysisId id, Seen now) {
    std::deque<Seen>& all = seen_[id];
    if (!all.empty() && all.back().root != now.root) {
        all.clear();
    }
    if (!all.empty() && all.back().best == now.best && all.back().letter == now.letter) {
        now.from = all.back().from;
        all.back() = std::move(now);
        return;
    }
    now.from = now.until;
    all.push_back(std::move(now));
    if (all.size() > most) {
        all.pop_front();
    }
}

const AnswerLog::Seen* AnswerLog::latest(AnalysisId id, const std::string& root) const {
    const auto found = seen_.find(id);
    return found == seen_.end() || found->second.back().root != root ? nullptr
                                                                     : &found->second.back();
}

const AnswerLog::Seen* AnswerLog::at(AnalysisId id, const std::string& root, UnixMs moment) const {
    if (latest(id, root) == nullptr) {
        return nullptr;
    }
    const std::deque<Seen>& all = seen_.at(id);
    const auto after =
        std::ranges::find_if(all, [moment](const Seen& seen) { return seen.from > moment; });
    return after == all.begin() ? &*after : &*(after - 1);
}

UnixMs AnswerLog::letter_since(AnalysisId id) const {
    const std::deque<Seen>& all = seen_.at(id);
    auto first = all.rbegin();
    while (first + 1 != all.rend() && (first + 1)->letter == first->letter) {
        ++first;
    }
    return first->from;
}

UnixMs AnswerLog::best_since(AnalysisId id) const {
    const std::deque<Seen>& all = seen_.at(id);
    auto first = all.rbegin();
    while (first + 1 != all.rend() && (first + 1)->best == first->best) {
        ++first;
    }
    return first->from;
}

UnixMs AnswerLog::other_until(AnalysisId id) const {
    const std::deque<Seen>& all = seen_.at(id);
    const auto other = std::ranges::find_if(
        all.rbegin(), all.rend(), [&](const Seen& seen) { return seen.best != all.back().best; });
    return other == all.rend() ? 0 : other->until;
}

void AnswerLog::keep_only(const std::vector<AnalysisId>& ids) {
    std::erase_if(
        seen_, [&ids](const auto& one) { return std::ranges::find(ids, one.first) == ids.end(); });
}

std::string AnswerLog::text() const {
    json kept = json::object();
    for (const auto& [id, all] : seen_) {
        json& list = kept[std::to_string(static_cast<std::int64_t>(id))] = json::array();
        for (const Seen& seen : all) {
            list.push_back({{"root", seen.root},
                            {"best", seen.best},
                            {"letter", std::string(1, seen.letter)},
                            {"percent", seen.percent},
                            {"from", seen.from},
                            {"until", seen.until}});
        }
    }
    return kept.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace adjourn::server
