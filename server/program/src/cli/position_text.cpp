#include "program/cli/position_text.hpp"

#include "files/openings/openings.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace adjourn::server {

namespace {

namespace fs = std::filesystem;

// The first game or record of a file is meant.
constexpr std::size_t most_read = std::size_t{16} << 20;

std::expected<chess::PositionText, std::string> from_stream(std::istream& in,
                                                            const std::string& name) {
    std::string text(most_read, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (in.bad()) {
        return std::unexpected("cannot read " + name);
    }
    auto position = chess::parse_position_file(text, text.size() == most_read);
    return position ? position
                    : std::expected<chess::PositionText, std::string>{
                          std::unexpected(name + ": " + position.error())};
}

// Nothing that names a position looks like that.
bool names_a_file(const std::string& text) {
    if (std::any_of(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\n'; })) {
        return false;
    }
    const std::string ending = fs::path{text}.extension().string();
    return (text.find('/') != std::string::npos && text.find('_') == std::string::npos) ||
           ending == ".pgn" || ending == ".epd" || ending == ".fen" || ending == ".txt";
}

} // namespace

std::expected<chess::PositionText, std::string> position_of_argument(const std::string& text) {
    if (text == "-") {
        return from_stream(std::cin, "standard input");
    }
    std::error_code error;
    const fs::file_status status = fs::status(text, error);
    if (fs::is_directory(status)) {
        return std::unexpected(text + " is a directory, not a PGN or EPD file");
    }
    if (fs::exists(status)) {
        std::ifstream in{text, std::ios::binary};
        return in ? from_stream(in, text)
                  : std::expected<chess::PositionText, std::string>{
                        std::unexpected("cannot read " + text)};
    }
    if (names_a_file(text)) {
        return std::unexpected("there is no file " + text);
    }
    auto position = parse_root_text(text);
    return position ? position
                    : std::expected<chess::PositionText, std::string>{
                          std::unexpected("position: " + position.error())};
}

} // namespace adjourn::server
