// GraphLock: who looks at a graph while it may change. The core's thread alone changes it, and
// looks at it whenever it likes. Other threads are readers; while one of them reads, nothing is
// changed, for 0.3 s at most: then readers let the change in at their next step.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace adjourn::server {

class GraphLock {
public:
    static constexpr std::chrono::milliseconds patience{300};

    // ---- the core's thread ----
    // Begins a change, if nobody reads. Where somebody does, `free` is called when that is over.
    bool try_write();
    // Begins a change that cannot wait: readers let it in at their next step.
    void write();
    // The change is made.
    void written();
    // Called when nobody reads any more and a change waits; by the last reader, on its thread.
    void set_free(std::function<void()> free);

    // ---- readers; any thread but the core's ----
    void enter();
    void leave();
    // Between two steps, holding nothing of the graph that a change makes invalid.
    void breathe() {
        if (wanted()) {
            let_in();
        }
    }
    bool wanted() const { return wanted_.load(std::memory_order_relaxed); }

private:
    using Clock = std::chrono::steady_clock;

    bool overdue() const { return wanted_ && (urgent_ || Clock::now() >= wanted_at_ + patience); }
    void wait_for_writer(std::unique_lock<std::mutex>& lock);
    void stop_reading(std::unique_lock<std::mutex>& lock);
    void let_in();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t readers_ = 0;
    bool writing_ = false;
    std::atomic<bool> wanted_ = false; // a change waits; written under the mutex
    bool tried_ = false;               // by try_write()
    bool urgent_ = false;              // by write()
    Clock::time_point wanted_at_;
    std::function<void()> free_;
};

// Whoever changes a graph at once, as long as this lives.
class GraphWriting {
public:
    explicit GraphWriting(GraphLock& lock) : lock_{lock} { lock_.write(); }
    // try_write() has begun it.
    struct Begun {};
    static constexpr Begun begun{};
    GraphWriting(GraphLock& lock, Begun) : lock_{lock} {}
    ~GraphWriting() { lock_.written(); }
    GraphWriting(const GraphWriting&) = delete;
    GraphWriting& operator=(const GraphWriting&) = delete;

private:
    GraphLock& lock_;
};

// Whoever reads a graph, as long as this lives. On the core's thread there is no lock (null).
class GraphReading {
public:
    explicit GraphReading(GraphLock* lock) : lock_{lock} {
        if (lock_ != nullptr) {
            lock_->enter();
        }
    }
    ~GraphReading() {
        if (lock_ != nullptr) {
            lock_->leave();
        }
    }
    GraphReading(const GraphReading&) = delete;
    GraphReading& operator=(const GraphReading&) = delete;

    // As GraphLock::breathe(). The graph may grow meanwhile: what was seen stays as it was seen,
    // what comes later is as it is then.
    void breathe() const {
        if (lock_ != nullptr) {
            lock_->breathe();
        }
    }
    // What `work` gets from elsewhere, a disk say, which nobody is to wait for. As breathe(), the
    // graph may grow meanwhile.
    template <class Work>
    auto without_graph(const Work& work) const {
        struct Back {
            GraphLock* lock;
            ~Back() {
                if (lock != nullptr) {
                    lock->enter();
                }
            }
        } const back{lock_};
        if (lock_ != nullptr) {
            lock_->leave();
        }
        return work();
    }
    // Whether breathe() may let somebody in.
    bool wanted() const { return lock_ != nullptr && lock_->wanted(); }

private:
    GraphLock* lock_;
};

} // namespace adjourn::server
