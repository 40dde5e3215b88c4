#include "program/cli/progress.hpp"

#include "base/standard_streams.hpp"

#include <spdlog/fmt/fmt.h>

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace adjourn::server {

using nlohmann::json;

std::string score_text(const json& score) {
    if (score.is_null()) {
        return "–";
    }
    if (score.contains("cp")) {
        return fmt::format("{:+.2f}", score["cp"].get<int>() / 100.0);
    }
    if (score.contains("mate")) {
        return fmt::format("#{}", score["mate"].get<int>());
    }
    return fmt::format("TB {} ({})", score["tb"].get<std::string>(), score["dtz"].get<int>());
}

Bar::Bar(std::string what) : what_{std::move(what)}, terminal_{isatty(STDERR_FILENO) != 0} {}

void Bar::show(std::uint64_t done, std::uint64_t of) {
    const int percent = static_cast<int>(100 * std::min(done, of) / std::max<std::uint64_t>(of, 1));
    if (!terminal_ || percent == percent_) {
        return;
    }
    percent_ = percent;
    constexpr int cells = 24;
    std::string cells_text;
    for (int i = 0; i < cells; ++i) {
        cells_text += i < cells * percent / 100 ? '#' : '.';
    }
    base::rewrite_line(what_ + " [" + cells_text + "] " + std::to_string(percent) + " %");
}

std::function<void(std::uint64_t, std::uint64_t)> Bar::advance() {
    return [this](std::uint64_t done, std::uint64_t of) { show(done, of); };
}

void Bar::end() {
    if (percent_ >= 0) {
        base::rewrite_line(std::string(what_.size() + 40, ' '));
        base::rewrite_line("");
        percent_ = -1;
    }
}

} // namespace adjourn::server
