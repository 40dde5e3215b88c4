#include "api/ask_games.hpp"

#include "api/guard.hpp"
#include "api/place.hpp"
#include "api/request_parts.hpp"
#include "files/review/review.hpp"

namespace adjourn::server {

namespace {

// Of one slice: positions that are looked at, and searches that are wanted.
constexpr std::size_t most_looked_at = 2'000;
constexpr std::size_t most_wanted = 500;

} // namespace

Pending<http::Response> AskGames::answer(bool alone) {
    if (alone) {
        while (!over()) {
            take(ask().wait());
        }
        return Pending<http::Response>::over(response());
    }
    go_on();
    return pending_;
}

void AskGames::go_on() {
    ask().then([self = shared_from_this()](const Pending<Core::AllGiven>::Result& results) {
        self->take(results);
        if (self->over()) {
            self->pending_.end(self->response());
        } else {
            self->core_.poster().post([self] { self->go_on(); });
        }
    });
}

Pending<Core::AllGiven> AskGames::ask() {
    const Lines lines = next();
    return refused_ ? Pending<Core::AllGiven>::over(Core::AllGiven{})
                    : core_.direct_all(id_, lines, "now");
}

// The next ones for which a search is wanted; fewer where there is much to look at.
AskGames::Lines AskGames::next() {
    const AnalysisRun* run = core_.queue().find(id_);
    if (run == nullptr) {
        refused_ = Error{ErrorCode::not_found, "the analysis was deleted meanwhile", "id"};
    } else if (run->slot == nullptr) {
        refused_ = no_tree(*run);
    } else if (!(run->root == root_)) {
        refused_ = Error{ErrorCode::unavailable, "the game went on meanwhile: ask again", "id"};
    }
    Lines wanted;
    for (std::size_t i = 0; i < most_looked_at && wanted.size() < most_wanted && !over(); ++i) {
        look(*run, wanted);
        const auto& line = lines_[at_];
        if (ply_ < line.size()) {
            position_.play(line[ply_++]);
        } else {
            ++at_;
            ply_ = 0;
            position_ = root_;
        }
    }
    return wanted;
}

void AskGames::look(const AnalysisRun& run, Lines& wanted) {
    if (is_known(run, position_) || !seen_.insert(position_.packed()).second) {
        return;
    }
    const auto node = run.slot->graph().find(position_.packed());
    const auto said = node ? run.node_directives.find(*node) : run.node_directives.end();
    if (said != run.node_directives.end() && said->second.now) {
        ++waiting_;
    } else if (wanted_ == most_asked) {
        ++left_;
    } else {
        ++wanted_;
        const auto& line = lines_[at_];
        wanted.emplace_back(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(ply_));
    }
}

void AskGames::take(const Pending<Core::AllGiven>::Result& results) {
    if (!results) {
        refused_ = to_http(results.error());
        return;
    }
    for (const auto& result : *results) {
        asked_ += result ? 1 : 0;
        // A position whose value turned out to be exact needs no search.
        if (!result && result.error().kind != WorkError::Kind::futile_line && !refused_) {
            refused_ = to_http(result.error());
        }
    }
}

http::Response AskGames::response() const {
    return refused_ ? http::to_response(*refused_)
                    : json_response({{"asked", asked_}, {"waiting", waiting_}, {"left", left_}});
}

} // namespace adjourn::server
