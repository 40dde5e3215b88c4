// All settings of an analysis, by their places in a request: "limit.depth", "strategy.floor",
// "window", "priority". One table (settings.cpp) has a row of each; by it requests and the store
// are read, changes take effect, and settings are written.
#pragma once

#include "base/field.hpp"
#include "base/json_reader.hpp"
#include "storage/store.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <expected>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

struct Setting {
    std::string place;
    enum class Kind {
        flag,
        whole,
        number,
        text,
        other, // has a form of its own: the kind of a strategy, plans, lists, hours
    } kind;
    double least;                  // of numbers
    double most;                   // of texts their bytes
    std::optional<double> initial; // of a new analysis; none where it is absent, or by the strategy
    std::string_view meaning;
    bool posted = true;  // POST takes it
    bool patched = true; // PATCH takes it
};

const std::vector<Setting>& all_settings();
// Null if there is none.
const Setting* find_setting(std::string_view place);

// Fields of settings, read from JSON and written to it: strictly where it is a request, leniently
// where it stands in the store.

// Of at most so many bytes, without control characters; nothing where it is absent or wrong.
std::optional<std::string> read_text(const base::JsonValue& given, std::size_t most);

// Fields that are absent or wrong stay as they are.
template <class Owner>
void read_fields(const base::JsonObject& reader, std::span<const base::Field<Owner>> fields,
                 Owner& out) {
    for (const base::Field<Owner>& field : fields) {
        const base::JsonValue given = reader.find(field.name);
        std::optional<double> value;
        if (field.text()) {
            auto& member = out.*std::get<std::string Owner::*>(field.member);
            member = read_text(given, static_cast<std::size_t>(field.most)).value_or(member);
        } else if (field.flag()) {
            value = given.boolean();
        } else if (field.whole()) {
            value = given.integer(static_cast<std::int64_t>(field.least),
                                  static_cast<std::int64_t>(field.most));
        } else {
            value = given.number(field.least, field.most);
        }
        if (value) {
            assign(field, out, *value);
        }
    }
}

template <class Owner>
void write_fields(nlohmann::json& out, std::span<const base::Field<Owner>> fields,
                  const Owner& from) {
    for (const base::Field<Owner>& field : fields) {
        with_member(field, from, [&](const auto& value) {
            using Value = std::remove_cvref_t<decltype(value)>;
            constexpr bool text = std::is_same_v<Value, std::string>;
            if constexpr (text || std::is_arithmetic_v<Value>) {
                if ((field.told_at_zero && !text) || value != Value{}) {
                    out[std::string{field.name}] = value;
                }
            } else if (value) {
                out[std::string{field.name}] = *value;
            }
        });
    }
}

// One write, waited for: for the rare calls by people whose answer must follow the commit.

// `queue` gets the callback to hand to the store. Blocks for the disk; never call it on the writer
// thread.
template <class Queue>
storage::Outcome write_through(Queue queue) {
    auto promise = std::make_shared<std::promise<storage::Outcome>>();
    auto future = promise->get_future();
    queue([promise](const storage::Outcome& written) { promise->set_value(written); });
    return future.get();
}

} // namespace adjourn::server
