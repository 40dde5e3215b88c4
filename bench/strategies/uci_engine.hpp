// UciEngine: a UCI program as a Searcher, one question at a time. Simpler than engine_bridge's pool
// on purpose: a measurement wants no retries, and must know when the memory is emptied.
#pragma once

#include "bench/strategies/searcher.hpp"

#include <chrono>
#include <map>
#include <sys/types.h>

namespace adjourn::bench {

class UciEngine final : public Searcher {
public:
    // `command`: program and arguments. Throws std::runtime_error that names it if it does not
    // start.
    UciEngine(std::vector<std::string> command, std::map<std::string, std::string> options);
    ~UciEngine() override;
    UciEngine(const UciEngine&) = delete;
    UciEngine& operator=(const UciEngine&) = delete;

    std::string identity() const override { return identity_; }
    void new_game() override;
    Found search(const Query& query) override;

private:
    void spawn();
    void send(const std::string& line);
    std::string line(); // the next one
    void ready();
    [[noreturn]] void fail(const std::string& what) const;

    std::vector<std::string> command_;
    std::string identity_;
    std::string buffer_;
    pid_t process_ = -1;
    int to_ = -1;
    int from_ = -1;
    int lines_ = 1; // MultiPV as set
};

} // namespace adjourn::bench
