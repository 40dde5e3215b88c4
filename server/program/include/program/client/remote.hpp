// Remote: the API as a command uses it, of the service in this process or of a server elsewhere.
#pragma once

#include "host/service.hpp"

#include <nlohmann/json.hpp>

#include <expected>
#include <memory>
#include <string>

namespace adjourn::server {

class HttpLink;

struct StartedAnalysis {
    std::int64_t id = 0;
    nlohmann::json before; // the analysis as it was, if it was there already; else null
};

// Why a request was not served.
struct Refusal {
    std::string message;  // for people; where an option stands for the place, it is named so
    bool request = false; // the request is to blame, and what it asks about is there

    friend bool operator==(const Refusal&, const Refusal&) = default;
};

class Remote {
public:
    virtual ~Remote() = default;

    // Finds the analysis with the same definition (records/analysis_definition.hpp) and lets it go
    // on, or creates one.
    std::expected<StartedAnalysis, Refusal> start(const nlohmann::json& wanted);
    std::expected<nlohmann::json, std::string> get(const std::string& target);
    std::expected<std::string, Refusal> text(const std::string& target);
    // The answer to a POST of text; a status other than 200 is an error.
    std::expected<nlohmann::json, std::string> post_text(const std::string& target,
                                                         const std::string& body);
    // The answer to a POST of JSON; a status other than 200 and 201 is an error.
    std::expected<nlohmann::json, std::string> post(const std::string& target,
                                                    const nlohmann::json& body);
    // A PATCH; a status other than 200 is an error.
    std::expected<nlohmann::json, std::string> patch(const std::string& target,
                                                     const nlohmann::json& changes);
    std::expected<void, std::string> remove(const std::string& target); // a DELETE
    // Where the page is, as this command reaches it; "" where no server runs.
    virtual std::string page() const { return ""; }
    // Holds an analysis that cannot go on.
    void abandon(std::int64_t id);
    // Whether waiting longer makes no sense (an engine that can't be started).
    virtual bool hopeless(const nlohmann::json& analysis) const = 0;

protected:
    struct Reply {
        int status = 0;
        std::string body;
    };
    virtual std::expected<Reply, std::string> send(const std::string& method,
                                                   const std::string& target,
                                                   const std::string& body,
                                                   const std::string& content_type) = 0;
    virtual void chosen(std::int64_t id) { (void)id; }

private:
    static std::expected<nlohmann::json, std::string>
    done(const std::expected<Reply, std::string>& reply);
};

// The service of this process, which then works on nothing but the analysis started.
class LocalRemote final : public Remote {
public:
    explicit LocalRemote(Service& service) : service_{service} {}
    bool hopeless(const nlohmann::json& analysis) const override;

private:
    std::expected<Reply, std::string> send(const std::string& method, const std::string& target,
                                           const std::string& body,
                                           const std::string& content_type) override;
    void chosen(std::int64_t id) override;

    Service& service_;
};

// A server, by its URL ("http://127.0.0.1:8462"). The token is taken from $ADJOURN_TOKEN.
class HttpRemote final : public Remote {
public:
    explicit HttpRemote(std::string url);
    ~HttpRemote() override;
    bool hopeless(const nlohmann::json&) const override { return false; }
    std::string page() const override { return url_; }

private:
    std::expected<Reply, std::string> send(const std::string& method, const std::string& target,
                                           const std::string& body,
                                           const std::string& content_type) override;

    std::string url_;
    std::unique_ptr<HttpLink> link_; // from the first request on
};

} // namespace adjourn::server
