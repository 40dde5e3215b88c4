#include "uci/front_end.hpp"

#include "base/text.hpp"
#include "core/guards/guard.hpp"
#include "engine_bridge/process/text.hpp"
#include "uci/deep_analysis.hpp"
#include "uci/search.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <variant>

namespace adjourn::server::uci {

void InputQueue::push(Line line) {
    const std::scoped_lock lock{mutex_};
    lines_.push_back(std::move(line));
    changed_.notify_one();
}

void InputQueue::notify() {
    const std::scoped_lock lock{mutex_};
    notified_ = true;
    changed_.notify_one();
}

std::optional<InputQueue::Line> InputQueue::wait_until(std::optional<Clock::time_point> deadline) {
    std::unique_lock lock{mutex_};
    const auto news = [&] { return notified_ || !lines_.empty(); };
    if (deadline) {
        changed_.wait_until(lock, *deadline, news);
    } else {
        changed_.wait(lock, news);
    }
    notified_ = false;
    if (lines_.empty()) {
        return std::nullopt;
    }
    Line line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void read_lines(int input, int stop, int leave, InputQueue& input_queue) {
    engine_bridge::LineBuffer buffer;
    std::array<char, 16 * 1024> bytes{};
    // What follows an overlong line up to its end is a part of it.
    bool skipping = false;
    while (true) { // poll() takes no notice of −1
        std::array<pollfd, 3> fds{{{input, POLLIN, 0}, {stop, POLLIN, 0}, {leave, POLLIN, 0}}};
        if (poll(fds.data(), fds.size(), -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            break;
        }
        if (fds[1].revents != 0 || fds[2].revents != 0) {
            break;
        }
        const ssize_t count = ::read(input, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            if (const std::string_view rest = buffer.rest(); !rest.empty()) {
                input_queue.push({std::string{rest}, InputQueue::Clock::now()});
            }
            input_queue.push({"", InputQueue::Clock::now(), InputQueue::Line::Kind::end});
            input = -1;
            continue;
        }
        const auto now = InputQueue::Clock::now();
        std::string_view read{bytes.data(), static_cast<std::size_t>(count)};
        if (skipping) {
            const std::size_t end = read.find('\n');
            if (end == std::string_view::npos) {
                continue;
            }
            read.remove_prefix(end + 1);
            skipping = false;
        }
        const engine_bridge::LineBuffer::Lines lines = buffer.feed(read);
        for (const std::string_view line : lines.lines) {
            input_queue.push({std::string{line}, now});
        }
        skipping = lines.overlong;
        if (skipping) {
            input_queue.push({"", now, InputQueue::Line::Kind::left_out});
        }
    }
    input_queue.push({"quit", InputQueue::Clock::now()});
}

Reader::Reader(int input, int stop, InputQueue& input_queue) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw std::system_error{errno, std::generic_category(), "no pipe can be made"};
    }
    leave_ = base::UniqueFd{ends[0]};
    hold_ = base::UniqueFd{ends[1]};
    thread_ = std::thread{[input, stop, leave = leave_.get(), &input_queue] {
        if (guarded("reading the GUI's lines",
                    [&] { read_lines(input, stop, leave, input_queue); })) {
            input_queue.push({"quit", InputQueue::Clock::now()});
        }
    }};
}

Reader::~Reader() {
    hold_.close();
    thread_.join();
}

namespace {

class FrontEnd {
public:
    FrontEnd(Config config, FrontEndOptions options)
        : config_{std::move(config)}, options_{std::move(options)}, settings_{config_} {}

    void run() {
        const Reader reader{options_.input, options_.stop, input_};
        while (!quit_) {
            const auto line = input_.wait_until(next_turn());
            if (const auto trouble = guarded("the conversation", [&] { step(line); })) {
                complain(to_text(*trouble));
                guarded("ending the search", [&] { give_up(); });
            }
            quit_ = quit_ || (ended_ && !search_);
        }
        search_.reset();
        analysis_.reset();
    }

private:
    using Time = InputQueue::Clock::time_point;

    void step(const std::optional<InputQueue::Line>& line) {
        if (line) {
            now_ = line->at;
            using enum InputQueue::Line::Kind;
            ended_ = ended_ || line->kind == end;
            if (line->kind ==
                left_out) { // it may have been the position: no move for the one before
                Game unknown;
                unknown.problem = "a line of more than 64 KiB was left out";
                on(std::move(unknown));
            }
            std::visit([&](auto&& command) { on(std::forward<decltype(command)>(command)); },
                       parse(line->text));
        }
        now_ = InputQueue::Clock::now();
        look();
        if (ended_ && !(search_ && search_->ends_by_itself())) {
            on(Quit{});
        }
    }

    // After trouble: what is owed to the GUI is said, whatever is known.
    void give_up() {
        for (; ready_owed_ > 0; --ready_owed_) {
            say("readyok");
        }
        if (search_) {
            finish();
        }
    }

    void say(const std::string& line) {
        const std::string with_end = base::readable(line) + "\n";
        std::string_view rest{with_end};
        while (!rest.empty() && !quit_) {
            const ssize_t count = ::write(options_.output, rest.data(), rest.size());
            if (count > 0) {
                rest.remove_prefix(static_cast<std::size_t>(count));
            } else if (errno != EINTR) {
                quit_ = true; // nobody listens any more
            }
        }
    }
    void say(const std::vector<std::string>& lines) {
        for (const std::string& line : lines) {
            say(line);
        }
    }
    void complain(const std::string& problem) {
        if (!problem.empty()) {
            say(info_string(problem));
        }
    }

    void on(const Nothing& nothing) { complain(nothing.problem); }
    void on(const Uci&) {
        say(std::string{"id name Adjourn "} + ADJOURN_VERSION);
        say("id author the Adjourn developers");
        say(settings_.declaration());
        say("uciok");
    }
    void on(const IsReady&) {
        if (search_) { // whatever goes on, the answer comes at once
            say("readyok");
            return;
        }
        want_analysis();
        problem_told_.clear(); // whoever asks hears of it
        ++ready_owed_;
    }
    void on(const NewGame&) {
        ++game_number_;        // the engines are told with the next search
        expected_.clear();     // what is known of positions stays known
        problem_told_.clear(); // each game hears of it
    }
    void on(const SetOption& option) {
        if (const auto set = settings_.set(option.name, option.value); !set) {
            complain(set.error());
        }
    }
    void on(Game game) {
        complain(game.problem);
        for (const std::string& note : game.notes) {
            complain(note);
        }
        game_ = std::move(game);
    }
    void on(Go go) {
        if (search_) { // each go has its bestmove
            search_->stop(now_);
            finish();
        }
        want_analysis();
        for (const std::string& problem : go.problems) {
            complain(problem);
        }
        search_.emplace(game_, std::move(go), settings_, nodes_per_second_, now_);
        complain(search_->problem());
        begin(search_->request());
    }
    void on(const Stop&) {
        if (search_) {
            search_->stop(now_);
        }
    }
    void on(const PonderHit&) {
        if (search_) {
            search_->ponderhit(now_);
        }
    }
    void on(const Quit&) {
        if (search_) {
            search_->stop(now_);
            finish();
        }
        for (; ready_owed_ > 0; --ready_owed_) { // scripts pipe isready and quit in one go
            say("readyok");
        }
        quit_ = true;
    }

    // Starts the engines, or starts them anew where options have changed. Does not wait.
    void want_analysis() {
        const engine_bridge::Profile profile = settings_.profile();
        if (analysis_ && same_engine(profile, *running_)) {
            return;
        }
        running_ = profile;
        patience_ends_ = now_ + options_.patience;
        problem_told_.clear();
        nodes_per_second_ = 0;
        Config config = config_;
        config.engines = {profile};
        const bool first = profile.name == config_.engines.front().name; // a server's is its own
        analysis_ = std::make_unique<DeepAnalysis>(
            std::move(config),
            StorePlace{options_.data, options_.server, first ? "" : profile.name},
            [this] { input_.notify(); }, options_.before_request, std::move(analysis_));
    }

    void begin(std::optional<SearchRequest> request) {
        if (request && analysis_) {
            request->game_number = game_number_;
            analysis_->begin(std::move(*request));
        }
    }

    static bool same_engine(const engine_bridge::Profile& a, const engine_bridge::Profile& b) {
        return a.name == b.name && a.count == b.count && a.options == b.options &&
               a.wishes == b.wishes;
    }

    Finding latest() const {
        Finding finding = analysis_ ? analysis_->latest() : Finding{};
        if (analysis_ && !finding.ready && finding.problem.empty() && now_ >= patience_ends_) {
            finding.problem = running_->name + " has been started but does not answer";
            finding.starting = true;
        }
        return finding;
    }

    void look() {
        const Finding finding = latest();
        complain(analysis_ ? analysis_->take_note() : "");
        if (finding.problem != problem_told_ && (finding.ready || !finding.problem.empty())) {
            problem_told_ = finding.problem;
            complain(finding.problem.empty() ? "all is well again" : finding.problem);
        }
        if (finding.ready || !finding.problem.empty()) {
            for (; ready_owed_ > 0; --ready_owed_) {
                say("readyok");
            }
        }
        if (search_) {
            if (finding.nodes_per_second > 0) {
                nodes_per_second_ = finding.nodes_per_second;
            }
            say(search_->look(finding, now_));
            if (search_->over(now_)) {
                finish();
            } else if (auto next = search_->next_request()) {
                begin(std::move(next));
            } else if (search_->needs_a_word(now_)) {
                analysis_->hurry();
            }
        }
    }

    std::optional<Time> next_turn() const {
        std::optional<Time> next;
        if (search_) {
            next = search_->next_turn();
        }
        if (ready_owed_ > 0) {
            next = std::min(next.value_or(patience_ends_), patience_ends_);
        }
        return next;
    }

    void finish() {
        const auto known = expected_.find(search_->game().position.packed());
        say(search_->last_words(
            known == expected_.end() ? std::nullopt : std::optional{known->second}, now_));
        if (analysis_) {
            analysis_->end();
        }
        expected_.clear();
        if (auto line = search_->best()) {
            chess::Position position = search_->game().position;
            for (const chess::Move move : line->pv) {
                expected_.emplace(position.packed(), RankedLine{line->score, {move}, line->bound});
                position.play(move);
                line->score = line->score.followed();
            }
        }
        search_.reset();
    }

    Config config_;
    FrontEndOptions options_;
    Settings settings_;
    InputQueue input_;
    Time now_ = InputQueue::Clock::now();
    bool quit_ = false;
    bool ended_ = false; // the input; a search with a limit is still answered
    int ready_owed_ = 0; // answers to "isready"
    Time patience_ends_; // with an engine that says nothing

    Game game_;
    std::optional<Search> search_;
    // The last best line, move by move, for a moment in which nothing else is known.
    std::unordered_map<chess::PackedPosition, RankedLine, chess::PackedPositionHash> expected_;

    std::unique_ptr<DeepAnalysis> analysis_;
    std::optional<engine_bridge::Profile> running_; // the analysis's
    double nodes_per_second_ = 0;                   // of one worker
    std::uint64_t game_number_ = 0;                 // of ucinewgame
    std::string problem_told_;
};

} // namespace

void run_front_end(Config config, FrontEndOptions options) {
    FrontEnd{std::move(config), std::move(options)}.run();
}

} // namespace adjourn::server::uci
