// `adjourn completions` and `adjourn manual`: both are made from what the parser knows of the
// commands, as --help is, so they cannot lag behind it.
#include "command.hpp"

#include "base/text.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

using base::replaced;

namespace {

// One option of a command, or one of its positional words (no names).
struct ShellOption {
    std::vector<std::string> names; // "--data", "-o"
    std::string help;
    std::string value; // "DIR"; "" = takes none
    std::vector<std::string> choices;

    bool is_path() const {
        return value.find("FILE") != std::string::npos || value.find("DIR") != std::string::npos;
    }
};

struct ShellCommand {
    std::vector<std::string> path; // {"tables", "build"}
    std::string help;
    std::vector<ShellOption> options;
    std::vector<ShellOption> words;
    std::vector<std::pair<std::string, std::string>> commands; // below it: name, help
};

// "TEXT:{pgn,epd}" → pgn, epd.
std::vector<std::string> choices_in(const std::string& type) {
    const auto open = type.find('{');
    const auto close = type.find('}', open);
    std::vector<std::string> choices;
    if (open != std::string::npos && close != std::string::npos) {
        base::for_each_element(
            std::string_view{type}.substr(open + 1, close - open - 1), ',',
            [&](std::string_view each) { choices.emplace_back(each.substr(0, each.find("->"))); });
    }
    return choices;
}

ShellOption described(const CLI::Option& option) {
    ShellOption result;
    for (const std::string& name : option.get_lnames()) {
        result.names.push_back("--" + name);
    }
    for (const std::string& name : option.get_snames()) {
        result.names.push_back("-" + name);
    }
    result.help = option.get_description();
    if (option.get_items_expected_max() > 0 || option.get_positional()) {
        const std::string type = option.get_type_name();
        result.value =
            option.get_positional() ? option.get_name(true) : type.substr(0, type.find(":{"));
        result.choices = choices_in(type);
    }
    return result;
}

void describe(const CLI::App& app, const std::vector<std::string>& path,
              std::vector<ShellCommand>& all) {
    ShellCommand command{path, app.get_description(), {}, {}, {}};
    for (const CLI::Option* option : app.get_options()) {
        (option->get_positional() ? command.words : command.options).push_back(described(*option));
    }
    const auto below = app.get_subcommands(nullptr);
    for (const CLI::App* each : below) {
        command.commands.emplace_back(each->get_name(), each->get_description());
    }
    all.push_back(std::move(command));
    for (const CLI::App* each : below) {
        std::vector<std::string> deeper = path;
        deeper.push_back(each->get_name());
        describe(*each, deeper, all);
    }
}

std::vector<ShellCommand> commands_of(const CLI::App& app) {
    std::vector<ShellCommand> all;
    describe(app, {}, all);
    return all;
}

std::string path_text(const ShellCommand& command) {
    return fmt::format("{}", fmt::join(command.path, " "));
}

std::string words_after(const ShellCommand& command) {
    std::string words;
    for (const auto& [name, help] : command.commands) {
        words += name + " ";
    }
    for (const ShellOption& word : command.words) {
        words += word.choices.empty() ? "" : fmt::format("{} ", fmt::join(word.choices, " "));
    }
    for (const ShellOption& option : command.options) {
        words += fmt::format("{} ", fmt::join(option.names, " "));
    }
    return words;
}

std::string bash_script(const std::vector<ShellCommand>& all) {
    std::string known;
    std::string values;
    std::string words;
    for (const ShellCommand& command : all) {
        const std::string path = path_text(command);
        known += path.empty() ? "" : (known.empty() ? "" : "|") + fmt::format("\"{}\"", path);
        words += fmt::format("    \"{}\") words=\"{}\"{} ;;\n", path, words_after(command),
                             command.words.empty() ? "" : " files=1");
        for (const ShellOption& option : command.options) {
            if (option.value.empty()) {
                continue;
            }
            const std::string how =
                !option.choices.empty()
                    ? fmt::format("compgen -W \"{}\"", fmt::join(option.choices, " "))
                : option.is_path() ? "compgen -f"
                                   : "compgen -W \"\"";
            for (const std::string& name : option.names) {
                values += fmt::format(
                    "    \"{} {}\") mapfile -t COMPREPLY < <({} -- \"$cur\"); return ;;\n", path,
                    name, how);
            }
        }
    }
    return "# bash completion for adjourn\n"
           "_adjourn() {\n"
           "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path= words= "
           "files= i\n"
           "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "    case \"${path:+$path }${COMP_WORDS[i]}\" in\n"
           "    " +
           known +
           ") path=\"${path:+$path }${COMP_WORDS[i]}\" ;;\n"
           "    esac\n"
           "  done\n"
           "  case \"$path $prev\" in\n" +
           values +
           "  esac\n"
           "  case \"$path\" in\n" +
           words +
           "  esac\n"
           "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\"; [[ -z $files || $cur == "
           "-* ]] "
           "|| compgen -f -- \"$cur\")\n"
           "}\n"
           "complete -o filenames -F _adjourn adjourn\n";
}

std::string quoted(const std::string& text) { // for single quotes of zsh and fish
    return replaced(text, "'", "’");
}

std::string zsh_script(const std::vector<ShellCommand>& all) {
    const auto specs = [](const ShellCommand& command) {
        std::string text;
        for (const ShellOption& option : command.options) {
            const std::string help = quoted(replaced(replaced(option.help, "[", "("), "]", ")"));
            const std::string value =
                option.value.empty() ? ""
                : !option.choices.empty()
                    ? fmt::format(":{}:({})", option.value, fmt::join(option.choices, " "))
                : option.is_path() ? ":" + option.value + ":_files"
                                   : ":" + option.value + ": ";
            for (const std::string& name : option.names) {
                text +=
                    fmt::format(" \\\n      '{}[{}]{}'", name, replaced(help, ":", "\\:"), value);
            }
        }
        return text;
    };
    std::string out = "#compdef adjourn\n# zsh completion for adjourn\n\n";
    for (const ShellCommand& command : all) {
        std::string name = "_adjourn";
        for (const std::string& word : command.path) {
            name += "_" + word;
        }
        out += name + "() {\n  local context state line\n  typeset -A opt_args\n";
        if (command.commands.empty()) {
            out += "  _arguments" + specs(command) + " \\\n      '*:FILE:_files'\n}\n\n";
            continue;
        }
        out += "  _arguments -C" + specs(command) +
               " \\\n      '1: :->command' '*:: :->rest'\n"
               "  case $state in\n  command)\n    local -a commands\n    commands=(\n";
        std::string cases;
        for (const auto& [below, help] : command.commands) {
            out += fmt::format("      '{}:{}'\n", below, quoted(replaced(help, ":", "\\:")));
            cases += fmt::format("    {}) {}_{} ;;\n", below, name, below);
        }
        out += "    )\n    _describe command commands ;;\n  rest)\n    case $line[1] in\n" + cases +
               "    esac ;;\n  esac\n}\n\n";
    }
    return out + "_adjourn \"$@\"\n";
}

std::string fish_script(const std::vector<ShellCommand>& all) {
    std::string out = "# fish completion for adjourn\n";
    for (const ShellCommand& command : all) {
        std::string when;
        for (const std::string& word : command.path) {
            when += (when.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
        }
        if (!command.commands.empty()) {
            std::string names;
            for (const auto& [name, help] : command.commands) {
                names += " " + name;
            }
            const std::string none = "not __fish_seen_subcommand_from" + names;
            for (const auto& [name, help] : command.commands) {
                out += fmt::format("complete -c adjourn -f -n '{}{}' -a {} -d '{}'\n",
                                   when.empty() ? "" : when + "; and ", none, name, quoted(help));
            }
        }
        for (const ShellOption& option : command.options) {
            std::string names;
            for (const std::string& name : option.names) {
                names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            const std::string value =
                option.value.empty() ? ""
                : !option.choices.empty()
                    ? fmt::format(" -x -a '{}'", fmt::join(option.choices, " "))
                : option.is_path() ? " -r"
                                   : " -x";
            out += fmt::format("complete -c adjourn{}{}{} -d '{}'\n",
                               when.empty() ? "" : " -n '" + when + "'", names, value,
                               quoted(option.help));
        }
    }
    return out;
}

// roff(7): a backslash, and a point or quote at the start of a line, mean something.
std::string roff(const std::string& text) {
    return "\\&" + replaced(replaced(replaced(text, "\\", "\\\\"), "-", "\\-"), "\n", "\n\\&");
}

// What --help says of all commands.
std::string manual_of(const CLI::App& app, const std::string& path) {
    std::string out;
    for (const CLI::App* each : app.get_subcommands(nullptr)) {
        const std::string name = path + " " + each->get_name();
        out += ".SS \"" + roff(name) + "\"\n.nf\n" + roff(each->help(path)) + "\n.fi\n" +
               manual_of(*each, name);
    }
    return out;
}

std::string manual(const CLI::App& app) {
    return ".TH ADJOURN 1 \"\" \"adjourn " ADJOURN_VERSION "\" \"User Commands\"\n"
           ".SH NAME\nadjourn \\- persistent deep\\-analysis server for chess\n"
           ".SH SYNOPSIS\n.B adjourn\n.I COMMAND\n[\\fIOPTION\\fR]...\n.SH DESCRIPTION\n"
           "Adjourn asks UCI engines about positions, keeps every answer, grows an analysis tree, "
           "and shows it in a web page.\n.SH COMMANDS\n" +
           manual_of(app, "adjourn") +
           ".SH FILES\n.TP\n.I ~/.config/adjourn/adjourn.toml\nconfiguration\n.TP\n"
           ".I ~/.local/share/adjourn/\ndata\n"
           ".SH EXIT STATUS\n0 done, 1 failed, 2 wrong words.\n";
}

} // namespace

void add_completions(CLI::App& app, Chosen& chosen) {
    auto shell = std::make_shared<std::string>();
    CLI::App* completions =
        app.add_subcommand("completions", "print what completes commands in a shell");
    completions->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    completions->callback([&app, shell, &chosen] {
        chosen = [&app, shell] {
            const auto all = commands_of(app);
            std::cout << (*shell == "bash"  ? bash_script(all)
                          : *shell == "zsh" ? zsh_script(all)
                                            : fish_script(all));
            return exit_done;
        };
    });
    app.add_subcommand("manual", "print the manual page, for man")->callback([&app, &chosen] {
        chosen = [&app] {
            std::cout << manual(app);
            return exit_done;
        };
    });
}

} // namespace adjourn::server
