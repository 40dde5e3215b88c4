// Request bodies: nothing may crash, and every problem can be told as JSON.
// Sources: server/requests, and base/json_text.
#include "requests/json.hpp"

#include <cstdint>
#include <cstdlib>

using namespace adjourn::http;

namespace {

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void read(ObjectReader reader, int depth) {
    reader.optional_text("name");
    reader.optional_integer("priority", -9, 9);
    reader.optional_number("weight", 0, 1);
    reader.optional_boolean("hold");
    (void)reader.choice("kind", {"halving", "uniform"});
    reader.is_null("window");
    if (const auto moves = reader.array("moves", 10)) {
        for (const auto& move : *moves) {
            if (!move.text() && depth < 100) {
                read(move.object(), depth + 1);
            }
        }
    }
    if (auto position = reader.optional_object("position"); position && depth < 100) {
        read(*position, depth + 1);
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
    ObjectReader reader(*body);
    read(reader, 0);
    if (const auto ok = reader.finish(); !ok) {
        require(nlohmann::json::accept(to_response(ok.error()).body));
    }
    return 0;
}
