#include "http/tally.hpp"

#include <spdlog/fmt/fmt.h>

#include <cassert>
#include <iterator>

namespace adjourn::http {

void Tally::responded(int status) {
    assert(status >= least_status && status - least_status < static_cast<int>(responses_.size()));
    ++responses_.at(static_cast<std::size_t>(status - least_status));
}

std::string Tally::metrics(std::size_t streams) const {
    std::string text;
    const auto begin = [&](const char* name, const char* type, const char* help) {
        fmt::format_to(std::back_inserter(text), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type,
                       help);
    };
    const auto only = [&](const char* name, const char* type, const char* help,
                          std::uint64_t value) {
        begin(name, type, help);
        fmt::format_to(std::back_inserter(text), "{} {}\n", name, value);
    };
    begin("adjourn_http_responses_total", "counter", "Responses by status; refusals are 4xx.");
    for (std::size_t i = 0; i < responses_.size(); ++i) {
        if (const std::uint64_t count = responses_.at(i); count > 0) {
            fmt::format_to(std::back_inserter(text),
                           "adjourn_http_responses_total{{code=\"{}\"}} {}\n",
                           i + static_cast<std::size_t>(least_status), count);
        }
    }
    only("adjourn_http_connections", "gauge", "Connections that are open.", connections);
    only("adjourn_http_connections_turned_away_total", "counter",
         "Connections answered with 429 since too many were open.", turned_away_);
    only("adjourn_http_wrong_tokens_total", "counter", "Requests with a wrong token or ticket.",
         wrong_tokens_);
    only("adjourn_event_streams", "gauge", "Event streams that are open.", streams);
    only("adjourn_event_bytes_total", "counter", "Bytes of events sent.", event_bytes_);
    return text;
}

} // namespace adjourn::http
