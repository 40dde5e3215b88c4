#include "program.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace adjourn::server {

namespace asio = boost::asio;

namespace {

struct Pipe {
    int read = -1;
    int write = -1;
    Pipe() {
        int ends[2];
        REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
        read = ends[0];
        write = ends[1];
    }
    void close_write() {
        ::close(write);
        write = -1;
    }
    ~Pipe() {
        if (read >= 0) {
            ::close(read);
        }
        if (write >= 0) {
            ::close(write);
        }
    }
};

pid_t spawn(const std::vector<std::string>& command, int output, int errors) {
    std::vector<char*> words;
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, errors, 2);
    pid_t pid = -1;
    const int failed = posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    INFO("starting " << command.front());
    REQUIRE(failed == 0);
    return pid;
}

// The most memory that a running process has had, in bytes; 0 once it has ended. (What wait4()
// tells begins with that of the process which started it.)
std::size_t peak_of(pid_t pid) {
    std::ifstream status{"/proc/" + std::to_string(pid) + "/status"};
    std::string word;
    std::size_t kibibytes = 0;
    while (status >> word) {
        if (word == "VmHWM:" && status >> kibibytes) {
            return kibibytes << 10;
        }
    }
    return 0;
}

int exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace

std::filesystem::path program_path() {
    return std::filesystem::absolute(ADJOURN_PROGRAM);
}
std::filesystem::path hash_engine_path() {
    return std::filesystem::absolute(ADJOURN_HASH_ENGINE);
}
std::filesystem::path match_path() {
    return std::filesystem::absolute(ADJOURN_MATCH);
}

Finished run_command(const std::vector<std::string>& command) {
    Pipe output;
    Pipe errors;
    const pid_t pid = spawn(command, output.write, errors.write);
    output.close_write();
    errors.close_write();
    Finished result;
    pollfd fds[2]{{output.read, POLLIN, 0}, {errors.read, POLLIN, 0}};
    std::string* texts[2]{&result.output, &result.errors};
    int open = 2;
    while (open > 0) {
        poll(fds, 2, 20); // ms: between looks at its memory
        result.peak = std::max(result.peak, peak_of(pid));
        for (int i = 0; i < 2; ++i) {
            if (fds[i].fd < 0 || fds[i].revents == 0) {
                continue;
            }
            char buffer[4096];
            const ssize_t count = ::read(fds[i].fd, buffer, sizeof buffer);
            if (count > 0) {
                texts[i]->append(buffer, static_cast<std::size_t>(count));
            } else {
                fds[i].fd = -1;
                --open;
            }
        }
    }
    int status = 0;
    waitpid(pid, &status, 0);
    result.code = exit_code(status);
    return result;
}

namespace {

std::vector<std::string> program_with(const std::vector<std::string>& arguments) {
    std::vector<std::string> command{program_path().string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

int open_log(const std::filesystem::path& log) {
    return ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

} // namespace

Finished run_program(const std::vector<std::string>& arguments) {
    return run_command(program_with(arguments));
}

std::optional<std::string> pgn_extract() {
    for (const char* path : {"/usr/bin/pgn-extract", "/usr/games/pgn-extract"}) {
        if (access(path, X_OK) == 0) {
            return path;
        }
    }
    return std::nullopt;
}

std::filesystem::path write_config(const std::filesystem::path& directory, int count, int answer_ms,
                                   EngineKind kind) {
    const std::filesystem::path file = directory / "adjourn.toml";
    std::ofstream out{file};
    out << "[[engine]]\nname = \"hash\"\ncommand = ";
    if (kind == EngineKind::logging) {
        out << "[\"sh\", \"-c\", \"tee -a " << (directory / "engine.log").string() << " | "
            << hash_engine_path().string() << "\"]";
    } else {
        out << "[\"" << hash_engine_path().string() << "\"]";
    }
    out << "\ncount = " << count
        << "\nreproducible = " << (kind == EngineKind::reproducible ? "true" : "false")
        << "\noptions = { AnswerMs = " << answer_ms << " }\n";
    REQUIRE(out.flush());
    return file;
}

RunningProgram::RunningProgram(const std::vector<std::string>& arguments,
                               const std::filesystem::path& log) {
    const int out = open_log(log);
    pid_ = spawn(program_with(arguments), out, out);
    ::close(out);
}

RunningProgram::~RunningProgram() {
    kill();
}

void RunningProgram::signal(int number) const {
    ::kill(pid_, number);
}

void RunningProgram::kill() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        wait();
    }
}

int RunningProgram::interrupt() {
    ::kill(pid_, SIGINT);
    return wait();
}

int RunningProgram::wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return exit_code(status);
}

RunningServer::RunningServer(const std::filesystem::path& data, const std::filesystem::path& config,
                             const std::filesystem::path& log,
                             const std::vector<std::string>& more) {
    Pipe output;
    const int errors = open_log(log);
    const bool is_url = data.string().find("://") != std::string::npos;
    std::vector<std::string> words{"serve",         is_url ? "--store" : "--data",
                                   data.string(),   "--config",
                                   config.string(), "--listen",
                                   "127.0.0.1:0"};
    words.insert(words.end(), more.begin(), more.end());
    pid_ = spawn(program_with(words), output.write, errors);
    ::close(errors);
    output.close_write();
    output_ = std::exchange(output.read, -1);
    hear();
}

// One line, of where it listens or that it does not.
void RunningServer::hear() {
    std::string text;
    char byte = 0;
    while (::read(output_, &byte, 1) == 1 && byte != '\n') {
        text += byte;
    }
    const std::string before = "http://127.0.0.1:";
    const std::size_t at = text.find(before);
    INFO("the server said: " << text);
    REQUIRE((at != std::string::npos || text.starts_with("Adjourn stands by")));
    port_ = at == std::string::npos
                ? std::uint16_t{0}
                : static_cast<std::uint16_t>(std::stoi(text.substr(at + before.size())));
}

bool RunningServer::stands_by() {
    pollfd output{output_, POLLIN, 0};
    while (::poll(&output, 1, 0) == 1 && (output.revents & POLLIN) != 0) {
        hear();
    }
    return port_ == 0;
}

RunningServer::~RunningServer() {
    kill();
    ::close(output_);
}

std::pair<int, std::string> RunningServer::request(const std::string& method,
                                                   const std::string& target,
                                                   const std::string& body) const {
    auto answer = try_request(method, target, body);
    INFO(method << " " << target);
    REQUIRE(answer);
    return std::move(*answer);
}

std::optional<std::pair<int, std::string>>
RunningServer::try_request(const std::string& method, const std::string& target,
                           const std::string& body) const {
    asio::io_context context;
    asio::ip::tcp::socket socket{context};
    boost::system::error_code end; // the peer closes when it is done
    socket.connect({asio::ip::address_v4::loopback(), port_}, end);
    std::string text = method + (target == "/metrics" ? " " : " /api/v1") + target +
                       " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                       "\r\nConnection: close\r\n";
    if (!token_.empty()) {
        text += "Authorization: Bearer " + token_ + "\r\n";
    }
    if (!body.empty()) {
        text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                "\r\n";
    }
    asio::write(socket, asio::buffer(text + "\r\n" + body), end);
    std::string answer;
    asio::read(socket, asio::dynamic_buffer(answer), end);
    const std::size_t head = answer.find("\r\n\r\n");
    if (head == std::string::npos) {
        return std::nullopt;
    }
    return std::pair{std::stoi(answer.substr(9, 3)), answer.substr(head + 4)};
}

nlohmann::json RunningServer::get(const std::string& target) const {
    const auto [status, body] = request("GET", target);
    INFO(target << ": " << body);
    REQUIRE(status == 200);
    return nlohmann::json::parse(body);
}

} // namespace adjourn::server
