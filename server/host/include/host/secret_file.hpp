// A file that holds a secret: one line, and nobody else can read it.
#pragma once

#include <expected>
#include <string>

namespace adjourn::server {

// The line without blanks at its ends. The error is for people and names the file.
std::expected<std::string, std::string> read_secret(const std::string& file);

} // namespace adjourn::server
