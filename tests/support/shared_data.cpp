#include "shared_data.hpp"

#include <catch2/catch.hpp>

#include <iostream>

namespace adjourn {

bool has_all_data() {
    return std::filesystem::is_directory(ADJOURN_SHARED_DATA);
}

std::filesystem::path data_root() {
    return has_all_data() ? ADJOURN_SHARED_DATA : ADJOURN_TEST_DATA "/sample";
}

void skip(const std::string& reason) {
    // A line of its own, whatever Catch is told to print.
    std::cout << "\nskipped: " << Catch::getResultCapture().getCurrentTestName() << ": " << reason
              << std::endl;
}

} // namespace adjourn
