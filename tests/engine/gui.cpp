#include "gui.hpp"

#include "base/text.hpp"
#include "chess/notation.hpp"
#include "search/engine/conversation.hpp"
#include "test.hpp"

#include <istream>
#include <ostream>
#include <streambuf>

namespace adjourn::engine::testing {

namespace {

// Blocks where nothing has come yet.
class Input : public std::streambuf {
public:
    void put(const std::string& text) {
        const std::lock_guard lock{mutex_};
        coming_ += text;
        changed_.notify_all();
    }
    void end() {
        const std::lock_guard lock{mutex_};
        ended_ = true;
        changed_.notify_all();
    }

protected:
    int_type underflow() override {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [this] { return ended_ || !coming_.empty(); });
        if (coming_.empty()) {
            return traits_type::eof();
        }
        here_ = std::exchange(coming_, {});
        setg(here_.data(), here_.data(), here_.data() + here_.size());
        return traits_type::to_int_type(here_.front());
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string coming_;
    std::string here_;
    bool ended_ = false;
};

class Lines : public std::streambuf {
public:
    // nullopt: none came in a minute.
    std::optional<std::string> next() {
        std::unique_lock lock{mutex_};
        if (!changed_.wait_for(lock, std::chrono::minutes{1},
                               [this] { return taken_ < lines_.size(); })) {
            return std::nullopt;
        }
        return lines_[taken_++];
    }
    std::vector<std::string> rest() {
        const std::lock_guard lock{mutex_};
        std::vector<std::string> rest{lines_.begin() + static_cast<std::ptrdiff_t>(taken_),
                                      lines_.end()};
        taken_ = lines_.size();
        return rest;
    }

protected:
    int_type overflow(int_type c) override {
        const std::lock_guard lock{mutex_};
        if (c == '\n') {
            lines_.push_back(std::exchange(line_, {}));
            changed_.notify_all();
        } else {
            line_ += traits_type::to_char_type(c);
        }
        return c;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string line_;
    std::vector<std::string> lines_;
    std::size_t taken_ = 0;
};

int number(std::string_view word) {
    return std::stoi(std::string{word});
}

} // namespace

struct Gui::Impl {
    Input input;
    Lines lines;
    std::istream in{&input};
    std::ostream out{&lines};
    std::thread thread{[this] { converse(in, out); }};

    void end() {
        input.end();
        if (thread.joinable()) {
            thread.join();
        }
    }
};

Gui::Gui() : impl_{std::make_unique<Impl>()} {}

Gui::~Gui() {
    impl_->end();
}

void Gui::send(const std::string& line) {
    impl_->input.put(line + '\n');
}

void Gui::send_all(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line + '\n';
    }
    impl_->input.put(text);
}

std::string Gui::await(const std::string& word) {
    while (true) {
        const auto line = impl_->lines.next();
        if (!line) {
            FAIL("no " << word << " within a minute");
        }
        lines_.push_back(*line);
        if (base::Words{*line}.next() == word) {
            return *line;
        }
    }
}

std::vector<std::string> Gui::heard() {
    return std::exchange(lines_, {});
}

std::string Gui::ask(const std::string& position, const std::string& go) {
    lines_.clear();
    send("position " + position);
    send("go " + go);
    return move_of(await("bestmove"));
}

std::vector<Told> Gui::scored() const {
    std::vector<Told> scored;
    for (const std::string& line : lines_) {
        if (auto one = told(line)) {
            scored.push_back(std::move(*one));
        }
    }
    return scored;
}

std::vector<Told> Gui::last_told() const {
    std::vector<Told> last;
    for (const Told& one : scored()) {
        const auto rank = static_cast<std::size_t>(std::max(1, one.multipv));
        last.resize(std::max(last.size(), rank));
        last[rank - 1] = one;
    }
    return last;
}

std::vector<std::string> Gui::settle() {
    lines_.clear();
    send("isready");
    await("readyok");
    lines_.pop_back();
    return heard();
}

std::vector<std::string> Gui::close() {
    impl_->end();
    return impl_->lines.rest();
}

std::optional<Told> told(const std::string& line) {
    base::Words words{line};
    if (words.next() != "info") {
        return std::nullopt;
    }
    Told told;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word == "string") {
            return std::nullopt;
        }
        if (word == "depth") {
            told.depth = number(words.next());
        } else if (word == "multipv") {
            told.multipv = number(words.next());
        } else if (word == "score") {
            told.kind = words.next();
            told.value = number(words.next());
        } else if (word == "lowerbound" || word == "upperbound") {
            told.bound = word;
        } else if (word == "nodes") {
            told.nodes = std::stoull(std::string{words.next()});
        } else if (word == "wdl") {
            for (int i = 0; i < 3; ++i) {
                told.wdl.push_back(number(words.next()));
            }
        } else if (word == "pv") {
            while (!words.peek().empty()) {
                told.pv.emplace_back(words.next());
            }
        }
    }
    return told.kind.empty() ? std::nullopt : std::optional{told};
}

std::string move_of(const std::string& bestmove) {
    base::Words words{bestmove};
    words.next();
    return std::string{words.next()};
}

bool is_legal(const std::string& fen, const std::string& move) {
    const auto position = chess::Position::from_fen(fen);
    return position && chess::parse_uci(*position, move).has_value();
}

bool holds(const std::vector<std::string>& lines, const std::string& text) {
    return std::ranges::any_of(
        lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

} // namespace adjourn::engine::testing
