// Radar: where in all analyses a person would want to look, one after the other.
#pragma once

#include "analysis/radar.hpp"
#include "analysis/verdict.hpp"
#include "api/views/answer_log.hpp"
#include "api/views/view_walks.hpp"
#include "files/kept/leaving.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace adjourn::server {

class Radar {
public:
    // What came up after `since`. `core` and `answers` must outlive go_on(), and the core's store
    // what elsewhere() returns.
    Radar(const Core& core, AnswerLog& answers, analysis::UnixMs since);

    // The core's thread; true when all were seen, or as many as one call may look at. Notes in
    // `answers` what each analysis answers.
    bool go_on(const TimeUp& time_up);
    // As ChangesWalk::elsewhere().
    std::function<void()> elsewhere();
    // Once, then; any thread. Shape: docs/api/reference.md, GET radar.
    nlohmann::json result();

private:
    enum class Stage : std::uint8_t { begin, verdict, rejoin, files, end };
    struct Files {
        std::vector<LeavingGame> games;
        bool read = false;
    };

    void step(const AnalysisRun& run);
    void begin(const AnalysisRun& run);
    void take_verdict(const AnalysisRun& run);
    void tell_answer(const AnalysisRun& run);
    void tell_rejoins(const AnalysisRun& run);
    void tell_files(const AnalysisRun& run);
    // `line` from the root. `action`: how its place is searched.
    struct Told {
        const char* kind;
        std::vector<chess::Move> line;
        analysis::UnixMs at;
        std::string before;
        std::string after;
        std::string text;
        const char* action;
        std::vector<chess::Move> search;
    };
    void tell(const AnalysisRun& run, const Told& told);

    const Core& core_;
    AnswerLog& answers_;
    analysis::UnixMs since_;
    analysis::UnixMs now_;
    std::deque<analysis::AnalysisId> left_; // the first one is looked at
    std::size_t work_ = 0;
    // ---- of the first one ----
    Stage stage_ = Stage::begin;
    const GraphSlot* slot_ = nullptr;
    chess::Position root_ = chess::Position::initial();
    std::unique_ptr<analysis::VerdictSearch> verdict_; // null: there is none, or it is known
    bool answered_ = false;                            // what it answers now is in answers_
    std::unique_ptr<analysis::RejoinSearch> rejoin_;
    std::shared_ptr<Files> files_;

    std::vector<nlohmann::json> entries_;
};

} // namespace adjourn::server
