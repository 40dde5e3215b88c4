// What an import has done, for people or as JSON.
#pragma once

#include "files/import/import.hpp"

#include <string>

namespace adjourn::server {

struct ReportedImport {
    ImportFormat format;
    std::string name;          // of the file
    std::int64_t analysis = 0; // 0: none
    bool accept = false;
    bool as_json = false;
};
// To the standard output; what was wrong to the standard error.
void print_report(const ImportReport& report, const ReportedImport& of);

} // namespace adjourn::server
