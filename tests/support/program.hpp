// The program as a user has it: started, talked to, killed.
#pragma once

#include "test.hpp"

#include <nlohmann/json.hpp>

#include <sys/types.h>

namespace adjourn::server {

std::filesystem::path program_path();
std::filesystem::path hash_engine_path();
std::filesystem::path match_path();

struct Finished {
    int code = 0; // exit code; -signal if killed
    std::string output;
    std::string errors;
    std::size_t peak = 0; // bytes of memory that it held at most
};

// Runs `adjourn ARGUMENTS…` to its end.
Finished run_program(const std::vector<std::string>& arguments);
// Any other command, found in the PATH.
Finished run_command(const std::vector<std::string>& command);
// Debian's, which is not in everybody's PATH; nullopt where it is not installed.
std::optional<std::string> pgn_extract();

enum class EngineKind {
    logging,      // what it is told goes to DIR/engine.log
    plain,        // the process is the engine itself
    reproducible, // the same, in reproducible mode
};
// Writes DIR/adjourn.toml with `count` hash_engines that take `answer_ms`. Returns its path.
std::filesystem::path write_config(const std::filesystem::path& directory, int count, int answer_ms,
                                   EngineKind kind = EngineKind::logging);

// `adjourn ARGUMENTS…`, which goes on by itself.
class RunningProgram {
public:
    explicit RunningProgram(const std::vector<std::string>& arguments,
                            const std::filesystem::path& log = "/dev/null");
    ~RunningProgram(); // kills
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    void signal(int number) const;
    void kill();     // -9, and waits
    int interrupt(); // Ctrl-C, and waits; the exit code

protected:
    RunningProgram() = default;
    int wait();

    pid_t pid_ = -1;
};

// `adjourn serve` on a free port of the loopback interface.
class RunningServer : public RunningProgram {
public:
    // `data`: a directory, or the URL of a database. `more`: further words of the command.
    RunningServer(const std::filesystem::path& data, const std::filesystem::path& config,
                  const std::filesystem::path& log = "/dev/null",
                  const std::vector<std::string>& more = {});
    ~RunningServer(); // kills

    std::uint16_t port() const { return port_; } // 0 while it stands by
    // Whether it does, as it said last. Does not block.
    bool stands_by();
    // Status and body of one request; the API's path without /api/v1.
    std::pair<int, std::string> request(const std::string& method, const std::string& target,
                                        const std::string& body = "") const;
    // The same; nullopt where nobody answers.
    std::optional<std::pair<int, std::string>> try_request(const std::string& method,
                                                           const std::string& target,
                                                           const std::string& body = "") const;
    void show(std::string token) { token_ = std::move(token); } // in requests from now on
    nlohmann::json get(const std::string& target) const;
    void hang_up() const { signal(SIGHUP); }

private:
    void hear();

    int output_ = -1;
    std::uint16_t port_ = 0;
    std::string token_;
};

} // namespace adjourn::server

// For who includes this.
using namespace adjourn::server;
using nlohmann::json;
