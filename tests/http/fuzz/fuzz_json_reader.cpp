// Request bodies: nothing may crash, and every problem can be told as JSON.
// Sources: server/http/requests, and base/json_text, base/json_reader.
#include "http/requests/message.hpp"

#include <cstdint>
#include <cstdlib>

using namespace adjourn::http;
using adjourn::base::JsonObject;
using adjourn::base::JsonPolicy;

namespace {

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void read(const JsonObject& reader, int depth) {
    (void)reader.find("name").text();
    (void)reader.find("priority").integer(-9, 9);
    (void)reader.find("weight").number(0, 1);
    (void)reader.find("hold").boolean();
    (void)reader.at("kind").choice({"halving", "uniform"});
    (void)reader.is_null("window");
    for (const auto& move : reader.at("moves").items(10)) {
        if (!move.text() && depth < 100) {
            read(move.object(), depth + 1);
        }
    }
    if (const auto position = reader.find("position"); position.there() && depth < 100) {
        read(position.object(), depth + 1);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto body = parse_json({reinterpret_cast<const char*>(data), size});
    if (!body) {
        require(body.error().code == ErrorCode::bad_json);
        require(nlohmann::json::accept(to_response(body.error()).body));
        return 0;
    }
    for (const auto policy : {JsonPolicy::strict, JsonPolicy::lenient}) {
        const JsonObject reader{*body, policy};
        read(reader, 0);
        for (const auto& problem : reader.finish()) {
            require(nlohmann::json::accept(to_response(to_error(problem)).body));
        }
    }
    return 0;
}
