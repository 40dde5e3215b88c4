// The table of all settings of an analysis.
#include "core/records/settings.hpp"

#include "analysis/strategy.hpp"
#include "base/text.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/strategy_json.hpp"

#include <algorithm>
#include <concepts>

namespace adjourn::server {

using analysis::StopRules;
using analysis::StrategyParameters;
using base::Field;
using base::JsonValue;
using nlohmann::json;
using storage::AnalysisRecord;

std::optional<std::string> read_text(const JsonValue& given, std::size_t most) {
    auto text = given.text(most);
    if (text && text->size() > most) {
        given.wrong(given.path() + " must have at most " + std::to_string(most) + " bytes");
    } else if (text && base::has_control_characters(*text)) {
        given.wrong(given.path() + " must have no control characters");
    } else {
        return text;
    }
    return std::nullopt;
}

namespace {

// null: always.
std::optional<std::optional<TimeWindow>> read_window(const JsonValue& given) {
    if (given.json().is_null()) {
        return std::optional<TimeWindow>{};
    }
    const auto text = given.text();
    const auto window = TimeWindow::parse(text.value_or(""));
    if (text && !window) {
        given.wrong(window.error());
    }
    return window ? std::optional{std::optional{*window}} : std::nullopt;
}

// A setting at the top of a request, or an object of several.
struct Row {
    std::string_view name;
    double least = 0; // as Setting has them
    double most = 0;
    std::string_view meaning = {};
    bool posted = true;
    bool patched = true;
    void (*read)(const Row&, const JsonValue&, const AnalysisSpec& now, AnalysisPatch&) = nullptr;
    void (*apply)(const AnalysisPatch&, AnalysisRecord&, AnalysisSpec&) = nullptr;
    json (*write)(const AnalysisSpec&) = nullptr; // null: it is none of the parameters
    void (*list)(const Row&, std::vector<Setting>&) = nullptr;
};

using Texts = std::vector<std::string>;
using Window = std::optional<TimeWindow>;

std::span<const Field<StrategyParameters>> fields_of(const StrategyParameters&) {
    return analysis::strategy_fields();
}
std::span<const Field<Budget>> fields_of(const Budget&) {
    return budget_fields;
}
std::span<const Field<StopRules>> fields_of(const StopRules&) {
    return stop_fields;
}
std::span<const Field<GameLabels>> fields_of(const GameLabels&) {
    return game_fields;
}

template <class Value>
std::optional<Value> read_value(const Row& row, const JsonValue& given, Value now) {
    if constexpr (std::same_as<Value, bool>) {
        return given.boolean();
    } else if constexpr (std::same_as<Value, int>) {
        return given.integer(static_cast<int>(row.least), static_cast<int>(row.most));
    } else if constexpr (std::same_as<Value, double>) {
        return given.number(row.least, row.most);
    } else if constexpr (std::same_as<Value, std::string>) {
        const auto text = read_text(given, static_cast<std::size_t>(row.most));
        if (row.name == "my_side" && text && !text->empty() && *text != "white" &&
            *text != "black") {
            given.wrong(given.path() + " must be white or black, or empty");
            return std::nullopt;
        }
        return text;
    } else if constexpr (std::same_as<Value, Texts>) {
        return row.name == "tags" ? read_tags(given) : given.texts(most_accepted);
    } else if constexpr (std::same_as<Value, Window>) {
        return read_window(given);
    } else if constexpr (std::same_as<Value, analysis::Limit>) {
        return read_limit(given.object());
    } else if constexpr (std::same_as<Value, StrategyParameters>) {
        return read_strategy(given.object(), now);
    } else if constexpr (std::same_as<Value, GameLabels>) {
        return read_game(given.object(), now);
    } else if constexpr (std::same_as<Value, Renewal>) {
        return read_renewal(given.object());
    } else {
        Value value =
            std::same_as<Value, Budget> ? Value{} : now; // a budget is replaced as a whole
        read_fields(given.object(), fields_of(value), value);
        return value;
    }
}

template <class Value>
json to_json(const Value& value) {
    if constexpr (std::same_as<Value, StrategyParameters>) {
        return strategy_json(value);
    } else if constexpr (std::same_as<Value, Window>) {
        return value ? json(value->text()) : json(nullptr);
    } else if constexpr (std::same_as<Value, Renewal>) {
        return renewal_json(value);
    } else if constexpr (requires { fields_of(value); }) {
        json out = json::object();
        write_fields(out, fields_of(value), value);
        return out;
    } else {
        return value;
    }
}

// Appends what the row consists of.
template <class Value>
void list(const Row& row, std::vector<Setting>& to) {
    using Kind = Setting::Kind;
    const auto add = [&](std::string_view name, Kind kind, double least, double most,
                         std::string_view meaning, std::optional<double> initial = {}) {
        const std::string place =
            std::string{row.name} + (name.empty() ? "" : ".") + std::string{name};
        if (std::ranges::find(to, place, &Setting::place) == to.end()) {
            to.push_back({place, kind, least, most, initial, meaning, row.posted, row.patched});
        }
    };
    if constexpr (std::same_as<Value, analysis::Limit>) {
        for (const LimitField& field : limit_fields) {
            add(field.name, Kind::whole, 1, static_cast<double>(field.most), field.meaning);
        }
    } else if constexpr (requires { fields_of(Value{}); }) {
        for (const Field<Value>& field : fields_of(Value{})) {
            const Kind kind = field.flag()    ? Kind::flag
                              : field.text()  ? Kind::text
                              : field.whole() ? Kind::whole
                                              : Kind::number;
            add(field.name, kind, field.least, field.most, field.meaning,
                field.told_at_zero ? value_of(field, Value{}) : std::nullopt);
        }
    } else {
        constexpr Kind kind = std::same_as<Value, bool>          ? Kind::flag
                              : std::same_as<Value, int>         ? Kind::whole
                              : std::same_as<Value, double>      ? Kind::number
                              : std::same_as<Value, std::string> ? Kind::text
                                                                 : Kind::other;
        add("", kind, row.least, row.most, row.meaning);
    }
    if constexpr (std::same_as<Value, StrategyParameters>) {
        for (const analysis::Strategy* strategy : analysis::strategies()) {
            for (const analysis::OwnNumber& own : strategy->numbers()) {
                add(own.name, Kind::number, own.least, own.most, own.meaning);
            }
        }
        add("kind", Kind::other, 0, 0, "");
        add("plan", Kind::other, 0, 0, "");
    }
}

template <class Owner, class Value, class... Further>
Owner owner_of(Value Owner::*, Further...);

// The member of the patch, and the way to what it changes: from the spec or from the record.
template <auto patched, auto... way>
constexpr Row row(Row row) {
    using Value = typename std::remove_reference_t<decltype(AnalysisPatch{}.*patched)>::value_type;
    constexpr bool parameter = [] {
        if constexpr (sizeof...(way) > 0) {
            return std::same_as<decltype(owner_of(way...)), AnalysisSpec>;
        }
        return false;
    }();
    row.read = [](const Row& self, const JsonValue& given, const AnalysisSpec& now,
                  AnalysisPatch& patch) {
        if constexpr (parameter) {
            patch.*patched = read_value<Value>(self, given, (now.*....*way));
        } else {
            patch.*patched = read_value<Value>(self, given, {});
        }
    };
    row.apply = [](const AnalysisPatch& patch, AnalysisRecord& record, AnalysisSpec& spec) {
        if constexpr (parameter) {
            (spec.*....*way) = (patch.*patched).value_or((spec.*....*way));
        } else if constexpr (sizeof...(way) > 0) {
            (record.*....*way) = (patch.*patched).value_or((record.*....*way));
        }
    };
    if constexpr (parameter) {
        row.write = [](const AnalysisSpec& spec) { return to_json<Value>((spec.*....*way)); };
    }
    if constexpr (!std::same_as<Value, Renewal>) { // nobody sets it
        row.list = list<Value>;
    }
    return row;
}

using Patch = AnalysisPatch;
using Spec = AnalysisSpec;

constexpr std::array rows{
    row<&Patch::limit, &AnalysisRecord::limit>({"limit"}),
    row<&Patch::strategy, &Spec::strategy>({"strategy"}),
    row<&Patch::stop, &Spec::stop>({"stop"}),
    row<&Patch::budget, &Spec::budget>({"budget"}),
    row<&Patch::window, &Spec::window>({"window"}),
    row<&Patch::accept, &Spec::accept>({"accept"}),
    row<&Patch::accept_also>({"accept_also", 0, 0, "", false}),
    row<&Patch::second_engine, &Spec::second_engine>(
        {"second_engine", 0, base::usual_text,
         "Name of a configured engine that is asked what it says of what the answer rests on; "
         "empty: none"}),
    row<&Patch::fifty_moves, &Spec::fifty_moves>(
        {"fifty_moves", 0, 1,
         "Whether the game is drawn after 75 moves without a capture or a pawn move, and a draw "
         "can be claimed after 50 (true where it is not said). Correspondence players may play "
         "without that"}),
    row<&Patch::tags, &Spec::labels, &Labels::tags>({"tags"}),
    row<&Patch::game, &Spec::labels, &Labels::game>({"game"}),
    row<&Patch::my_side, &Spec::labels, &Labels::my_side>(
        {"my_side", 0, 5, "Which side is mine: white or black; empty where it is not said"}),
    row<&Patch::my_names, &Spec::labels, &Labels::my_names>(
        {"my_names", 0, base::usual_text,
         "Under which names I play in the games of its files, with semicolons between them; "
         "\"Lasker\" is \"Lasker, Emanuel\", too"}),
    row<&Patch::name, &AnalysisRecord::name>(
        {"name", 0, base::usual_text, "At most 200 bytes of UTF-8"}),
    row<&Patch::engine, &AnalysisRecord::profile>(
        {"engine", 0, base::usual_text,
         "Name of a configured engine; without it, or empty, the default one", true, false}),
    row<&Patch::renewal, &Spec::renewal>({"renewal", 0, 0, "", false, false}),
    row<&Patch::hold>({"hold", 0, 1, "Start paused"}),
    row<&Patch::priority, &AnalysisRecord::priority>(
        {"priority", -most_priority, most_priority, "Higher ones get the engines first"}),
    row<&Patch::rank, &AnalysisRecord::rank>(
        {"rank", -most_rank, most_rank,
         "Place in the queue, compared with the other analyses' ranks", false}),
};

} // namespace

AnalysisPatch read_settings(const base::JsonObject& reader, SettingsOf where,
                            const AnalysisSpec& now) {
    AnalysisPatch patch;
    for (const Row& row : rows) {
        const bool taken = where == SettingsOf::post    ? row.posted
                           : where == SettingsOf::patch ? row.patched
                                                        : row.write != nullptr;
        if (taken && reader.find(row.name).there()) {
            row.read(row, reader.find(row.name), now, patch);
        }
    }
    return patch;
}

void apply(const AnalysisPatch& patch, AnalysisRecord& record, AnalysisSpec& spec) {
    for (const Row& row : rows) {
        row.apply(patch, record, spec);
    }
    for (const std::string& name : patch.accept_also.value_or(Texts{})) {
        if (!base::contains(spec.accept, name)) {
            spec.accept.push_back(name);
        }
    }
    if (patch.hold) {
        using State = storage::AnalysisState;
        record.state = *patch.hold ? State::paused : State::queued;
        record.state_reason = "";
    }
}

json spec_json(const AnalysisSpec& spec) {
    json out = json::object();
    for (const Row& row : rows) {
        if (row.write != nullptr) {
            out[std::string{row.name}] = row.write(spec);
        }
    }
    return out;
}

const std::vector<Setting>& all_settings() {
    static const std::vector<Setting> all = [] {
        std::vector<Setting> list;
        for (const Row& row : rows) {
            if (row.list != nullptr) {
                row.list(row, list);
            }
        }
        return list;
    }();
    return all;
}

const Setting* find_setting(std::string_view place) {
    const auto& all = all_settings();
    const auto found = std::ranges::find(all, place, &Setting::place);
    return found == all.end() ? nullptr : &*found;
}

} // namespace adjourn::server
