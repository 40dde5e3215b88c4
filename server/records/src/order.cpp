#include "records/order.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace adjourn::server {

namespace {

constexpr int most_plies_deeper = 100;

using Made = std::expected<Order, std::string>;
using MaybeMove = std::optional<chess::Move>;

template <class MoveOrder>
Made of_move(MaybeMove move, const std::string& /*text*/) {
    return MoveOrder{*move};
}

Made make_clear(MaybeMove move, const std::string& /*text*/) {
    return Clear{move};
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

Made make_now(MaybeMove /*move*/, const std::string& /*text*/) {
    return Now{};
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

enum class About { position, move, either };

struct OrderRow {
    std::string_view name;
    About about;
    Made (*make)(MaybeMove, const std::string&);
};

// In the order of the variant.
constexpr std::array order_rows{
    OrderRow{"include", About::move, of_move<Include>},
    OrderRow{"exclude", About::move, of_move<Exclude>},
    OrderRow{"clear", About::either, make_clear},
    OrderRow{"deepen", About::position, make_deepen},
    OrderRow{"now", About::position, make_now},
    OrderRow{"note", About::position, make_note},
    OrderRow{"retract", About::position, make_retract},
};
static_assert(order_rows.size() == std::variant_size_v<Order>);

constexpr auto all_names = [] {
    std::array<std::string_view, order_rows.size()> names;
    std::ranges::transform(order_rows, names.begin(), &OrderRow::name);
    return names;
}();

const OrderRow* row_named(std::string_view name) {
    const auto found = std::ranges::find(order_rows, name, &OrderRow::name);
    return found == order_rows.end() ? nullptr : &*found;
}

std::string text_of(const Order& order) {
    if (const auto* deepen = std::get_if<Deepen>(&order)) {
        return std::to_string(deepen->plies);
    }
    if (const auto* note = std::get_if<Note>(&order)) {
        return note->text;
    }
    if (const auto* retract = std::get_if<Retract>(&order)) {
        return std::to_string(retract->given);
    }
    return "";
}

} // namespace

std::span<const std::string_view> order_names() {
    return all_names;
}

std::string_view name_of(const Order& order) {
    return all_names[order.index()];
}

bool concerns_move(std::string_view name) {
    const OrderRow* row = row_named(name);
    return row != nullptr && row->about != About::position;
}

std::optional<chess::Move> move_of(const Order& order) {
    if (const auto* include = std::get_if<Include>(&order)) {
        return include->move;
    }
    if (const auto* exclude = std::get_if<Exclude>(&order)) {
        return exclude->move;
    }
    if (const auto* clear = std::get_if<Clear>(&order)) {
        return clear->move;
    }
    return std::nullopt;
}

bool is_remark(const Order& order) {
    return std::holds_alternative<Note>(order);
}

std::expected<Order, std::string> make_order(std::string_view name, MaybeMove move,
                                             const std::string& text) {
    const OrderRow* row = row_named(name);
    if (row == nullptr) {
        return std::unexpected(std::string{"its action is none"});
    }
    if (row->about == About::move && !move) {
        return std::unexpected("it names no move to " + std::string{name});
    }
    return row->make(move, text);
}

storage::DirectiveRecord record_of(const Directive& said, analysis::AnalysisId analysis) {
    return {said.id,
            analysis,
            said.position,
            move_of(said.order),
            said.line,
            std::string{name_of(said.order)},
            text_of(said.order),
            said.at};
}

std::expected<Directive, std::string> directive_of(storage::DirectiveRecord record) {
    auto order = make_order(record.action, record.move, record.text);
    if (!order) {
        return std::unexpected(std::move(order.error()));
    }
    return Directive{record.id, record.position, std::move(record.line), std::move(*order),
                     record.at};
}

std::vector<const Directive*> standing(const std::vector<Directive>& said) {
    std::vector<const Directive*> orders;
    for (const Directive& each : said) {
        if (const auto* retract = std::get_if<Retract>(&each.order)) {
            std::erase_if(orders, [&](const Directive* order) {
                return order->position == each.position && order->at == retract->given;
            });
        } else {
            orders.push_back(&each);
        }
    }
    return orders;
}

std::vector<const Directive*> notes_of(const std::vector<Directive>& said) {
    auto notes = standing(said);
    std::erase_if(notes, [](const Directive* each) { return !is_remark(each->order); });
    return notes;
}

} // namespace adjourn::server
