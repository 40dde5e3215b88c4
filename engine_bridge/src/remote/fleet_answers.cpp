// Fleet: what machines tell, what it is compared with, and what ends by itself.
#include "engine_bridge/remote/fleet.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace adjourn::engine_bridge {

namespace {

// Answers to questions of before a restart: so many are kept, and so long.
constexpr std::size_t most_kept = 4'096;
constexpr std::chrono::minutes kept_for{10};

// cp; scores that are no centipawns count as a decided game.
int difference_of(chess::Score a, chess::Score b) {
    const auto value = [](chess::Score score) {
        constexpr int decided = 1'000;
        return std::clamp(score.rank(), -decided, decided);
    };
    return std::abs(value(a) - value(b));
}

} // namespace

std::expected<std::vector<Judged>, FleetError> Fleet::answers(const std::string& id,
                                                              const std::vector<Delivery>& all) {
    const auto found = contact(id);
    if (!found) {
        return std::unexpected(found.error());
    }
    std::vector<Judged> judged;
    for (const Delivery& delivery : all) {
        judged.push_back(judge(**found, delivery));
        if (judged.back().verdict == Verdict::refused) {
            Machine& machine = **found;
            ++machine.refused;
            machine.last_refusal = judged.back().reason;
            spdlog::warn("machine {}: an answer is not taken: {}", machine.name,
                         machine.last_refusal);
        }
    }
    return judged;
}

Judged Fleet::judge(Machine& machine, const Delivery& delivery) {
    const auto question = dispatcher_->question(delivery.lease, machine.place);
    const Claim* told = std::get_if<Claim>(&delivery.found);
    if (!question) {
        if (told != nullptr && answers_open_question(machine, delivery, *told)) {
            return {delivery.lease, Verdict::taken};
        }
        if (told != nullptr) {
            ++machine.late;
            keep(machine, delivery, *told);
        }
        return {delivery.lease, Verdict::late};
    }
    const Job job = *question;
    if (told == nullptr) {
        const Failure& failure = std::get<Failure>(delivery.found);
        const bool given_back =
            failure.kind == Failure::Kind::cancelled || failure.kind == Failure::Kind::unavailable;
        machine.failed += given_back ? 0 : 1;
        dispatcher_->answer(delivery.lease, machine.place, std::unexpected(failure));
        return {delivery.lease, Verdict::taken};
    }
    // A lease's number is not enough: a clock that went back may have given it twice.
    const bool of_this = delivery.question == question_key(delivery.profile, job);
    std::expected<Answer, std::string> answer =
        of_this ? believed(*told, job) : std::unexpected("it is an answer to another question");
    if (!answer) {
        dispatcher_->answer(
            delivery.lease, machine.place,
            std::unexpected(Failure{Failure::Kind::no_result,
                                    "machine " + machine.name + ": " + answer.error(), 0}));
        return {delivery.lease, Verdict::refused, answer.error()};
    }
    const chess::Score score = *answer->score;
    answer->machine = machine.name;
    if (!dispatcher_->answer(delivery.lease, machine.place, std::move(*answer))) {
        ++machine.late; // somebody else was quicker, just now
        return {delivery.lease, Verdict::late};
    }
    ++machine.answered;
    const auto profile = index_of(delivery.profile);
    if (options_.repeat_one_in > 0 && machine.answered % options_.repeat_one_in == 0 && profile &&
        !closed_) {
        check(machine, *profile, delivery.profile, job, score);
    }
    return {delivery.lease, Verdict::taken};
}

// Asks again here what a machine has answered.
void Fleet::check(const Machine& machine, ProfileId profile, const std::string& name, Job job,
                  chess::Score score) {
    job.id = dispatcher_->next_id();
    job.urgent = false;
    job.watched = false;
    job.here = true;
    dispatcher_->submit(
        profile, std::move(job),
        [this, scope = scope_.poster(), id = machine.id, name, score](const Result& result) {
            if (result && result->score) {
                scope.post([this, id, name, score, here = *result->score] {
                    compared(id, name, score, here);
                });
            }
        });
}

void Fleet::compared(const std::string& id, const std::string& profile, chess::Score there,
                     chess::Score here) {
    Machine* machine = find(id);
    if (machine == nullptr) {
        return;
    }
    const int apart = difference_of(there, here);
    const double noise = options_.sigma ? 2 * options_.sigma(profile) : 0;
    ++machine->compared;
    machine->sum_of_differences += apart;
    if (apart > noise) {
        ++machine->different;
        spdlog::info("machine {}: engine {} finds {} cp more or less here than there",
                     machine->name, profile, apart);
    }
}

// ---- answers that come before their questions, after a restart of the server ----

bool Fleet::answers_open_question(Machine& machine, const Delivery& delivery, const Claim& claim) {
    const auto index = index_of(delivery.profile);
    if (!index || !machine.parts.contains(*index) || delivery.lease >= dispatcher_->first_lease()) {
        return false;
    }
    const auto job = dispatcher_->find(*index, [&](const Job& open) {
        return question_key(delivery.profile, open) == delivery.question;
    });
    if (!job) {
        return false;
    }
    auto answer = believed(claim, *job);
    if (!answer) {
        return false;
    }
    answer->machine = machine.name;
    if (!dispatcher_->answer_open(job->id, std::move(*answer))) {
        return false;
    }
    ++machine.answered;
    return true;
}

void Fleet::keep(const Machine& machine, const Delivery& delivery, const Claim& told) {
    const auto index = index_of(delivery.profile);
    if (!index || !machine.parts.contains(*index) || kept_.size() >= most_kept ||
        delivery.lease >= dispatcher_->first_lease()) {
        return;
    }
    kept_.insert_or_assign(delivery.question,
                           Kept{delivery.profile, told, machine.id, options_.clock() + kept_for});
}

std::optional<Answer> Fleet::kept_answer(ProfileId of, const Job& job) {
    if (kept_.empty()) {
        return std::nullopt;
    }
    const std::string profile = dispatcher_->name_of(of);
    const auto kept = kept_.extract(question_key(profile, job));
    if (kept.empty() || kept.mapped().profile != profile) {
        return std::nullopt;
    }
    auto answer = believed(kept.mapped().told, job);
    if (!answer) {
        return std::nullopt;
    }
    if (Machine* machine = find(kept.mapped().machine)) {
        ++machine->answered;
        answer->machine = machine->name;
    }
    return std::move(*answer);
}

// ---- what ends by itself ----

void Fleet::look_after() {
    const Time now = options_.clock();
    forget_closed();
    dispatcher_->look_after(now);
    for (auto& [id, machine] : machines_) {
        if (!machine.away && machine.seen + options_.life <= now) {
            spdlog::warn(
                "machine {} has not been heard of for {} s", machine.name,
                std::chrono::duration_cast<std::chrono::seconds>(now - machine.seen).count());
            machine.away = true;
            dispatcher_->vacate(machine.place, true);
        }
        // One that lives and asks for nothing, as its engines do not start, keeps nothing waiting.
        if (!machine.wake && machine.asked + options_.life <= now &&
            dispatcher_->leases(machine.place) == 0) {
            for (const auto& [profile, part] : machine.parts) {
                dispatcher_->offer(machine.place, profile, {part.processes, 0});
            }
        }
    }
    std::erase_if(machines_, [&](const auto& each) {
        const bool over = each.second.away && each.second.seen + remembered <= now;
        if (over) {
            dispatcher_->leave(each.second.place);
        }
        return over;
    });
    std::erase_if(kept_, [&](const auto& each) { return each.second.until <= now; });
}

void Fleet::close() {
    closed_ = true;
    timer_.cancel();
    for (auto& [id, machine] : machines_) {
        wake(machine);
    }
}

} // namespace adjourn::engine_bridge
