// Merging another store into this one: the facts of both. Nothing can conflict: facts are never
// changed, and where both have answered a question, the answer that is here stands.
#pragma once

#include "base/scratch_directory.hpp"
#include "files/import/import.hpp"

#include <filesystem>

namespace adjourn::server {

// Adds what `other` has and `store` has not: evaluations (records, evaluations_added, _known),
// failures of questions that nobody has answered, and analyses with their seeds, directives,
// snapshots, files and usage. An analysis of the same root, engine profile, limit and parameters
// counts as the same: only its seeds, directives and files are added. New ones arrive paused.
// Durable on return; blocks for the disk. Before anything is written, all of `other` is checked as
// `adjourn check` does: one finding, and nothing is taken. Throws StoreError if `other` cannot be
// read.
struct MergeError {
    bool unsound = false; // `other` is: nothing was taken. Else this store cannot write
    std::string message;
};
std::expected<ImportReport, MergeError> import_store(storage::Store& store,
                                                     const storage::Store& other);

// Whether a file's name says that it is a store: ending .db, or a directory.
bool is_store(const std::filesystem::path& file);

// A data directory in which a database file stands under the name that a store has, for reading;
// removed with the object.
class StagedStore {
public:
    // `file` is a database or a data directory; `parent` must exist. Throws storage::StoreError if
    // there is no such database, std::filesystem::filesystem_error if nothing can be staged.
    StagedStore(const std::filesystem::path& file, const std::filesystem::path& parent);

    // Removes what programs left in `parent` that were killed, and nothing else: folders of such a
    // name that hold the link alone.
    static void remove_left(const std::filesystem::path& parent);

    const std::filesystem::path& directory() const { return directory_.path(); }
    // `text` about the store that is staged in `directory`, with the file's own name for it.
    static std::string named_as_given(std::string text, const std::filesystem::path& directory);

private:
    base::ScratchDirectory directory_;
};

} // namespace adjourn::server
