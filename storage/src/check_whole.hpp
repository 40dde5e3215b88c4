// The parts of the check that need no chess: the schema and the checksums.
#pragma once

#include "database.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace adjourn::storage {

// One line each, the first two hundred, and the number of those beyond.
class Findings {
public:
    void add(const std::string& row, const std::string& what);
    std::vector<std::string> take();

private:
    static constexpr std::size_t most = 200;
    std::vector<std::string> lines_;
    std::size_t more_ = 0;
};

std::string row_name(const char* table, std::int64_t id);

void check_schema(Database& database, Findings& findings);
void check_seals(Database& database, Findings& findings);

} // namespace adjourn::storage
