// EndgameTables: the endgame tables of this machine. docs/operate/tables.md says what is read, how
// it is checked, and what the answers mean.
#pragma once

#include "analysis/tables.hpp"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace adjourn::tables {

// The environment is broken: no temporary directory, no memory map.
class TablesError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Lists of directories with ':' between them, or "".
struct Paths {
    std::string syzygy;
    std::string own;

    friend bool operator==(const Paths&, const Paths&) = default;
};

struct Inventory {
    std::vector<std::string> wdl; // materials, "KQvK", sorted; Syzygy
    std::vector<std::string> dtz;
    std::vector<std::string> own;
    int men = 0; // the largest number, kings included
    // What was not taken, and what is missing: "/tables/KQvK.rtbw is damaged: …".
    std::vector<std::string> problems;
};

class EndgameTables final : public analysis::Tables {
public:
    // Opens every table in the directories. Of Syzygy files size and head are checked, of our own,
    // which are small, the checksum, too. Files that fail are named in the inventory and never
    // asked. Throws TablesError; blocks for a few reads a file.
    // With Syzygy tables there can be one of these in the process.
    explicit EndgameTables(const Paths& paths);
    ~EndgameTables() override;

    const Inventory& inventory() const { return inventory_; }

    // Latest answers are remembered: who asks again waits for no file.

    std::optional<chess::Score> value(const chess::Position& position) const override;
    std::vector<analysis::TableMove> moves(const chess::Position& position) const override;

private:
    std::vector<analysis::TableMove> probe_moves(const chess::Position& position) const;

    struct Parts;
    Inventory inventory_;
    std::unique_ptr<Parts> parts_;
};

// nullptr where no directory is named.
std::shared_ptr<const EndgameTables> open_tables(const Paths& paths);

// Files of these directories whose names are a material and the extension (".rtbw"), in the order
// of the names; of equal names the one in the first directory. Directories that can't be read go to
// `problems`.
std::vector<std::filesystem::path> table_files(const std::string& directories,
                                               const std::string& extension,
                                               std::vector<std::string>& problems);

} // namespace adjourn::tables
