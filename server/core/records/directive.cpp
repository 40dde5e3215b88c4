#include "core/records/directive.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace adjourn::server {

namespace {

constexpr int most_plies_deeper = 100;

using Made = std::expected<Action, std::string>;
using MaybeMove = std::optional<chess::Move>;

// Those that have no text.
template <class Said>
Made plain(MaybeMove move, const std::string& /*text*/) {
    if constexpr (std::is_same_v<Said, Clear>) {
        return Clear{move};
    } else if constexpr (std::is_empty_v<Said>) {
        return Said{};
    } else {
        return Said{*move};
    }
}

Made make_deepen(MaybeMove /*move*/, const std::string& text) {
    if (text.empty()) {
        return Deepen{};
    }
    const auto plies = base::parse_number<int>(text);
    if (!plies || *plies < 1 || *plies > most_plies_deeper) {
        return std::unexpected("its text is no number of plies from 1 to " +
                               std::to_string(most_plies_deeper));
    }
    return Deepen{*plies};
}

Made make_note(MaybeMove /*move*/, const std::string& text) {
    return Note{text};
}

Made make_retract(MaybeMove /*move*/, const std::string& text) {
    const auto at = base::parse_number<analysis::UnixMs>(text);
    if (!at) {
        return std::unexpected(std::string{"its text is no moment"});
    }
    return Retract{*at};
}

bool is_secret(std::string_view text) {
    constexpr std::size_t shortest = 16;
    constexpr std::size_t longest = 64;
    return text.size() >= shortest && text.size() <= longest &&
           std::ranges::all_of(text, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-';
           });
}

Made make_share(MaybeMove /*move*/, const std::string& text) {
    const std::string_view all = text;
    const std::size_t space = std::min(all.find(' '), all.size());
    const std::string_view target = all.substr(0, space);
    const std::size_t slash = std::min(target.find('/'), target.size());
    Share share{std::string{target.substr(0, slash)},
                std::string{all.substr(std::min(space + 1, all.size()))}, 0};
    if (slash < target.size()) {
        share.file = base::parse_number<std::int64_t>(target.substr(slash + 1)).value_or(0);
    }
    if (!is_secret(share.secret) || (slash < target.size()) != (share.file > 0)) {
        return std::unexpected(std::string{"its text is no link"});
    }
    return share;
}

Made make_verify(MaybeMove /*move*/, const std::string& text) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const auto amount =
        base::parse_number<std::uint64_t>(text.substr(std::min(space + 1, text.size())));
    const std::string_view unit = std::string_view{text}.substr(0, space);
    if (!amount || (unit != "evaluations" && unit != "nodes")) {
        return std::unexpected(std::string{"its text is no number of evaluations or nodes"});
    }
    return unit == "nodes" ? Verify{std::nullopt, *amount} : Verify{*amount, std::nullopt};
}

enum class About { position, move, either };

struct ActionRow {
    std::string_view name;
    About about;
    Made (*make)(MaybeMove, const std::string&);
};

// In the order of the variant.
constexpr std::array action_rows{
    ActionRow{"include", About::move, plain<Include>},
    ActionRow{"exclude", About::move, plain<Exclude>},
    ActionRow{"clear", About::either, plain<Clear>},
    ActionRow{"deepen", About::position, make_deepen},
    ActionRow{"now", About::position, plain<Now>},
    ActionRow{"note", About::position, make_note},
    ActionRow{"retract", About::position, make_retract},
    ActionRow{"advance", About::position, plain<Advance>},
    ActionRow{"share", About::position, make_share},
    ActionRow{"verify", About::position, make_verify},
};
static_assert(action_rows.size() == std::variant_size_v<Action>);

constexpr auto all_names = [] {
    std::array<std::string_view, action_rows.size()> names;
    std::ranges::transform(action_rows, names.begin(), &ActionRow::name);
    return names;
}();

const ActionRow* row_named(std::string_view name) {
    const auto found = std::ranges::find(action_rows, name, &ActionRow::name);
    return found == action_rows.end() ? nullptr : &*found;
}

std::string text_of(const Action& action) {
    if (const auto* deepen = std::get_if<Deepen>(&action)) {
        return std::to_string(deepen->plies);
    }
    if (const auto* note = std::get_if<Note>(&action)) {
        return note->text;
    }
    if (const auto* retract = std::get_if<Retract>(&action)) {
        return std::to_string(retract->given);
    }
    if (const auto* share = std::get_if<Share>(&action)) {
        return share->secret + (share->file == 0 ? "" : "/" + std::to_string(share->file)) +
               (share->name.empty() ? "" : " " + share->name);
    }
    if (const auto* verify = std::get_if<Verify>(&action)) {
        return verify->nodes ? "nodes " + std::to_string(*verify->nodes)
                             : "evaluations " + std::to_string(verify->evaluations.value_or(0));
    }
    return "";
}

bool is_link(const Directive& each) {
    return std::holds_alternative<Share>(each.action);
}

bool changes_no_plan(const Directive& each) {
    return is_link(each) || std::holds_alternative<Verify>(each.action);
}

// Takes what the directive retracts, if it does, out of those said before.
void take_back(std::vector<const Directive*>& said, const Directive& by) {
    if (const auto* retract = std::get_if<Retract>(&by.action)) {
        std::erase_if(said, [&](const Directive* other) {
            return other->position == by.position && other->at == retract->given;
        });
    }
}

// Those of a kind that were not taken back.
template <class Wanted>
std::vector<const Directive*> standing(const std::vector<Directive>& directives, Wanted wanted) {
    std::vector<const Directive*> result;
    for (const Directive& each : directives) {
        take_back(result, each);
        if (wanted(each)) {
            result.push_back(&each);
        }
    }
    return result;
}

} // namespace

std::span<const std::string_view> action_names() {
    return std::span{all_names}.first<all_names.size() - 3>();
}

std::string_view name_of(const Action& action) {
    return all_names[action.index()];
}

bool concerns_move(std::string_view name) {
    const ActionRow* row = row_named(name);
    return row != nullptr && row->about != About::position;
}

std::optional<chess::Move> move_of(const Action& action) {
    return std::visit(
        [](const auto& said) -> std::optional<chess::Move> {
            if constexpr (requires { said.move; }) {
                return said.move;
            } else {
                return std::nullopt;
            }
        },
        action);
}

bool is_remark(const Action& action) {
    return std::holds_alternative<Note>(action);
}

std::expected<Action, std::string> make_action(std::string_view name, MaybeMove move,
                                               const std::string& text) {
    const ActionRow* row = row_named(name);
    if (row == nullptr) {
        return std::unexpected(std::string{"its action is none"});
    }
    if (row->about == About::move && !move) {
        return std::unexpected("it names no move to " + std::string{name});
    }
    return row->make(move, text);
}

storage::DirectiveRecord record_of(const Directive& directive, analysis::AnalysisId analysis) {
    return {directive.id,
            analysis,
            directive.position,
            move_of(directive.action),
            directive.line,
            std::string{name_of(directive.action)},
            text_of(directive.action),
            directive.at};
}

std::expected<Directive, std::string> directive_of(storage::DirectiveRecord record) {
    auto action = make_action(record.action, record.move, record.text);
    if (!action) {
        return std::unexpected(std::move(action.error()));
    }
    return Directive{record.id, record.position, std::move(record.line), std::move(*action),
                     record.at};
}

std::vector<const Directive*> in_force(const std::vector<Directive>& directives) {
    return standing(directives, [](const Directive& each) {
        return !changes_no_plan(each) && !std::holds_alternative<Retract>(each.action) &&
               !std::holds_alternative<Advance>(each.action);
    });
}

std::vector<const Directive*> links_in(const std::vector<Directive>& directives) {
    return standing(directives, is_link);
}

const Directive* verified_in(const std::vector<Directive>& directives) {
    std::vector<const Directive*> latest;
    for (const Directive& each : directives) {
        take_back(latest, each);
        if (std::holds_alternative<Verify>(each.action)) {
            latest = {&each};
        }
    }
    return latest.empty() ? nullptr : latest.front();
}

std::optional<analysis::UnixMs> last_said(const std::vector<Directive>& directives) {
    const auto of_no_plan = [&](const Directive& said) {
        const auto* retract = std::get_if<Retract>(&said.action);
        return changes_no_plan(said) ||
               (retract != nullptr && std::ranges::any_of(directives, [&](const Directive& other) {
                    return changes_no_plan(other) && other.position == said.position &&
                           other.at == retract->given;
                }));
    };
    for (auto said = directives.rbegin(); said != directives.rend(); ++said) {
        if (!of_no_plan(*said)) {
            return said->at;
        }
    }
    return std::nullopt;
}

std::vector<const Directive*> notes_of(const std::vector<Directive>& directives) {
    auto notes = in_force(directives);
    std::erase_if(notes, [](const Directive* each) { return !is_remark(each->action); });
    return notes;
}

// The latest by its moment: those that came with another store stand later here.
std::vector<chess::Move> played_in(const std::vector<Directive>& directives) {
    const Directive* latest = nullptr;
    for (const Directive& each : directives) {
        const bool advance = std::holds_alternative<Advance>(each.action);
        latest = advance && (latest == nullptr || each.at >= latest->at) ? &each : latest;
    }
    return latest == nullptr ? std::vector<chess::Move>{} : latest->line;
}

} // namespace adjourn::server
