// SettingReader: reads a JSON object of settings. A request is refused if anything is wrong (api's
// RequestObject); an object from the store is always read, with defaults for what is wrong
// (StoredObject).
#pragma once

#include "base/field.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

class SettingReader {
public:
    SettingReader() = default;
    SettingReader(const SettingReader&) = delete;
    SettingReader& operator=(const SettingReader&) = delete;
    virtual ~SettingReader() = default;

    virtual bool has(std::string_view name) const = 0;
    virtual bool has_object(std::string_view name) const = 0;
    // nullopt or null: absent, or wrong and reported.
    virtual std::optional<std::int64_t> integer(std::string_view name, std::int64_t least,
                                                std::int64_t most) = 0;
    virtual std::optional<double> number(std::string_view name, double least, double most) = 0;
    virtual std::optional<bool> boolean(std::string_view name) = 0;
    virtual std::optional<std::string> text(std::string_view name) = 0;
    virtual std::optional<std::vector<std::string>> texts(std::string_view name,
                                                          std::size_t most) = 0;
    virtual std::unique_ptr<SettingReader> object(std::string_view name) = 0;
    // Entries that are no objects act as empty ones.
    virtual std::optional<std::vector<std::unique_ptr<SettingReader>>>
    objects(std::string_view name, std::size_t most) = 0;

    virtual std::string path_of(std::string_view name) const = 0; // of the object itself: ""
    // A problem that the caller found; the message may begin with the path.
    virtual void wrong(std::string_view name, const std::string& message) = 0;
    virtual void missing(std::string_view name) = 0;
    virtual std::size_t problems() const = 0;    // reported so far
    virtual bool knows_former_names() const = 0; // whether old names of settings are read, too
};

// Fields that are absent or wrong stay as they are.
template <class Owner>
void read_fields(SettingReader& reader, std::span<const base::Field<Owner>> fields, Owner& out) {
    for (const base::Field<Owner>& field : fields) {
        if (field.flag()) {
            if (const auto value = reader.boolean(field.name)) {
                assign(field, out, *value ? 1 : 0);
            }
        } else if (!field.whole()) {
            if (const auto value = reader.number(field.name, field.least, field.most)) {
                assign(field, out, *value);
            }
        } else if (const auto value =
                       reader.integer(field.name, static_cast<std::int64_t>(field.least),
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
