// Fields of settings, read from JSON and written to it: strictly where it is a request, leniently
// where it stands in the store.
#pragma once

#include "base/field.hpp"
#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace adjourn::server {

// Fields that are absent or wrong stay as they are.
template <class Owner>
void read_fields(const base::JsonObject& reader, std::span<const base::Field<Owner>> fields,
                 Owner& out) {
    for (const base::Field<Owner>& field : fields) {
        if (field.flag()) {
            if (const auto value = reader.find(field.name).boolean()) {
                assign(field, out, *value ? 1 : 0);
            }
        } else if (!field.whole()) {
            if (const auto value = reader.find(field.name).number(field.least, field.most)) {
                assign(field, out, *value);
            }
        } else if (const auto value = reader.find(field.name)
                                          .integer(static_cast<std::int64_t>(field.least),
                                                   static_cast<std::int64_t>(field.most))) {
            assign(field, out, static_cast<double>(*value));
        }
    }
}

template <class Owner>
void write_fields(nlohmann::json& out, std::span<const base::Field<Owner>> fields,
                  const Owner& from) {
    for (const base::Field<Owner>& field : fields) {
        with_member(field, from, [&](const auto& value) {
            if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
                if (field.told_at_zero || value != 0) {
                    out[std::string{field.name}] = value;
                }
            } else if (value) {
                out[std::string{field.name}] = *value;
            }
        });
    }
}

} // namespace adjourn::server
