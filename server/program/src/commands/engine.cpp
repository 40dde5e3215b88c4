#include "command.hpp"

#include "engine/conversation.hpp"

#include <iostream>

namespace adjourn::server {

void add_engine(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("engine", "the built-in engine (UCI), which needs nothing installed");
    command->callback([&chosen] {
        chosen = [] {
            engine::converse(std::cin, std::cout);
            return exit_done;
        };
    });
}

} // namespace adjourn::server
