// Request targets, and all that reads headers as text: nothing may crash, and what passes is clean.
// Sources: server/http/requests/{target,query,message,error}.cpp,
// server/http/{access,tokens}.cpp.
#include "http/requests/target.hpp"
#include "http/tokens.hpp"

#include <cstdint>
#include <cstdlib>

using namespace adjourn::http;

namespace {

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    static const AccessPolicy policy("127.0.0.1", 8462, {"adjourn.example.org"});
    static const Tokens tokens({"secret", "reading"});

    if (const auto target = parse_target(text)) {
        require(target->path.starts_with('/'));
        require((target->path + "/").find("/../") == std::string::npos);
        require((target->path + "/").find("/./") == std::string::npos);
        require(target->path.find('\0') == std::string::npos);
        require(target->path.size() <= text.size());

        Request request;
        request.path = target->path;
        request.query = target->query;
        QueryReader query(request);
        query.text("q");
        query.integer("n", -5, 5);
        query.boolean("b");
        query.choice("c", {"x", "y"});
        query.finish();
    } else {
        require(status_of(target.error().code) == 400);
        require(!to_response(target.error()).body.empty());
    }

    if (const auto authority = parse_authority(text)) {
        require(!authority->host.empty() && authority->port != 0);
    }
    if (policy.check_host(text, "127.0.0.1")) {
        require(text.find_first_of("/@\\ ") == std::string_view::npos);
    }
    policy.check_origin(text, "127.0.0.1");
    require(!tokens.check(text) || text.find("secret") != text.npos ||
            text.find("reading") != text.npos);
    check_content_type(text);
    return 0;
}
