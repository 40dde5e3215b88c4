#include "engine_bridge/process/process.hpp"

#include "engine_bridge/process/process_guard.hpp"
#include "engine_bridge/process/tail_buffer.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <unistd.h>

namespace adjourn::engine_bridge {
namespace {

using boost::asio::posix::stream_descriptor;

enum class ReadEnd : std::uint8_t { drained, limit, closed };

class AsioProcess final : public Process, public std::enable_shared_from_this<AsioProcess> {
public:
    AsioProcess(const boost::asio::any_io_executor& executor, Spawned spawned, Events events,
                ProcessGuard* guard)
        : events_{std::move(events)}, guard_{guard}, child_{std::move(spawned.child)},
          input_{executor, spawned.input.release()}, output_{executor, spawned.output.release()},
          error_{executor, spawned.errors.release()}, end_{executor, child_->end_fd()} {
        if (guard_ != nullptr) {
            guard_->add(child_->pid());
        }
    }

    ~AsioProcess() override { release_end(); }

    void run() {
        wait_for_output();
        wait_for_errors();
        end_.async_wait(stream_descriptor::wait_read,
                        [self = shared_from_this()](const boost::system::error_code& error) {
                            if (!error && !self->detached_) {
                                self->on_end();
                            }
                        });
    }

    void write(std::string_view bytes) override {
        if (!input_.is_open() || closing_) {
            return;
        }
        unsent_ += bytes;
        if (!waiting_to_write_) {
            flush();
        }
    }

    void close_input() override {
        closing_ = true;
        if (unsent_.empty()) {
            close(input_);
        }
    }

    std::string errors() const override { return errors_.last_lines(); }

    void detach() override {
        detached_ = true;
        guard_ = nullptr; // may be gone before we are
        close(input_);
        close(output_);
        close(error_);
        release_end();
    }

    const std::shared_ptr<Child>& child() const override { return child_; }

private:
    // Engines write little; one that floods must not starve the others on this executor.
    static constexpr std::size_t max_read_per_turn = 256 * 1024;

    static void close(stream_descriptor& descriptor) {
        boost::system::error_code ignored; // a pipe end has nothing to lose on close
        descriptor.close(ignored);
    }

    // The descriptor belongs to the child, which may have to be reaped by another thread.
    void release_end() {
        if (end_.is_open()) {
            end_.release();
        }
    }

    void flush() {
        while (!unsent_.empty()) {
            const ssize_t sent = ::write(input_.native_handle(), unsent_.data(), unsent_.size());
            if (sent >= 0) {
                unsent_.erase(0, static_cast<std::size_t>(sent));
            } else if (errno == EAGAIN) {
                waiting_to_write_ = true;
                input_.async_wait(stream_descriptor::wait_write,
                                  [self = shared_from_this()](const boost::system::error_code& e) {
                                      self->waiting_to_write_ = false;
                                      if (!e) {
                                          self->flush();
                                      }
                                  });
                return;
            } else if (errno != EINTR) { // EPIPE: it closed its stdin; its end will be told by end_
                unsent_.clear();
                close(input_);
                return;
            }
        }
        if (closing_) {
            close(input_);
        }
    }

    void wait_for_output() {
        output_.async_wait(stream_descriptor::wait_read,
                           [self = shared_from_this()](const boost::system::error_code& error) {
                               if (!error &&
                                   self->read_output(max_read_per_turn) != ReadEnd::closed) {
                                   self->wait_for_output();
                               }
                           });
    }

    void wait_for_errors() {
        error_.async_wait(stream_descriptor::wait_read,
                          [self = shared_from_this()](const boost::system::error_code& error) {
                              if (!error &&
                                  self->read_errors(max_read_per_turn) != ReadEnd::closed) {
                                  self->wait_for_errors();
                              }
                          });
    }

    // Reads what is there, at most about `limit` bytes, without blocking.
    template <typename Sink>
    ReadEnd read(stream_descriptor& from, std::size_t limit, Sink sink) {
        std::array<char, 16 * 1024> bytes; // NOLINT: filled by read
        std::size_t total = 0;
        while (from.is_open()) {
            const ssize_t count = ::read(from.native_handle(), bytes.data(), bytes.size());
            if (count > 0) {
                sink(std::string_view{bytes.data(), static_cast<std::size_t>(count)});
                total += static_cast<std::size_t>(count);
                if (total >= limit) {
                    return ReadEnd::limit;
                }
                if (static_cast<std::size_t>(count) < bytes.size()) {
                    return ReadEnd::drained;
                }
            } else if (count == 0) {
                return ReadEnd::closed;
            } else if (errno == EAGAIN) {
                return ReadEnd::drained;
            } else if (errno != EINTR) {
                return ReadEnd::closed;
            }
        }
        return ReadEnd::closed;
    }

    ReadEnd read_output(std::size_t limit) {
        return read(output_, limit, [this](std::string_view bytes) {
            const LineBuffer::Lines lines = lines_.feed(bytes);
            deliver(lines);
        });
    }

    ReadEnd read_errors(std::size_t limit) {
        return read(error_, limit, [this](std::string_view bytes) { errors_.append(bytes); });
    }

    void deliver(const LineBuffer::Lines& lines) {
        if (!detached_ && (!lines.lines.empty() || lines.overlong)) {
            events_.output(lines); // may detach() us
        }
    }

    // It is dead but not reaped. What it wrote before is in the pipes: read that first.
    void on_end() {
        child_->signal(SIGKILL); // what is left of its group, so that nobody holds the pipes
        constexpr std::size_t last_words = 4 * 1024 * 1024;
        read_errors(last_words);
        read_output(last_words);
        if (!lines_.rest().empty()) {
            deliver(lines_.feed("\n"));
        }
        if (guard_ != nullptr) {
            guard_->remove(child_->pid());
        }
        const std::optional<ExitStatus> status = child_->reap();
        if (!detached_) {
            detach();
            events_.exited(status.value_or(ExitStatus{}));
        }
    }

    Events events_;
    ProcessGuard* guard_;
    std::shared_ptr<Child> child_;
    stream_descriptor input_;
    stream_descriptor output_;
    stream_descriptor error_;
    stream_descriptor end_; // readable once the child has ended
    LineBuffer lines_;
    std::string unsent_;
    bool waiting_to_write_ = false;
    bool closing_ = false;
    TailBuffer errors_{max_errors};
    bool detached_ = false;
};

} // namespace

std::expected<std::shared_ptr<Process>, SpawnError>
Process::start(const boost::asio::any_io_executor& executor,
               const std::vector<std::string>& command, Events events, ProcessGuard* guard,
               const ResourceLimits& limits) {
    auto spawned = spawn(command, limits);
    if (!spawned) {
        return std::unexpected(std::move(spawned.error()));
    }
    auto process =
        std::make_shared<AsioProcess>(executor, std::move(*spawned), std::move(events), guard);
    process->run();
    return process;
}

} // namespace adjourn::engine_bridge
