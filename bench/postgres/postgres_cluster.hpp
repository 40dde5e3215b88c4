// PostgresCluster: a PostgreSQL server of a test's or benchmark's own, in a temporary directory,
// reached by a unix socket there and by nothing else. Removed with the object, and also if the
// process is killed.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>

namespace adjourn {

class PostgresCluster {
public:
    enum class Durable : bool { no, yes }; // whether it waits for the disk

    // Why there can be none here; "" if there can.
    static std::string missing();

    // Throws std::runtime_error with what the server's programs said.
    explicit PostgresCluster(Durable durable = Durable::no);
    ~PostgresCluster();
    PostgresCluster(const PostgresCluster&) = delete;
    PostgresCluster& operator=(const PostgresCluster&) = delete;

    // A new and empty database; its URL.
    std::string new_database();
    // Runs SQL there, as its superuser; what it prints, one row a line. Throws std::runtime_error.
    std::string sql(const std::string& url, const std::string& text) const;

    int process() const; // its first one, which has all others as children
    void start();
    void stop();  // as an administrator does: connections end, everything is on the disk
    void crash(); // at once, as if the power failed
    // All its processes are stopped where they are, and go on: it is there, and says nothing.
    void freeze() const;
    void thaw() const;

private:
    void control(const std::string& words) const;
    void signal(int number) const;

    std::filesystem::path directory_;
    std::string options_;
    std::FILE* guard_ = nullptr; // a process that removes everything when this one ends
    int databases_ = 0;
};

// One for all of a program, made when the first one wants it. Throws as the constructor.
PostgresCluster& shared_cluster();

} // namespace adjourn
