// All settings of an analysis that are numbers, or a yes or no, by their places in a request:
// "limit.depth", "strategy.floor", "budget.nodes", "stop.lead", "priority". Collected
// from the tables of fields.
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
    enum class Kind { flag, whole, number } kind;
    double least; // of numbers
    double most;
    std::optional<double> initial; // of a new analysis; none where it is absent, or by the strategy
    std::string_view meaning;
};

const std::vector<Setting>& all_settings();
// Null if there is none.
const Setting* find_setting(std::string_view place);

// Fields of settings, read from JSON and written to it: strictly where it is a request, leniently
// where it stands in the store.

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

// One write, waited for: for the rare calls by people whose answer must follow the commit.

// `queue` gets the callback to hand to the store. Blocks for the disk; never call it on the writer
// thread.
template <class Queue>
std::expected<storage::Written, std::string> write_through(Queue queue) {
    auto promise = std::make_shared<std::promise<std::expected<storage::Written, std::string>>>();
    auto future = promise->get_future();
    queue([promise](const std::expected<storage::Written, std::string>& written) {
        promise->set_value(written);
    });
    return future.get();
}

} // namespace adjourn::server
