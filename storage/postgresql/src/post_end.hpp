// PostConnection: the connection of one side of the post, which listens; made when it is wanted,
// and anew when it was lost.
#pragma once

#include "connection.hpp"
#include "storage/post.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace adjourn::storage::postgresql {

class PostConnection {
public:
    PostConnection(std::string url, std::string shown);
    ~PostConnection();
    PostConnection(const PostConnection&) = delete;
    PostConnection& operator=(const PostConnection&) = delete;

    // What is heard from now on; "" = nothing.
    void listen(const std::string& channel);
    // Runs it on a connection; one that fails is dropped.
    template <class Work>
    auto use(Work work) {
        Connection& connection = connected();
        try {
            return work(connection);
        } catch (...) {
            connection_.reset();
            throw;
        }
    }
    void wait(std::chrono::milliseconds most);
    void wake();

private:
    Connection& connected();

    const std::string url_, shown_;
    std::string channel_;
    int wake_ = -1;      // an eventfd
    bool fresh_ = false; // connected since the last wait: what was told before is not heard
    std::unique_ptr<Connection> connection_;
};

} // namespace adjourn::storage::postgresql
