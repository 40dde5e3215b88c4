#include "command.hpp"

#include "program/cli/common.hpp"
#include "uci/front_end.hpp"

#include <spdlog/spdlog.h>

#include <memory>

namespace adjourn::server {

namespace {

int play(const CommonOptions& options) {
    auto config = options.load();
    if (!config) {
        return bad_use(config.error());
    }
    block_stop_signals();
    spdlog::set_level(spdlog::level::err); // what matters is said to the GUI
    const auto location = options.location(*config);
    uci::FrontEnd front_end{std::move(*config), {location, 0, 1, stop_signal_descriptor()}};
    front_end.run();
    return exit_done;
}

} // namespace

void add_uci(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<CommonOptions>();
    CLI::App* command =
        app.add_subcommand("uci", "the deep analysis as a UCI engine, for any chess GUI");
    options->add_store(*command);
    options->add_config(*command);
    command->callback([options, &chosen] { chosen = [options] { return play(*options); }; });
}

} // namespace adjourn::server
