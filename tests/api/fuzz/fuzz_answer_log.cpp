// What a file says of former answers may be anything; what was read of it is written the same way.
#include "api/views/answer_log.hpp"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using adjourn::server::AnswerLog;
    const std::string once = AnswerLog{{reinterpret_cast<const char*>(data), size}}.text();
    const std::string twice = AnswerLog{once}.text();
    if (once != twice) {
        std::fprintf(stderr, "%s\n%s\n", once.c_str(), twice.c_str());
        std::abort();
    }
    return 0;
}
