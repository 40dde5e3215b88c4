#include "core/records/settings.hpp"

#include "analysis/strategy.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/strategy_json.hpp"

#include <algorithm>
#include <iterator>

namespace adjourn::server {

namespace {

template <class Owner>
Setting setting_of(const std::string& family, const base::Field<Owner>& field,
                   std::optional<double> initial) {
    return {family + std::string{field.name},
            field.flag()    ? Setting::Kind::flag
            : field.whole() ? Setting::Kind::whole
                            : Setting::Kind::number,
            field.least,
            field.most,
            initial,
            field.meaning};
}

template <class Owner>
void add_family(std::vector<Setting>& to, const std::string& family,
                std::span<const base::Field<Owner>> fields) {
    for (const base::Field<Owner>& field : fields) {
        to.push_back(setting_of(family, field,
                                field.told_at_zero ? value_of(field, Owner{}) : std::nullopt));
    }
}

std::vector<Setting> gathered() {
    std::vector<Setting> all;
    all.reserve(std::size(limit_fields));
    for (const LimitField& field : limit_fields) {
        all.push_back({std::string{"limit."} + field.name, Setting::Kind::whole, 1,
                       static_cast<double>(field.most), std::nullopt, field.meaning});
    }
    add_family(all, "strategy.", analysis::strategy_fields());
    for (const analysis::Strategy* strategy : analysis::strategies()) {
        for (const analysis::OwnNumber& own : strategy->numbers()) {
            const std::string place = "strategy." + std::string{own.name};
            if (std::ranges::find(all, place, &Setting::place) == all.end()) {
                all.push_back(
                    {place, Setting::Kind::number, own.least, own.most, std::nullopt, own.meaning});
            }
        }
    }
    add_family<analysis::StopRules>(all, "stop.", stop_fields);
    add_family<Budget>(all, "budget.", budget_fields);
    all.push_back(setting_of("", priority_field, std::nullopt));
    all.push_back(setting_of("", rank_field, std::nullopt));
    return all;
}

} // namespace

const std::vector<Setting>& all_settings() {
    static const std::vector<Setting> all = gathered();
    return all;
}

const Setting* find_setting(std::string_view place) {
    const auto& all = all_settings();
    const auto found = std::ranges::find(all, place, &Setting::place);
    return found == all.end() ? nullptr : &*found;
}

} // namespace adjourn::server
