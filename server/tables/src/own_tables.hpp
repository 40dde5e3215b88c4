// OwnTables: our own tables, of quiet positions only, and the searches that make them answer for
// all.
#pragma once

#include "analysis/tables.hpp"
#include "chess/endgame/capture_resolver.hpp"
#include "chess/endgame/endgame_table.hpp"
#include "mapped_file.hpp"
#include "tables/endgame_tables.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::tables {

class OwnTables final : public analysis::Tables {
public:
    // Opens and checks the files of the directories (':' between them); fills inventory.own, .men
    // and .problems. A table is unpacked when it is asked first.
    OwnTables(const std::string& directories, Inventory& inventory);
    ~OwnTables() override;

    std::optional<chess::Score> value(const chess::Position& position) const override;
    std::vector<analysis::TableMove> moves(const chess::Position& position) const override;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace adjourn::tables
