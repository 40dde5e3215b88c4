#include "deep_analysis.hpp"

#include "finding_reader.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace adjourn::server::uci {

using analysis::AnalysisId;

// Between the two threads.
struct DeepAnalysis::Shared {
    std::function<void()> news;

    std::mutex mutex; // guards what follows
    std::uint64_t serial = 0;
    Finding finding;

    // ---- the core's thread only ----
    std::optional<AnalysisId> running;
    SearchRequest request;
    std::uint64_t running_serial = 0;
    bool reading = false; // for a finding that is told when that has been read
    bool changed = false; // since that reading began

    void tell(const std::function<void(Finding&)>& change) {
        {
            const std::scoped_lock lock{mutex};
            change(finding);
        }
        news();
    }

    static void publish(const std::shared_ptr<Shared>& self, const Core& core,
                        const AnalysisRun& run) {
        if (run.record.id != self->running) {
            return;
        }
        if (self->reading) {
            self->changed = true;
            return;
        }
        ToRead to_read;
        Finding now = finding_of(core, run, self->request, to_read);
        if (to_read.tails.empty() && !to_read.root) {
            self->publish(std::move(now), self->running_serial);
            return;
        }
        self->reading = true;
        self->changed = false;
        const auto finding = std::make_shared<Finding>(now);
        core.reads().ask(
            "reading what engines said of a position",
            [&store = core.store(), to_read = std::move(to_read), finding,
             searchmoves = self->request.searchmoves] {
                read(store, to_read, searchmoves, *finding);
            },
            [self, &core, finding, without = std::move(now),
             number = self->running_serial](const std::optional<Trouble>& trouble) {
                self->reading = false;
                self->publish(trouble ? without : std::move(*finding), number);
                const AnalysisRun* run =
                    self->changed && self->running ? core.queue().find(*self->running) : nullptr;
                if (run != nullptr) {
                    publish(self, core, *run);
                }
            });
    }

    // Of the request `number`.
    void publish(Finding now, std::uint64_t number) {
        tell([&](Finding& latest) {
            if (serial == number) {
                latest = std::move(now);
            }
        });
    }

    void end(Core& core) {
        if (running) {
            (void)core.remove(*running)
                .wait(); // transient: nothing to be written, nothing to go wrong
            running.reset();
        }
    }

    void hurry(Core& core) const {
        if (running) {
            core.hurry(*running);
        }
    }

    void begin(Core& core, SearchRequest wanted, std::uint64_t number) {
        end(core);
        request = std::move(wanted);
        running_serial = number;
        NewAnalysis analysis{
            "uci", request.game.start, request.game.moves, "", request.limit, {}, 0, false};
        analysis.spec.strategy = request.strategy;
        analysis.spec.budget.nodes = request.nodes;
        analysis.transient = true;
        analysis.game = request.game_number;
        const auto id = core.create(std::move(analysis)).wait(); // as above: nothing to wait for
        if (!id) {
            tell([&](Finding& latest) {
                latest.problem = id.error().message;
                latest.looked = latest.finished = true;
            });
            return;
        }
        running = *id;
        core.work_only_on(*id);
        if (!request.searchmoves.empty()) {
            for (const chess::Move move : request.game.position.legal_moves()) {
                if (std::ranges::find(request.searchmoves, move) == request.searchmoves.end()) {
                    (void)core.direct(*id, {move}, "exclude", "").wait();
                }
            }
        }
    }
};

DeepAnalysis::DeepAnalysis(Config config, const std::filesystem::path& data,
                           std::function<void()> news, std::function<void()> before_request)
    : before_request_{std::move(before_request)}, shared_{std::make_shared<Shared>()},
      service_{
          std::make_unique<Service>(std::move(config), ServiceOptions{data, false, "", true})} {
    shared_->news = std::move(news);
    service_->with_core([this, shared = shared_](Core& core) {
        processes_ = core.engines().all().front()->processes.get();
        core.work_only_on(AnalysisId{}); // analyses in the store wait for a server
        core.on_progress = [shared, &core](const AnalysisRun& run) {
            Shared::publish(shared, core, run);
        };
        core.on_engine = [shared, &core](const EngineSlot& engine) {
            shared->tell([&](Finding& latest) {
                latest.ready =
                    engine.identity.has_value() && core.graphs().of_engine(engine.id) != nullptr;
                latest.problem = engine.problem;
            });
        };
    });
    service_->start();
}

DeepAnalysis::~DeepAnalysis() {
    service_->stop();
}

void DeepAnalysis::begin(SearchRequest request) {
    forget();
    root_ = request.game.position;
    searchmoves_ = request.searchmoves;
    service_->post([shared = shared_, request = std::move(request), number = serial_,
                    before = before_request_](Core& core) {
        if (before) {
            before();
        }
        shared->begin(core, request, number);
    });
}

void DeepAnalysis::end() {
    forget();
    service_->post([shared = shared_](Core& core) { shared->end(core); });
}

void DeepAnalysis::hurry() {
    service_->post([shared = shared_](Core& core) { shared->hurry(core); });
}

// What is still to come of the request before is of no interest.
void DeepAnalysis::forget() {
    ++serial_;
    const std::scoped_lock lock{shared_->mutex};
    shared_->serial = serial_;
    Finding fresh;
    fresh.ready = shared_->finding.ready;
    fresh.problem = shared_->finding.problem;
    shared_->finding = std::move(fresh);
}

Finding DeepAnalysis::latest() const {
    Finding finding;
    {
        const std::scoped_lock lock{shared_->mutex};
        finding = shared_->finding;
    }
    // What the engines say at this moment: the core hears of it later, and may be busy.
    for (const engine_bridge::ProcessStatus& process : processes_->status()) {
        const bool of_root = process.position == root_ && process.line &&
                             std::ranges::is_permutation(process.searchmoves, searchmoves_) &&
                             among(searchmoves_, process.line->pv.front());
        if (of_root && (!finding.running || finding.running->depth <= process.line->depth)) {
            finding.running = candidate_of(*process.line);
        }
    }
    return finding;
}

} // namespace adjourn::server::uci
