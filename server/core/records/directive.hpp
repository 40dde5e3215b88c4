// Directives: what people ask of a move or a position of an analysis, as values. The store and HTTP
// have the action as a name and a text; one table (directive.cpp) holds the names.
#pragma once

#include "storage/store.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace adjourn::server {

// Analyse the move whatever its score.
struct Include {
    chess::Move move;
    friend bool operator==(const Include&, const Include&) = default;
};
// Leave the move out.
struct Exclude {
    chess::Move move;
    friend bool operator==(const Exclude&, const Exclude&) = default;
};
// Take back what was asked of the move, and Deepen and Now of the position after it. Without a
// move: Deepen and Now of the position itself.
struct Clear {
    std::optional<chess::Move> move;
    friend bool operator==(const Clear&, const Clear&) = default;
};
// Go further below the position than the strategy would, by so many plies.
struct Deepen {
    int plies = 2;
    friend bool operator==(const Deepen&, const Deepen&) = default;
};
// Search the position before anything else.
struct Now {
    friend bool operator==(const Now&, const Now&) = default;
};
// A text at the position.
struct Note {
    std::string text;
    friend bool operator==(const Note&, const Note&) = default;
};
// The directive that was given at that moment at the position holds no longer, as if nobody had
// given it.
struct Retract {
    analysis::UnixMs given = 0;
    friend bool operator==(const Retract&, const Retract&) = default;
};
// The game went on, or moves of it were taken back: the analysis stands at this position now
// (decision 058). The latest one counts; nobody retracts it.
struct Advance {
    friend bool operator==(const Advance&, const Advance&) = default;
};
// Whoever has the secret may read the analysis (decision 125). Said where the analysis was made; a
// Retract there ends it. It is about the analysis, not about chess: nothing is searched or shown
// otherwise by it.
struct Share {
    std::string secret;    // 16 to 64 letters, digits and '-'
    std::string name;      // for people; may be ""
    std::int64_t file = 0; // only this file of the analysis; 0: all of it
    friend bool operator==(const Share&, const Share&) = default;
};
// Work for what carries the answer at the position (schedule/verifier.hpp): one of the two. The
// latest one counts, until a Retract says that it has ended. Like a Share it changes no plan.
struct Verify {
    std::optional<std::uint64_t> evaluations;
    std::optional<std::uint64_t> nodes;

    bool spent() const { return evaluations == 0U || nodes == 0U; }
    friend bool operator==(const Verify&, const Verify&) = default;
};
using Action =
    std::variant<Include, Exclude, Clear, Deepen, Now, Note, Retract, Advance, Share, Verify>;

// The names of the actions that are given at a line, in the variant's order: all but Advance, Share
// and Verify.
std::span<const std::string_view> action_names();
std::string_view name_of(const Action& action);
// Whether an action of this name can be about a move.
bool concerns_move(std::string_view name);
// The move that it is about; none of a position's.
std::optional<chess::Move> move_of(const Action& action);

// Whether it is a note, which changes nothing that is searched.
bool is_remark(const Action& action);

// An action of this name, about `move` if it concerns one; or why there is none. `text`: plies of
// Deepen in digits ("" says 2), the text of a Note, the moment of a Retract in digits; of a Share
// its secret, '/' and its file if it has one, a space and its name if it has one; of a Verify what
// is counted, a space and how many.
std::expected<Action, std::string>
make_action(std::string_view name, std::optional<chess::Move> move, const std::string& text);

// An action, and where and when somebody asked for it.
struct Directive {
    std::int64_t id = 0;            // 0: not stored
    chess::PackedPosition position; // where it applies
    // How one came there from the root that the analysis was made with.
    std::vector<chess::Move> line;
    Action action;
    analysis::UnixMs at = 0;

    friend bool operator==(const Directive&, const Directive&) = default;
};

// As it is stored; and back, or why the stored text has no meaning.
storage::DirectiveRecord record_of(const Directive& directive, analysis::AnalysisId analysis);
std::expected<Directive, std::string> directive_of(storage::DirectiveRecord record);

// What people ask for that has not been retracted, the oldest first; without Retract, Advance,
// Share and Verify.
std::vector<const Directive*> in_force(const std::vector<Directive>& directives);
// The notes among them.
std::vector<const Directive*> notes_of(const std::vector<Directive>& directives);
// The links that hold, the oldest first.
std::vector<const Directive*> links_in(const std::vector<Directive>& directives);
// What is to be verified; null: nothing.
const Directive* verified_in(const std::vector<Directive>& directives);
// When somebody last said something about what is analysed: anything but a Share, a Verify or the
// end of one.
std::optional<analysis::UnixMs> last_said(const std::vector<Directive>& directives);
// The moves that the game went on by since the analysis was made: from its first root to the
// present one.
std::vector<chess::Move> played_in(const std::vector<Directive>& directives);

} // namespace adjourn::server
