#include "core/engines/built_in_engine.hpp"

#include "base/program_file.hpp"

#include <filesystem>

namespace adjourn::server {

std::string own_program() {
    namespace fs = std::filesystem;
    const fs::path program = base::program_file();
    std::error_code error;
    // DIR/lib/adjourn with its loader DIR/lib/loader/adjourn (decision 140).
    if (fs::exists(program.parent_path() / "loader" / program.filename(), error)) {
        return (program.parent_path().parent_path() / program.filename()).string();
    }
    return program.string();
}

bool is_built_in(const engine_bridge::Profile& profile) {
    return profile.name == built_in_engine && profile.command.size() == 2 &&
           profile.command[0] == own_program() && profile.command[1] == built_in_command;
}

engine_bridge::Profile built_in_profile(std::size_t processes) {
    engine_bridge::Profile profile;
    profile.name = built_in_engine;
    profile.command = {own_program(), built_in_command};
    profile.count = processes;
    profile.options = {{"Hash", "64"}};
    return profile;
}

} // namespace adjourn::server
