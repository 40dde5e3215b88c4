// Queue, links to analyses (decision 125) and what is to be verified: each is a directive, and so
// is its end.
#include "core/graphs/queue.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

using analysis::AnalysisId;

namespace {

constexpr std::size_t most_links = 100; // of one analysis

std::unexpected<WorkError> no_analysis(AnalysisId id) {
    return std::unexpected(
        WorkError{WorkError::Kind::no_analysis,
                  "there is no analysis " + std::to_string(static_cast<std::int64_t>(id))});
}

} // namespace

Pending<Queue::CheckedDirective> Queue::share(AnalysisId id, Share link) {
    using Checked = std::expected<CheckedDirective, WorkError>;
    return append(id, [this, id, link = std::move(link)]() -> Checked {
        AnalysisRun* run = find(id);
        if (run == nullptr || run->transient) {
            return no_analysis(id);
        }
        if (links_in(run->directives).size() >= most_links) {
            return std::unexpected(
                WorkError{WorkError::Kind::too_many_links,
                          "the analysis has " + std::to_string(most_links) +
                              " links already: revoke one that is of no use any more"});
        }
        return checked(*run, {}, link);
    });
}

Pending<Queue::CheckedDirective> Queue::revoke(AnalysisId id, std::int64_t link) {
    using Checked = std::expected<CheckedDirective, WorkError>;
    return append(id, [this, id, link]() -> Checked {
        AnalysisRun* run = find(id);
        if (run == nullptr) {
            return no_analysis(id);
        }
        const auto links = links_in(run->directives);
        const auto found = std::ranges::find(links, link, &Directive::id);
        if (found == links.end()) {
            return std::unexpected(WorkError{WorkError::Kind::no_link,
                                             "the analysis has no link " + std::to_string(link)});
        }
        return checked(*run, {}, Retract{(*found)->at});
    });
}

Pending<Queue::CheckedDirective> Queue::verify(AnalysisId id, std::vector<chess::Move> line,
                                               Verify work) {
    using Checked = std::expected<CheckedDirective, WorkError>;
    return append(id, [this, id, line = std::move(line), work]() -> Checked {
        AnalysisRun* run = find(id);
        if (run == nullptr) {
            return no_analysis(id);
        }
        std::vector<chess::Move> whole = run->played;
        whole.insert(whole.end(), line.begin(), line.end());
        return checked(*run, std::move(whole), work);
    });
}

Pending<Queue::CheckedDirective> Queue::verified(AnalysisId id, analysis::UnixMs given) {
    using Checked = std::expected<CheckedDirective, WorkError>;
    return append(id, [this, id, given]() -> Checked {
        AnalysisRun* run = find(id);
        const Directive* said = run == nullptr ? nullptr : verified_in(run->directives);
        if (said == nullptr || said->at != given) {
            return no_analysis(id);
        }
        return checked(*run, said->line, Retract{given});
    });
}

} // namespace adjourn::server
