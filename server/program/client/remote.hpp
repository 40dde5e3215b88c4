// Remote: the API as a command uses it, of a service in this process or of the server that has the
// store. There is no other way from a command to what a store holds.
#pragma once

#include "host/service.hpp"
#include "program/cli/common.hpp"

#include <nlohmann/json.hpp>

#include <expected>
#include <filesystem>
#include <functional>
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
inline int failed(const Refusal& why) {
    return failed(why.message);
}
// The same, but exit_bad_use where the request is to blame.
inline int refused(const Refusal& why) {
    return why.request ? bad_use(why.message) : failed(why);
}

class Remote {
public:
    template <class T>
    using Or = std::expected<T, Refusal>;
    virtual ~Remote() = default;

    // Finds the analysis with the same definition (records/analysis_definition.hpp) and lets it go
    // on, or creates one.
    Or<StartedAnalysis> start(const nlohmann::json& wanted);
    // Each blocks until it is answered; a status other than 2xx is a refusal.
    Or<std::string> text(const std::string& target) { return asked("GET", target, "", ""); }
    Or<nlohmann::json> get(const std::string& target);
    Or<nlohmann::json> post_text(const std::string& target, const std::string& body);
    Or<nlohmann::json> post(const std::string& target, const nlohmann::json& body);
    Or<nlohmann::json> patch(const std::string& target, const nlohmann::json& changes);
    Or<std::string> remove(const std::string& target) { return asked("DELETE", target, "", ""); }
    // Where the page is, as this command reaches it; "" where no server runs.
    virtual std::string page() const { return ""; }
    // Holds an analysis that cannot go on.
    void abandon(std::int64_t id);
    // Whether waiting longer makes no sense (an engine that can't be started); its reason says why.
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
    Or<std::string> asked(const std::string& method, const std::string& target,
                          const std::string& body, const std::string& content_type);
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

    const std::string url_;
    std::unique_ptr<HttpLink> link_; // from the first request on
};

// Calls `work` once and returns its exit code; 1 or 2 after a message if it cannot come to that.
// `engine`: a profile of the configuration, "" = the first. Blocks the stop signals.
int with_engines(const CommonOptions& common, const std::string& engine,
                 const std::function<int(Remote&)>& work);
// The same without engines: what is stored is looked at or changed.
enum class Missing : std::uint8_t { refused, made }; // a data directory that is not there
int with_store(const CommonOptions& common, const std::function<int(Remote&)>& work,
               Missing missing = Missing::refused);

} // namespace adjourn::server
