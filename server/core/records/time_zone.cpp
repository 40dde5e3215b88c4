#include "core/records/time_zone.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace adjourn::server {

namespace {

namespace fs = std::filesystem;

constexpr const char* database = "/usr/share/zoneinfo";

// Of the link that tzdata makes: "/usr/share/zoneinfo/Europe/Berlin".
std::string system_zone() {
    std::error_code error;
    const std::string target = fs::read_symlink("/etc/localtime", error).string();
    const std::string mark = "zoneinfo/";
    const auto at = target.find(mark);
    return error || at == std::string::npos ? "" : target.substr(at + mark.size());
}

} // namespace

std::string time_zone_problem(const std::string& name) {
    const bool good =
        !name.empty() && name.front() != '/' && name.find("..") == name.npos &&
        std::ranges::all_of(name, [](unsigned char c) {
            return std::isalnum(c) != 0 || c == '/' || c == '_' || c == '-' || c == '+';
        });
    std::error_code error;
    if (!good || !fs::is_regular_file(fs::path{database} / name, error)) {
        return "there is no time zone '" + name + "' in " + database +
               "; write it as \"Europe/Berlin\"";
    }
    return "";
}

std::expected<void, std::string> use_time_zone(const std::string& name) {
    if (std::string problem = time_zone_problem(name); !problem.empty()) {
        return std::unexpected(std::move(problem));
    }
    setenv("TZ", (":" + name).c_str(), 1);
    tzset();
    return {};
}

TimeZone time_zone(analysis::UnixMs at) {
    const std::time_t seconds = at / 1000;
    std::tm local{};
    localtime_r(&seconds, &local);
    const char* set = std::getenv("TZ");
    std::string name = set == nullptr ? system_zone() : *set == ':' ? set + 1 : set;
    if (name.empty()) {
        name = local.tm_zone;
    }
    return {std::move(name), static_cast<int>(local.tm_gmtoff / 60)};
}

} // namespace adjourn::server
