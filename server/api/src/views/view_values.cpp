#include "api/views/view.hpp"

#include <algorithm>

namespace adjourn::server {

using nlohmann::json;

int chart_value(chess::Score white) {
    return std::clamp(white.rank(), -1000, 1000);
}

json tables_json(const tables::Inventory& inventory) {
    return {{"men", inventory.men},
            {"wdl", inventory.wdl.size()},
            {"dtz", inventory.dtz.size()},
            {"own", inventory.own.size()},
            {"problems", inventory.problems}};
}

} // namespace adjourn::server
