#include "lichess/provider.hpp"

#include "base/files.hpp"
#include "base/json_reader.hpp"
#include "base/text.hpp"
#include "chess/uci/command.hpp"
#include "core/guards/guard.hpp"
#include "engine_bridge/process/text.hpp"
#include "uci/front_end.hpp"
#include "uci/settings.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <expected>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace adjourn::server::lichess {

using nlohmann::json;
using namespace std::chrono_literals;

namespace {

// LichessCalls: the calls by which an external engine of lichess registers and takes work, and what
// their answers mean. https://lichess.org/api, "External engine".

// What lichess shows of the engine, and by what it knows who answers for it.
struct Registration {
    std::string name; // 3 to 200 characters
    std::int64_t threads = 1;
    std::int64_t hash = 1; // MiB
    std::string secret;
};

struct CallTrouble {
    std::string message;  // for people
    bool refused = false; // the token does not do: asking again helps nobody
    std::optional<std::chrono::seconds> wait = {}; // that the server wants
};

constexpr std::chrono::milliseconds usual_patience{20'000};
constexpr std::chrono::milliseconds longest_poll{40'000}; // lichess answers after ten seconds
// As lichess asks for, where it does not say how long.
constexpr std::chrono::seconds wait_by_default{60};
constexpr std::chrono::seconds longest_wait_taken{3'600};
constexpr std::size_t most_answer = 1U << 20; // bytes
constexpr std::size_t longest_words = 200;    // of a server, in a message

const std::string engines_path = "/api/external-engine";

// What a server says of a refusal: {"error": "…"}, or text.
std::string words_of(const HttpLink::Reply& reply) {
    std::string words = reply.body;
    const auto body = base::parse_json(reply.body);
    if (body && body->is_object() && body->contains("error") && (*body)["error"].is_string()) {
        words = (*body)["error"];
    }
    words = base::readable(base::without_secrets(words).substr(0, longest_words));
    return std::to_string(reply.status) + (words.empty() ? "" : ": " + words);
}

CallTrouble trouble_of(const Host& host,
                       const std::expected<HttpLink::Reply, HttpLink::Trouble>& reply) {
    if (!reply) {
        return {reply.error().untrusted
                    ? host.shown + " shows a certificate that this machine does not trust: " +
                          reply.error().message
                    : host.shown + " does not answer: " + reply.error().message};
    }
    if (reply->status == 401 || reply->status == 403) {
        return {host.shown + " refuses the token (" + words_of(*reply) +
                    "). It needs the scopes engine:read and engine:write, no others; make one on " +
                    token_page(host.shown),
                true};
    }
    CallTrouble trouble{host.shown + " answers " + words_of(*reply)};
    if (reply->status == 429) {
        trouble.wait = std::min(reply->retry_after.value_or(wait_by_default), longest_wait_taken);
    }
    return trouble;
}

bool is_success(const std::expected<HttpLink::Reply, HttpLink::Trouble>& reply) {
    return reply && reply->status >= 200 && reply->status < 300;
}

// The id of the first engine of that name; "" where there is none. nullopt where this is no list of
// engines.
std::optional<std::string> engine_named(const std::string& name, const std::string& body) {
    const auto list = base::parse_json(body);
    if (!list || !list->is_array()) {
        return std::nullopt;
    }
    for (const json& engine : *list) {
        if (!engine.is_object() || !engine.contains("id") || !engine["id"].is_string()) {
            return std::nullopt;
        }
        if (engine.contains("name") && engine["name"] == name) {
            return engine["id"].get<std::string>();
        }
    }
    return "";
}

// For one thread, but for close(). Everything blocks until the server has answered.
class LichessCalls {
public:
    template <class T>
    using Or = std::expected<T, CallTrouble>;

    // The token goes to `site` alone. `broker` hands out work, to whoever knows the secret.
    LichessCalls(Host site, const std::string& token, Host broker)
        : site_{std::move(site)}, broker_{std::move(broker)},
          site_link_{site_.url, token, most_answer}, broker_link_{broker_.url, "", most_answer} {}

    // Registers the engine, or changes the one of that name. Returns whether there was one.
    Or<bool> announce(const Registration& registration) {
        base::keep_secret(registration.secret);
        const Reply list = site_link_.send("GET", engines_path, "", usual_patience);
        if (!is_success(list)) {
            return std::unexpected(trouble_of(site_, list));
        }
        const auto id = engine_named(registration.name, list->body);
        if (!id || !(id->empty() || is_id(*id))) {
            return std::unexpected(
                CallTrouble{site_.shown + " answers with something else than a list of engines"});
        }
        const json body{{"name", registration.name},
                        {"maxThreads", std::clamp<std::int64_t>(registration.threads, 1, 65'536)},
                        {"maxHash", std::clamp<std::int64_t>(registration.hash, 1, 1'048'576)},
                        {"variants", {"chess"}},
                        {"providerSecret", registration.secret}};
        const bool known = !id->empty();
        const Reply reply = site_link_.send(
            known ? "PUT" : "POST", engines_path + (known ? "/" + *id : ""),
            body.dump(-1, ' ', false, json::error_handler_t::replace), usual_patience);
        if (!is_success(reply)) {
            return std::unexpected(trouble_of(site_, reply));
        }
        return known;
    }

    // Waits some seconds for work: JSON; nullopt where there is none.
    Or<std::optional<std::string>> take(const std::string& secret) {
        Reply reply = broker_link_.send("POST", engines_path + "/work",
                                        json{{"providerSecret", secret}}.dump(), longest_poll);
        if (!is_success(reply)) {
            CallTrouble trouble = trouble_of(broker_, reply);
            if (trouble.refused) { // it was told no token
                trouble.message = broker_.shown + " hands out no work (" + words_of(*reply) + ")";
            }
            return std::unexpected(std::move(trouble));
        }
        if (reply->status != 200) {
            return std::nullopt;
        }
        return std::move(reply->body);
    }

    // What is under way fails, and whatever comes. Any thread.
    void close() {
        site_link_.close();
        broker_link_.close();
    }

private:
    using Reply = std::expected<HttpLink::Reply, HttpLink::Trouble>;

    const Host site_;
    const Host broker_;
    HttpLink site_link_;
    HttpLink broker_link_;
};

constexpr std::string_view for_people = "info string ";

std::pair<base::UniqueFd, base::UniqueFd> new_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error{errno, std::generic_category(), "no pipe can be made"};
    }
    return {base::UniqueFd{ends[0]}, base::UniqueFd{ends[1]}};
}

std::string set_option(const std::string& name, std::int64_t value) {
    return "setoption name " + name + " value " + std::to_string(value);
}

// Also for a time: what a move of a game is worth is not asked here, and evaluations of one size
// are found again, however long the page looks.
std::string go_command(const Work& work) {
    return work.depth   ? "go depth " + std::to_string(*work.depth)
           : work.nodes ? "go nodes " + std::to_string(*work.nodes)
                        : "go infinite";
}

// EngineSession: the front end of `adjourn uci` on a thread of its own, for works that come one
// after the other, of which the newest counts.

class EngineSession {
public:
    using Body = std::shared_ptr<StreamedBody>;

    // `store`, `server`: as for uci::run_front_end(). `tell` gets what the front end says for
    // people, on a thread of the session, which it must not block. REQUIRES: config.engines is not
    // empty. Throws std::system_error if there are no descriptors left.
    EngineSession(Config config, const std::filesystem::path& store, const std::string& server,
                  std::function<void(const std::string&)> tell)
        : workers_{static_cast<int>(config.engines.front().count)},
          threads_{std::max<std::int64_t>(1, uci::option_of(config.engines.front(), "Threads", 1))},
          tell_{std::move(tell)}, wake_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
        auto [input, to_input] = new_pipe();
        auto [output, from_output] = new_pipe();
        input_ = std::move(input);
        to_input_ = std::move(to_input);
        output_ = std::move(output);
        if (!wake_.open()) {
            throw std::system_error{errno, std::generic_category(), "no event can be made"};
        }
        uci::FrontEndOptions options{store, input_.get(), from_output.get()};
        options.server = server;
        front_end_ = std::thread{
            [config = std::move(config), options, end = std::move(from_output)]() mutable {
                guarded("the analysis", [&] { uci::run_front_end(std::move(config), options); });
                end.close();
            }};
        listener_ = std::thread{[this] { guarded("the analysis's lines", [this] { listen(); }); }};
        const std::lock_guard lock{mutex_};
        say("setoption name UCI_Chess960 value true"); // as lichess writes castling
        say("setoption name EngineDepth value true");
        say("isready"); // opens the store and starts the engines before anything is asked
    }

    // ends the search; blocks until everything is stored
    ~EngineSession() {
        to_input_.close(); // "quit"
        front_end_.join();
        listener_.join();
    }

    // The work before ends, and its body. What is found goes into `body`, as lines of UCI with a
    // score and moves, what the store has first; the body ends with the search. Does not wait.
    void begin(const Work& work, Body body) {
        const std::lock_guard lock{mutex_};
        if (!searches_.empty()) {
            searches_.back().body->end();
        }
        if (work.game.position.legal_moves().empty()) {
            body->end(); // the page knows that the game is over
            if (!searches_.empty()) {
                stop(searches_.back());
            }
            return;
        }
        if (work.session != session_) {
            session_ = work.session;
            say("ucinewgame");
        }
        say(set_option("Workers", std::clamp<std::int64_t>(work.threads / threads_, 1, workers_)));
        say(set_option("MultiPV", work.lines));
        say(work.position);
        say(go_command(work)); // has the search before answer at once
        searches_.push_back({std::move(body), work.movetime
                                                  ? std::optional{Clock::now() + *work.movetime}
                                                  : std::nullopt});
        const std::uint64_t one = 1;
        (void)!::write(wake_.get(), &one, sizeof one);
    }

    // If the search for that body still runs, it ends. Does not wait.
    void stop(const Body& body) {
        const std::lock_guard lock{mutex_};
        body->end();
        // Only the last: what comes after one has ended it.
        if (!searches_.empty() && searches_.back().body == body) {
            stop(searches_.back());
        }
    }

private:
    using Clock = std::chrono::steady_clock;

    // From "go" to its "bestmove".
    struct Search {
        Body body;
        std::optional<Clock::time_point> due; // of "stop"
        bool stopped = false;
    };

    // Of these, down to until_due(), the caller holds the mutex.

    // The front end reads its input all the time, whatever goes on.
    void say(const std::string& line) {
        const std::string text = line + '\n';
        std::string_view rest{text};
        while (!rest.empty()) {
            const ssize_t count = ::write(to_input_.get(), rest.data(), rest.size());
            if (count > 0) {
                rest.remove_prefix(static_cast<std::size_t>(count));
            } else if (errno != EINTR) {
                return; // it has ended, which is in the log
            }
        }
    }

    void stop(Search& search) {
        if (!std::exchange(search.stopped, true)) {
            say("stop");
        }
    }

    void hear(std::string_view line) {
        if (line.starts_with(for_people)) {
            const std::string said{line.substr(for_people.size())};
            if (said.contains(chess::uci::any_legal_move)) {
                arbitrary_ = true;
            } else if (said != told_) {
                tell_(said);
                told_ = said;
            }
        } else if (line.starts_with("bestmove")) {
            arbitrary_ = false;
            if (!searches_.empty()) {
                searches_.front().body->end();
                searches_.pop_front();
            }
        } else if (!searches_.empty() && !arbitrary_ && line.starts_with("info depth ") &&
                   line.contains(" score ") && line.contains(" pv ")) {
            searches_.front().body->add(std::string{line} + '\n');
        }
    }

    // Milliseconds, rounded up; −1 where nothing is due.
    std::chrono::milliseconds until_due() {
        if (searches_.empty() || !searches_.back().due || searches_.back().stopped) {
            return std::chrono::milliseconds{-1};
        }
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(*searches_.back().due - Clock::now());
        if (left > std::chrono::milliseconds{0}) {
            return std::min(left, std::chrono::milliseconds{std::numeric_limits<int>::max()});
        }
        stop(searches_.back());
        return std::chrono::milliseconds{-1};
    }

    void listen() {
        engine_bridge::LineBuffer buffer;
        std::array<char, 16 * 1024> bytes{};
        while (true) {
            std::chrono::milliseconds patience{};
            {
                const std::lock_guard lock{mutex_};
                patience = until_due();
            }
            std::array<pollfd, 2> fds{{{output_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
            if (poll(fds.data(), fds.size(), static_cast<int>(patience.count())) < 0) {
                if (errno == EINTR) {
                    continue;
                }
                return;
            }
            if (fds[1].revents != 0) {
                std::uint64_t count = 0;
                (void)!::read(wake_.get(), &count, sizeof count);
            }
            if (fds[0].revents == 0) {
                continue;
            }
            const ssize_t count = ::read(output_.get(), bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) {
                continue;
            }
            const std::lock_guard lock{mutex_};
            if (count <= 0) {
                for (const Search& search : searches_) {
                    search.body->end();
                }
                return;
            }
            for (const std::string_view line :
                 buffer.feed({bytes.data(), static_cast<std::size_t>(count)}).lines) {
                hear(line);
            }
        }
    }

    const int workers_;          // processes
    const std::int64_t threads_; // of each
    const std::function<void(const std::string&)> tell_;
    base::UniqueFd input_; // of the front end: both ends
    base::UniqueFd to_input_;
    base::UniqueFd output_; // the end that listen() reads
    base::UniqueFd wake_;   // an eventfd: listen() looks again when to stop

    std::mutex mutex_;
    std::deque<Search> searches_; // whose "bestmove" has not come; lines belong to the first
    std::string session_;         // of lichess' page
    std::string told_;
    bool arbitrary_ = false; // the front end is about to name any move, for want of a better

    std::thread front_end_;
    std::thread listener_;
};

using PauseClock = std::chrono::steady_clock;

constexpr PauseClock::duration shortest_pause = 1s;
constexpr PauseClock::duration longest_pause = 60s;
// A server that has nothing, and says so sooner, is not asked more often.
constexpr PauseClock::duration least_poll = 500ms;
constexpr std::chrono::milliseconds stream_patience{10'000};
constexpr std::size_t most_streams = 4;                  // that end while the newest goes on
constexpr std::size_t most_answer_to_stream = 64U << 10; // bytes
constexpr auto patience_at_end = 500ms;

Registration registration_of(const ProviderOptions& options) {
    const engine_bridge::Profile& engine = options.config.engines.front();
    const auto count = static_cast<std::int64_t>(engine.count);
    // A secret of 256 bits, made afresh: what was registered before is changed with it.
    return {options.name, count * uci::option_of(engine, "Threads", 1),
            count * uci::option_of(engine, "Hash", 16),
            base::random_secret() + base::random_secret()};
}

constexpr std::size_t most_values = 10'000; // in the whole text
constexpr std::size_t most_moves = 2'000;
constexpr std::size_t longest_word = 256; // bytes of an id, a session, a FEN
constexpr std::size_t longest_move = 5;   // "e7e8q"
constexpr std::int64_t most_lines = 218;  // no position has more moves

// It becomes a part of a command, which ends with the line.
bool is_printable(const std::string& text, std::size_t longest) {
    return text.size() <= longest &&
           std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

std::string position_command(const std::string& fen, const std::vector<std::string>& moves) {
    std::string command = "position fen " + fen;
    if (!moves.empty()) {
        command += " moves";
    }
    for (const std::string& move : moves) {
        command += ' ' + move;
    }
    return command;
}

} // namespace

std::string token_page(const std::string& lichess) {
    return lichess + "/account/oauth/token/create?scopes[]=engine:read&scopes[]=engine:write"
                     "&description=Adjourn";
}

struct Provider::Impl : std::enable_shared_from_this<Provider::Impl> {
    explicit Impl(ProviderOptions given)
        : options{std::move(given)}, registration{registration_of(options)}, calls{options.site,
                                                                                   options.token,
                                                                                   options.broker},
          session{std::make_unique<EngineSession>(
              options.config, options.store, options.server,
              [](const std::string& said) { spdlog::warn("{}", said); })} {}

    // ---- threads: each holds this object ----

    void spawn(const char* place, std::function<void()> work) {
        const std::lock_guard lock{mutex};
        if (stopping) {
            return;
        }
        ++threads;
        std::thread{[self = shared_from_this(), place, work = std::move(work)] {
            guarded(place, work);
            const std::lock_guard ended{self->mutex};
            --self->threads;
            self->changed.notify_all();
        }}.detach();
    }

    bool ends() {
        const std::lock_guard lock{mutex};
        return stopping;
    }

    void wait(PauseClock::duration time) {
        std::unique_lock lock{mutex};
        changed.wait_for(lock, time, [this] { return stopping; });
    }

    void fail(const std::string& reason) {
        {
            const std::lock_guard lock{mutex};
            failure = reason;
        }
        options.hopeless();
    }

    // ---- the thread that waits for work ----

    void trouble(const CallTrouble& what) {
        if (ends()) {
            return;
        }
        if (what.refused) {
            fail(what.message);
            wait(PauseClock::duration::max() / 2);
            return;
        }
        pause = std::clamp(pause * 2, shortest_pause, longest_pause);
        if (what.wait) {
            pause = std::max<PauseClock::duration>(*what.wait, shortest_pause);
        }
        if (!std::exchange(away, true)) {
            spdlog::warn("{}; it is tried again", what.message);
        }
        wait(pause);
    }
    void well() {
        pause = {};
        if (std::exchange(away, false)) {
            spdlog::info("{} answers again", options.broker.shown);
        }
    }

    void serve() {
        while (!ends()) {
            if (const auto known = calls.announce(registration); !known) {
                trouble(known.error());
            } else {
                well();
                spdlog::info("{} as \"{}\" on {}: choose it in the menu of {}/analysis",
                             *known ? "registered again" : "registered", registration.name,
                             options.site.shown, options.site.shown);
                break;
            }
        }
        while (!ends()) {
            const auto began = PauseClock::now();
            const auto body = calls.take(registration.secret);
            if (!body) {
                trouble(body.error());
                continue;
            }
            well();
            if (!*body || !begin(**body)) {
                const auto took = PauseClock::now() - began;
                wait(std::max<PauseClock::duration>(least_poll - took, 0ms));
            }
        }
    }

    bool begin(const std::string& body) {
        const auto work = read_work(body);
        if (!work) {
            spdlog::warn("{} asks for something that is not understood, which is left out: {}",
                         options.broker.shown, work.error());
            return false;
        }
        spdlog::debug("work {}: {}", work->id, work->position);
        auto lines = std::make_shared<StreamedBody>();
        {
            const std::lock_guard lock{mutex};
            if (stopping) {
                return true;
            }
            session->begin(*work, lines);
        }
        spawn("a stream to lichess", [this, id = work->id, lines] { stream(id, lines); });
        return true;
    }

    // ---- a thread for each stream ----

    void stream(const std::string& id, const EngineSession::Body& lines) {
        const auto link = std::make_shared<HttpLink>(options.broker.url, "", most_answer_to_stream);
        {
            const std::lock_guard lock{mutex};
            if (stopping) {
                return;
            }
            links.push_back(link);
            if (links.size() > most_streams) {
                links.front()->close();
            }
        }
        const auto reply = link->stream("/api/external-engine/work/" + id, *lines, stream_patience,
                                        {{"Content-Type", "text/plain"}});
        const bool whole = lines->ended();
        const std::lock_guard lock{mutex};
        std::erase(links, link);
        if (session) {
            session->stop(lines); // the page went away, or all is said
        }
        if (stopping) {
            return;
        }
        if (!reply) {
            spdlog::debug("work {}: {}", id, reply.error().message);
        } else if (reply->status >= 400 && reply->status != 404) { // 404: the page was quicker
            spdlog::warn("{} does not take what was found ({})", options.broker.shown,
                         reply->status);
        } else {
            spdlog::debug("work {}: {}", id, whole ? "done" : "the page went away");
        }
    }

    const ProviderOptions options;
    const Registration registration;
    LichessCalls calls;
    PauseClock::duration pause{}; // of the thread that waits
    bool away = false;            // the same: trouble was told

    std::mutex mutex; // guards what follows
    std::condition_variable changed;
    bool stopping = false;
    int threads = 0;
    std::string failure;
    std::unique_ptr<EngineSession> session;
    std::deque<std::shared_ptr<HttpLink>> links; // of streams, oldest first
};

Provider::Provider(ProviderOptions options) : impl_{std::make_shared<Impl>(std::move(options))} {}

Provider::~Provider() {
    stop();
}

void Provider::start() {
    impl_->spawn("waiting for work of lichess", [impl = impl_.get()] { impl->serve(); });
}

std::string Provider::stop() {
    std::unique_ptr<EngineSession> session;
    {
        const std::lock_guard lock{impl_->mutex};
        impl_->stopping = true;
        session = std::move(impl_->session);
        for (const auto& link : impl_->links) {
            link->close();
        }
    }
    impl_->calls.close();
    impl_->changed.notify_all();
    session.reset();
    std::unique_lock lock{impl_->mutex};
    impl_->changed.wait_for(lock, patience_at_end, [this] { return impl_->threads == 0; });
    return impl_->failure;
}

bool is_id(const std::string& text) {
    return !text.empty() && text.size() <= longest_word && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    });
}

std::expected<Work, std::string> read_work(std::string_view body) {
    const auto whole = base::parse_json(body, most_values);
    if (!whole) {
        return std::unexpected("it " + whole.error());
    }
    const base::JsonObject reader{*whole, base::JsonPolicy::strict};
    const auto asked = reader.at("work").object();
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    Work work;
    work.id = reader.at("id").text().value_or("");
    work.session = asked.at("sessionId").text().value_or("");
    work.threads = asked.at("threads").integer(1, most).value_or(1);
    work.lines = static_cast<int>(
        std::max<std::int64_t>(1, asked.at("multiPv").integer(0, most_lines).value_or(1)));
    const std::string variant = asked.at("variant").text().value_or("chess");
    const std::string fen = asked.at("initialFen").text().value_or("");
    const auto moves = asked.at("moves").texts(most_moves).value_or(std::vector<std::string>{});
    if (const auto movetime = asked.find("movetime").integer(1, most)) {
        work.movetime = std::chrono::milliseconds{*movetime};
    } else if (const auto depth = asked.find("depth").integer(1, most)) {
        work.depth = depth;
    } else if (const auto nodes =
                   asked.find("nodes").integer(1, std::numeric_limits<std::int64_t>::max())) {
        work.nodes = nodes;
    } else if (!asked.find("infinite").boolean().value_or(false)) {
        asked.wrong("movetime", "there is neither movetime nor depth nor nodes");
    }
    if (!reader.problems().empty()) {
        return std::unexpected(reader.problems().front().message);
    }
    if (!is_id(work.id)) {
        return std::unexpected("the id is none");
    }
    if (variant != "chess") {
        return std::unexpected("the variant is not chess");
    }
    const auto is_move = [](const std::string& move) {
        return !move.contains(' ') && is_printable(move, longest_move);
    };
    if (!is_printable(fen, longest_word) || !std::ranges::all_of(moves, is_move)) {
        return std::unexpected("position or moves are none");
    }
    work.position = position_command(fen, moves);
    const chess::uci::Command command = chess::uci::parse(work.position);
    work.game = std::get<chess::uci::Game>(command);
    if (!work.game.problem.empty()) {
        return std::unexpected(work.game.problem);
    }
    return work;
}

} // namespace adjourn::server::lichess
