// Every setting of the tables is taken by POST and shown by GET, and refused beyond its range.
#include "api_fixture.hpp"

#include "core/records/settings.hpp"

using namespace adjourn;
using namespace adjourn::server;
using nlohmann::json;

namespace {

json with(const Setting& setting, json value) {
    std::string pointer = "/" + setting.place;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    json body{{"position", json::object()}, {"hold", true}, {"strategy", {{"kind", "interest"}}}};
    if (!setting.place.starts_with("limit.")) {
        body["limit"]["depth"] = 8;
    }
    body[json::json_pointer{pointer}] = std::move(value);
    return body;
}

json number(const Setting& setting, double value) {
    return setting.kind == Setting::Kind::whole ? json(static_cast<std::int64_t>(value))
                                                : json(value);
}

} // namespace

TEST_CASE("api: every setting is taken within its range, and refused by its place beyond it") {
    ApiFixture f;
    std::size_t refused = 0;
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.place);
        if (setting.place == "rank") { // PATCH alone
            f.refuse(http::Method::post, "/analyses", with(setting, 1), 400, "unknown_field",
                     "rank");
            continue;
        }
        const bool flag = setting.kind == Setting::Kind::flag;
        std::vector<json> taken{number(setting, setting.least), number(setting, setting.most)};
        if (flag) {
            taken = {false, true};
        } else if (setting.place == "budget.until") {
            taken.erase(taken.begin()); // a moment of the past ends nothing
        }
        for (const json& value : taken) {
            const auto id = f.post(with(setting, value));
            const json shown = f.get("/analyses/" + std::to_string(id));
            std::string pointer = "/" + setting.place;
            std::replace(pointer.begin(), pointer.end(), '.', '/');
            CHECK(shown.value(json::json_pointer{pointer}, json(0)) == value);
        }
        for (const json& value :
             flag ? std::vector<json>{0, "true", nullptr}
                  : std::vector<json>{number(setting, setting.least - 1),
                                      number(setting, setting.most + 1), "1", nullptr}) {
            f.refuse(http::Method::post, "/analyses", with(setting, value), 400, "bad_value",
                     setting.place);
            ++refused;
        }
    }
    CHECK(refused > 100);
}
