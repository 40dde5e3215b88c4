#include "radar.hpp"

#include "analysis/confidence.hpp"
#include "chess/notation.hpp"
#include "core/schedule/answer.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr std::size_t most_entries = 200;
constexpr std::size_t most_leaving = 3; // games of one analysis

// What one call may look at, in places of a search for replies: some 0.1 ms each. The analysis that
// is begun is looked at to its end.
constexpr std::size_t most_work = 10'000;
constexpr std::size_t work_of_meeting = 60; // of a verdict

std::string white_text(chess::Score score, chess::Color mover) {
    return chess::to_text(mover == chess::Color::white ? score : -score);
}

std::string letter_text(const AnswerLog::Seen& seen) {
    return fmt::format("{} ({} %)", seen.letter, seen.percent);
}

std::string counted_positions(std::size_t count) {
    return count == 1 ? "1 position" : std::to_string(count) + " positions";
}

} // namespace

Radar::Radar(const Core& core, AnswerLog& answers, analysis::UnixMs since)
    : core_{core}, answers_{answers}, since_{since}, now_{core.now()} {
    for (const auto& run : core.queue().runs()) {
        left_.push_back(run->record.id);
    }
    answers_.keep_only({left_.begin(), left_.end()});
    if (const auto next = std::ranges::find(left_, answers_.unseen()); next != left_.end()) {
        std::rotate(left_.begin(), next, left_.end());
    }
}

bool Radar::go_on(const TimeUp& time_up) {
    while (!left_.empty()) {
        const AnalysisRun* run = core_.queue().find(left_.front());
        const bool gone = run == nullptr || run->shown() == nullptr ||
                          (stage_ != Stage::begin && (run->slot != slot_ || run->root != root_));
        if (gone || stage_ == Stage::end) {
            left_.pop_front();
            stage_ = Stage::begin;
            verdict_.reset();
            rejoin_.reset();
            files_.reset();
            continue;
        }
        if (stage_ == Stage::begin && work_ >= most_work) {
            answers_.set_unseen(left_.front());
            break;
        }
        step(*run);
        if (stage_ == Stage::files && !files_->read) {
            return false; // elsewhere() first
        }
        if (time_up()) {
            return false;
        }
    }
    return true;
}

void Radar::step(const AnalysisRun& run) {
    switch (stage_) {
    case Stage::begin: begin(run); break;
    case Stage::verdict:
        work_ += verdict_ == nullptr ? 0 : work_of_meeting;
        if (verdict_ == nullptr || !verdict_->go_on()) {
            take_verdict(run);
            tell_answer(run);
            stage_ = Stage::rejoin;
        }
        break;
    case Stage::rejoin:
        ++work_;
        if (slot_->newest() <= since_ || !rejoin_->go_on()) {
            tell_rejoins(run);
            // Of what is still to come there is no file to read.
            stage_ = since_ >= now_ ? Stage::end : Stage::files;
            files_ = std::make_shared<Files>();
        }
        break;
    case Stage::files:
        tell_files(run);
        stage_ = Stage::end;
        break;
    case Stage::end: break;
    }
}

void Radar::begin(const AnalysisRun& run) {
    slot_ = run.slot;
    root_ = run.root;
    const AnswerLog::Seen* known = answers_.latest(run.record.id, root_.fen());
    answered_ = known != nullptr && known->version == run.version();
    if (!answered_) {
        verdict_ = verdict_search(run, core_.engines().of(run), {});
    }
    rejoin_ = std::make_unique<analysis::RejoinSearch>(slot_->graph(), run.root_node,
                                                       analysis::RejoinLimits{.since = since_});
    stage_ = Stage::verdict;
}

void Radar::take_verdict(const AnalysisRun& run) {
    const auto verdict = verdict_ == nullptr ? std::nullopt : verdict_->take();
    if (!verdict) {
        return;
    }
    answered_ = true;
    const analysis::Confidence sure = analysis::confidence_of(verdict->cost);
    answers_.see(run.record.id,
                 {root_.fen(), chess::to_uci(root_, verdict->best), sure.letter,
                  static_cast<int>(std::lround(100 * sure.chance)), 0, core_.now(), run.version()});
}

// What the analysis answers now against what it answered then.
void Radar::tell_answer(const AnalysisRun& run) {
    const analysis::AnalysisId id = run.record.id;
    if (!answered_) {
        return;
    }
    const AnswerLog::Seen* now = answers_.latest(id, root_.fen());
    const AnswerLog::Seen& then = *answers_.at(id, root_.fen(), since_);
    const auto best = chess::parse_uci(root_, now->best);
    const auto former = chess::parse_uci(root_, then.best);
    if (!best || !former) {
        return;
    }
    const std::string san = chess::to_numbered_san(root_, *best),
                      before = chess::to_numbered_san(root_, *former);
    const auto refuted = analysis::refutation(slot_->graph(), run.root_node, *former, *best,
                                              answers_.other_until(id));
    if (refuted) {
        tell(run,
             {"refutation",
              {*best},
              answers_.best_since(id),
              before,
              san,
              fmt::format("{} took the place of {} by what was found below, and has {} behind it, "
                          "where {} has {}",
                          san, before, counted_positions(refuted->behind_now), before,
                          refuted->behind_before),
              "deepen",
              {*best}});
    }
    if (now->letter > then.letter) {
        const std::string of = *best == *former ? "" : " of " + before;
        tell(run, {"letter",
                   {*best},
                   answers_.letter_since(id),
                   {then.letter},
                   {now->letter},
                   fmt::format("The verdict on {} is {}; that{} was {}", san, letter_text(*now), of,
                               letter_text(then)),
                   "verify",
                   {}});
    }
}

void Radar::tell_rejoins(const AnalysisRun& run) {
    for (const analysis::Rejoin& found : rejoin_->found()) {
        const chess::Position leaf = root_.after(found.line);
        const chess::Color mover = !leaf.turn();
        std::vector<chess::Move> search = found.line;
        search.push_back(found.reply);
        const std::string engine = white_text(found.engine, mover),
                          known = white_text(found.known, mover);
        tell(run,
             {"rejoin", found.line, found.at, engine, known,
              fmt::format("After {} the reply {} leads to a position that is searched: {} there, "
                          "where the engine alone said {}",
                          chess::to_san_line(root_, found.line),
                          chess::to_numbered_san(leaf, found.reply), known, engine),
              "include", search});
    }
}

void Radar::tell_files(const AnalysisRun& run) {
    for (const LeavingGame& game : files_->games) {
        const chess::Position from = root_.after(std::span{game.line}.first(game.line.size() - 1));
        std::string known;
        for (const chess::Move move : game.known) {
            known += (known.empty() ? "" : ", ") + chess::to_numbered_san(from, move);
        }
        const std::string played = chess::to_numbered_san(from, game.line.back());
        tell(run, {"left", game.line, game.at, known, played,
                   fmt::format("{} leaves your files with {}; they have {}", game.players, played,
                               known),
                   "deepen", game.line});
    }
}

void Radar::tell(const AnalysisRun& run, const Told& told) {
    if (told.at <= since_) {
        return;
    }
    const auto uci = [this](const std::vector<chess::Move>& line) {
        json moves = json::array();
        for (const json& step : line_json(root_, line)) {
            moves.push_back(step["uci"]);
        }
        return moves;
    };
    entries_.push_back(
        {{"analysis",
          {{"id", static_cast<std::int64_t>(run.record.id)}, {"name", run.record.name}}},
         {"kind", told.kind},
         {"at", told.at},
         {"line", line_json(root_, told.line)},
         {"root", root_.fen()},
         {"fen", root_.after(told.line).fen()},
         {"before", told.before},
         {"after", told.after},
         {"text", told.text},
         {"search", {{"action", told.action}, {"moves", uci(told.search)}}}});
}

std::function<void()> Radar::elsewhere() {
    if (stage_ != Stage::files || files_ == nullptr || files_->read) {
        return nullptr;
    }
    return
        [files = files_, &store = core_.store(), id = left_.front(), root = root_, since = since_] {
            files->read = true;
            try {
                files->games = games_that_leave(kept_files(store, id), root, since, most_leaving);
            } catch (const storage::StoreError&) {
                files->games.clear(); // whoever asks for the files will be told
            }
        };
}

json Radar::result() {
    std::ranges::stable_sort(entries_, [](const json& a, const json& b) {
        return a["at"].get<std::int64_t>() > b["at"].get<std::int64_t>();
    });
    const std::size_t all = entries_.size();
    entries_.resize(std::min(all, most_entries));
    const std::size_t more = all - entries_.size();
    return {{"since", since_},
            {"now", now_},
            {"entries", std::move(entries_)},
            {"more", more},
            {"unseen", left_.size()}};
}

} // namespace adjourn::server
