// Field: a setting, declared once. Whoever reads, writes, describes or offers settings goes by
// tables of these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace adjourn::base {

// A number, a yes or no, or a text of one line, in a struct. The default is the one that the struct
// gives itself.
template <class Owner>
struct Field {
    std::string_view name;
    std::variant<bool Owner::*, int Owner::*, double Owner::*, std::optional<std::int64_t> Owner::*,
                 std::optional<std::uint64_t> Owner::*, std::optional<double> Owner::*,
                 std::string Owner::*>
        member;
    double least;             // of numbers
    double most;              // of texts their bytes
    std::string_view meaning; // for people, unit included
    bool told_at_zero = true; // false: where it is 0, JSON leaves it out, as it does an empty text

    bool flag() const { return std::holds_alternative<bool Owner::*>(member); }
    bool text() const { return std::holds_alternative<std::string Owner::*>(member); }
    bool whole() const {
        return !flag() && !text() && !std::holds_alternative<double Owner::*>(member) &&
               !std::holds_alternative<std::optional<double> Owner::*>(member);
    }
};

// `use` gets a reference to the member that the field is about.
template <class Owner, class Use>
decltype(auto) with_member(const Field<std::remove_const_t<Owner>>& field, Owner& owner, Use use) {
    return std::visit([&](auto member) { return use(owner.*member); }, field.member);
}

// REQUIRES: no text; the value is in the field's range, and whole if the field is; 0 is no.
template <class Owner>
void assign(const Field<Owner>& field, Owner& owner, double value) {
    with_member(field, owner, [&](auto& member) {
        using Value = std::remove_reference_t<decltype(member)>;
        if constexpr (std::is_arithmetic_v<Value>) {
            member = static_cast<Value>(value);
        } else if constexpr (!std::is_same_v<Value, std::string>) {
            member = static_cast<typename Value::value_type>(value);
        }
    });
}

// As a number; nothing where none is set, and of a text.
template <class Owner>
std::optional<double> value_of(const Field<Owner>& field, const Owner& owner) {
    return with_member(field, owner, [](const auto& member) -> std::optional<double> {
        using Value = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_arithmetic_v<Value>) {
            return static_cast<double>(member);
        } else if constexpr (std::is_same_v<Value, std::string>) {
            return std::nullopt;
        } else {
            return member ? std::optional{static_cast<double>(*member)} : std::nullopt;
        }
    });
}

} // namespace adjourn::base
