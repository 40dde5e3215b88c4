// Any sequence of requests, made from the API's own description, gets answers that it names.
#include "described_server.hpp"

#include <spdlog/spdlog.h>

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
    spdlog::set_level(spdlog::level::off);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static adjourn::server::DescribedServer server;
    static std::map<int, std::size_t> answers;
    const std::string wrong = server.run({data, size}, answers);
    if (!wrong.empty()) {
        std::fprintf(stderr, "%s\n", wrong.c_str());
        std::abort();
    }
    return 0;
}
