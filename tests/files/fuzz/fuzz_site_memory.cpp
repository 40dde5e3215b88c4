// What a site's directory remembers: it is read or refused with words, and what was read is written
// as it was.
#include "files/site/site_directory.hpp"

#include <cstdint>
#include <cstdlib>

using namespace adjourn;

namespace {

void must_hold(bool holds) {
    if (!holds) {
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto memory = server::read_site_memory({reinterpret_cast<const char*>(data), size});
    if (!memory) {
        must_hold(!memory.error().empty());
        return 0;
    }
    const auto again = server::read_site_memory(server::site_memory_text(*memory));
    must_hold(again.has_value() && *again == *memory);
    return 0;
}
