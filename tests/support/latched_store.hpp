// LatchedStore: a store whose disk can be made to hang: as long as it is held, whoever reads, or
// waits for a write, waits. What does not block in a real store does not here. Or to fail: nothing
// can be read.
#pragma once

#include "storage/store.hpp"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace adjourn::storage::test {

class LatchedStore final : public Store {
public:
    explicit LatchedStore(std::unique_ptr<Store> store) : store_{std::move(store)} {}
    ~LatchedStore() override { release(); }

    void hold() { set(true); }
    void release() { set(false); }
    void fail(bool fails) { fails_ = fails; }
    // What is there already, told or not.
    const Store& beneath() const { return *store_; }

    void write(Change change, Done done) override {
        store_->write(std::move(change), held(std::move(done)));
    }
    void flush() override { passed().flush(); }
    void announce(const std::string& url, const std::string& to_workers) override {
        passed().announce(url, to_workers);
    }
    StoreEnvironment environment() const override {
        StoreEnvironment there = passed().environment();
        if (fails_) {
            there.problem = "it fails";
        }
        return there;
    }
    Writing writing() const override { return store_->writing(); }
    CommitTimes commit_times() const override { return store_->commit_times(); }
    void recover() override {
        work();
        passed().recover();
    }

    void read(const std::function<void(Reads&)>& work) const override {
        this->work();
        passed().read(work);
    }
    std::vector<std::string> check() const override { return passed().check(); }

private:
    struct Latch {
        std::mutex mutex;
        std::condition_variable changed;
        bool held = false;

        void pass() {
            std::unique_lock lock{mutex};
            changed.wait(lock, [this] { return !held; });
        }
    };

    void set(bool held) {
        {
            const std::lock_guard lock{latch_->mutex};
            latch_->held = held;
        }
        latch_->changed.notify_all();
    }
    Store& passed() const {
        latch_->pass();
        return *store_;
    }
    void work() const {
        if (fails_) {
            throw StoreError{"it fails"};
        }
    }
    // The writer's thread hangs, as in a commit.
    Done held(Done done) const {
        return [latch = latch_, done = std::move(done)](const auto& written) {
            latch->pass();
            if (done) {
                done(written);
            }
        };
    }

    std::atomic<bool> fails_ = false;
    const std::shared_ptr<Latch> latch_ = std::make_shared<Latch>();
    const std::unique_ptr<Store> store_;
};

} // namespace adjourn::storage::test
