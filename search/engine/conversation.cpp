#include "search/engine/conversation.hpp"

#include "base/line_reader.hpp"
#include "chess/uci/report.hpp"
#include "search/engine/output.hpp"
#include "search/engine/settings.hpp"
#include "search/engine/thinking.hpp"

#include <cmath>
#include <exception>
#include <istream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>

namespace adjourn::engine {

namespace {

namespace uci = chess::uci;

class Conversation {
public:
    explicit Conversation(std::ostream& out) : out_{out} {}
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    ~Conversation() { end_search(); }

    // False: it is over.
    bool hear(std::string_view line) {
        const Thinking::Clock::time_point now = Thinking::Clock::now();
        uci::Command command = uci::parse(line);
        if (const auto* nothing = std::get_if<uci::Nothing>(&command)) {
            if (!nothing->problem.empty()) {
                complain(nothing->problem);
            }
        } else if (std::holds_alternative<uci::Uci>(command)) {
            introduce();
        } else if (std::holds_alternative<uci::IsReady>(command)) {
            out_.say("readyok");
        } else if (std::holds_alternative<uci::NewGame>(command)) {
            forgets_ = true;
        } else if (const auto* option = std::get_if<uci::SetOption>(&command)) {
            set(*option);
        } else if (auto* game = std::get_if<uci::Game>(&command)) {
            take(std::move(*game));
        } else if (auto* go = std::get_if<uci::Go>(&command)) {
            think(std::move(*go), now);
        } else if (std::holds_alternative<uci::Stop>(command)) {
            if (thinking_) {
                thinking_->stop();
            }
        } else if (std::holds_alternative<uci::PonderHit>(command)) {
            if (thinking_) {
                thinking_->ponderhit();
            }
        }
        return !std::holds_alternative<uci::Quit>(command) && !out_.failed();
    }

    // Nothing more comes: a search with a limit is waited for.
    void hear_the_end() {
        if (thinking_ && thinking_->ends_by_itself()) {
            thread_ = {};
        }
    }

    void complain(const std::string& problem) { out_.say(uci::info_string(problem)); }

private:
    void introduce() {
        out_.say(std::string{"id name Adjourn engine "} + ADJOURN_VERSION);
        out_.say("id author the Adjourn developers");
        for (const std::string& line : declared_options()) {
            out_.say(line);
        }
        out_.say("uciok");
    }

    void set(const uci::SetOption& option) {
        if (const auto done = settings_.set(option.name, option.value); !done) {
            complain(done.error());
        } else {
            forgets_ = forgets_ || *done == Settings::Effect::clear;
        }
    }

    void take(uci::Game game) {
        if (!game.problem.empty()) {
            complain(game.problem);
        }
        for (const std::string& note : game.notes) {
            complain(note);
        }
        game_ = std::move(game);
    }

    void end_search() {
        if (thinking_) {
            thinking_->stop();
        }
        thread_ = {}; // waits for it
        thinking_.reset();
    }

    // What was said meanwhile of options and of a new game counts from here on.
    void think(uci::Go go, Thinking::Clock::time_point now) {
        end_search();
        for (const std::string& problem : go.problems) {
            complain(problem);
        }
        thinking_.emplace(game_, std::move(go), settings_, out_, now);
        try {
            prepare();
            thread_ = std::jthread{[this] { search(); }};
        } catch (const std::exception& error) { // no memory, no thread
            thinking_->stop();
            thinking_->give_up(error.what());
        }
    }

    // A search of these settings, which knows of this game alone.
    void prepare() {
        const Made wanted{settings_.hash_mib, settings_.selection, settings_.quiescence};
        if (search_ && made_ == wanted) {
            if (std::exchange(forgets_, false)) {
                search_->clear();
            }
            return;
        }
        search_.reset(); // not both at a time
        try {
            search_ = std::make_unique<search::Search>(settings_.search());
        } catch (const std::bad_alloc&) {
            complain("there is no memory for Hash " + std::to_string(settings_.hash_mib) +
                     ": 1 MiB is used");
            Settings smaller = settings_;
            smaller.hash_mib = 1;
            search_ = std::make_unique<search::Search>(smaller.search());
        }
        made_ = wanted;
        forgets_ = false;
    }

    // On its own thread.
    void search() {
        try {
            thinking_->run(*search_);
        } catch (const std::exception& error) {
            thinking_->give_up(error.what());
        }
    }

    using Made = std::tuple<std::size_t, search::Selection, search::Quiescence>;

    Output out_;
    Settings settings_;
    uci::Game game_;
    bool forgets_ = false;
    std::unique_ptr<search::Search> search_; // while one runs, its thread's alone
    Made made_;                              // it is of these
    std::optional<Thinking> thinking_;
    std::jthread thread_;
};

} // namespace

void converse(std::istream& in, std::ostream& out) {
    Conversation conversation{out};
    base::LineReader lines{in};
    while (lines.next()) {
        if (lines.too_long()) {
            conversation.complain(base::LineReader::trouble());
        } else if (!conversation.hear(lines.text())) {
            return;
        }
    }
    conversation.hear_the_end();
}

namespace {

// A game is won as often as lost or drawn together at `middle` centipawns; `spread` is how slowly
// that changes.
constexpr double middle = 70;
constexpr double spread = 110;

int permille_won(double centipawns) {
    return static_cast<int>(std::lround(1'000 / (1 + std::exp((middle - centipawns) / spread))));
}

} // namespace

chess::WinDrawLoss chances(chess::Score score) {
    if (score.is_win() || score.is_loss()) {
        return score.is_win() ? chess::WinDrawLoss{1'000, 0, 0} : chess::WinDrawLoss{0, 0, 1'000};
    }
    const double centipawns = score.is_cp() ? score.centipawns() : 0;
    const int win = permille_won(centipawns);
    const int loss = permille_won(-centipawns);
    return {static_cast<std::uint16_t>(win), static_cast<std::uint16_t>(1'000 - win - loss),
            static_cast<std::uint16_t>(loss)};
}

} // namespace adjourn::engine
