#include "bench/postgres/postgres_cluster.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace adjourn {

namespace {

namespace fs = std::filesystem;

constexpr unsigned nobody = 65'534;

// Where Debian puts the server's programs, the newest version's; empty if there is none.
fs::path programs() {
    std::vector<fs::path> found;
    std::error_code missing;
    for (const auto& version : fs::directory_iterator{"/usr/lib/postgresql", missing}) {
        if (fs::exists(version.path() / "bin" / "initdb") &&
            fs::exists(version.path() / "bin" / "psql")) {
            found.push_back(version.path() / "bin");
        }
    }
    return found.empty() ? fs::path{} : *std::ranges::max_element(found);
}

// The server runs for no superuser of the system.
std::string unprivileged() {
    return ::geteuid() == 0 ? "setpriv --reuid=" + std::to_string(nobody) +
                                  " --regid=" + std::to_string(nobody) + " --clear-groups -- "
                            : "";
}

std::string output_of(const std::string& command) {
    std::FILE* const pipe = ::popen((command + " 2>&1 </dev/null").c_str(), "re");
    if (pipe == nullptr) {
        throw std::runtime_error{"cannot run " + command};
    }
    std::string text;
    char buffer[4096];
    for (std::size_t size = 0; (size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
        text.append(buffer, size);
    }
    if (::pclose(pipe) != 0) {
        throw std::runtime_error{command + ": " + text};
    }
    return text;
}

} // namespace

std::string PostgresCluster::missing() {
#ifdef ADJOURN_POSTGRESQL
    return programs().empty() ? "PostgreSQL's server is not installed (postgresql)" : "";
#else
    return "this build has no PostgreSQL (libpq-dev)";
#endif
}

PostgresCluster::PostgresCluster(Durable durable) {
    std::string pattern = (fs::temp_directory_path() / "adjourn-pg-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr ||
        (::geteuid() == 0 && ::chown(pattern.c_str(), nobody, nobody) != 0)) {
        throw std::runtime_error{"cannot make " + pattern};
    }
    directory_ = pattern;
    const std::string bin = programs().string();
    // Ends with the pipe, whatever ends this process.
    guard_ = ::popen(("exec setsid sh -c 'cat >/dev/null; cd /; " + unprivileged() + bin +
                      "/pg_ctl -D " + pattern + "/data -m immediate stop >/dev/null 2>&1; rm -rf " +
                      pattern + "'")
                         .c_str(),
                     "we");
    output_of("cd " + pattern + " && " + unprivileged() + bin + "/initdb -D " + pattern +
              "/data -U adjourn -A trust -E UTF8 --locale=C --no-sync --no-instructions "
              "--wal-segsize=4");
    options_ =
        "-k " + pattern +
        " -c listen_addresses= -c max_connections=400 -c shared_buffers=32MB -c max_wal_size=64MB "
        "-c min_wal_size=16MB" +
        (durable == Durable::yes ? "" : " -c fsync=off");
    start();
}

PostgresCluster::~PostgresCluster() {
    if (guard_ != nullptr) {
        ::pclose(guard_);
    }
}

void PostgresCluster::control(const std::string& words) const {
    // What the server writes goes to a file: a pipe would stay open as long as it runs.
    output_of("cd " + directory_.string() + " && " + unprivileged() + programs().string() +
              "/pg_ctl -D " + directory_.string() + "/data -w -t 60 -l " + directory_.string() +
              "/log " + words + " >/dev/null");
}

void PostgresCluster::start() {
    control("-o \"" + options_ + "\" start");
}

int PostgresCluster::process() const {
    int number = 0;
    std::ifstream{directory_ / "data" / "postmaster.pid"} >> number;
    return number;
}

// The first one before its children, so that it starts no other.
void PostgresCluster::signal(int number) const {
    const int first = process();
    ::kill(first, number);
    for (const auto& entry : fs::directory_iterator{"/proc"}) {
        std::ifstream in{entry.path() / "stat"}; // "123 (name) S 1 …"
        std::string line;
        int own = 0, parent = 0;
        char state = 0;
        if (std::getline(in, line) && line.find(") ") != std::string::npos) {
            std::istringstream{line} >> own;
            std::istringstream{line.substr(line.rfind(") ") + 2)} >> state >> parent;
        }
        if (own != 0 && parent == first) {
            ::kill(own, number);
        }
    }
}

void PostgresCluster::freeze() const {
    signal(SIGSTOP);
}

void PostgresCluster::thaw() const {
    signal(SIGCONT);
}

void PostgresCluster::stop() {
    control("-m fast stop");
}

void PostgresCluster::crash() {
    control("-m immediate stop");
}

std::string PostgresCluster::new_database() {
    const std::string name = "test" + std::to_string(++databases_);
    const std::string host = "?host=" + directory_.string();
    sql("postgresql://adjourn@/postgres" + host, "CREATE DATABASE " + name);
    return "postgresql://adjourn@/" + name + host;
}

std::string PostgresCluster::sql(const std::string& url, const std::string& text) const {
    static std::atomic<int> calls = 0; // two may be under way
    const fs::path file = directory_ / ("statements" + std::to_string(++calls) + ".sql");
    std::ofstream{file} << text;
    return output_of(programs().string() + "/psql -X -q -A -t -v ON_ERROR_STOP=1 -f " +
                     file.string() + " '" + url + "'");
}

PostgresCluster& shared_cluster() {
    static PostgresCluster cluster;
    return cluster;
}

} // namespace adjourn
