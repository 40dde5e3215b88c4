// Profiles of engines that are not there, for tests with several of them.
#pragma once

#include "engine_bridge/process/profile.hpp"

#include <string>

namespace adjourn::server {

inline engine_bridge::Profile profile_of(const std::string& name, const std::string& command) {
    engine_bridge::Profile profile;
    profile.name = name;
    profile.command = {command};
    profile.count = 2;
    return profile;
}

} // namespace adjourn::server
