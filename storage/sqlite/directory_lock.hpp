// DirectoryLock: the sign that a data directory has an owner. The kernel holds it (flock on
// DIR and DIR/lock), so it goes when its process goes, however that ends.
#pragma once

#include <filesystem>
#include <string>

namespace adjourn::storage {

class DirectoryLock {
public:
    // The owner's. Creates the directory if it is missing, and forgets what a former owner wrote.
    // Throws StoreError, or StoreInUse if there is an owner.
    static DirectoryLock own(const std::filesystem::path& directory);
    // Keeps owners out while held, beside others that do the same. None if there is an owner, or
    // nothing to lock.
    static DirectoryLock keep_owners_out(const std::filesystem::path& directory);

    // Tells others how to reach the owner (kept in DIR/owner beside the lock). Only the owner may
    // call it. Throws StoreError.
    static void write_owner(const std::filesystem::path& directory, const std::string& text);

    // Whether a store was made in the directory once, as DIR/lock says. For the owner. What cannot
    // be noted is not known later.
    bool saw_store() const;
    void note_store();

    DirectoryLock() = default;
    DirectoryLock(DirectoryLock&& other) noexcept;
    DirectoryLock& operator=(DirectoryLock&& other) noexcept;
    ~DirectoryLock();

    explicit operator bool() const { return descriptor_ >= 0; }

private:
    explicit DirectoryLock(int descriptor) : descriptor_{descriptor} {}
    int descriptor_ = -1; // of DIR/lock
    int directory_ = -1;  // of DIR
};

} // namespace adjourn::storage
