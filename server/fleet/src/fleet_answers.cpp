// Fleet: what machines tell, what it is compared with, and what ends by itself.
#include "fleet/fleet.hpp"

#include "fleet_workers.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace adjourn::server {

using engine_bridge::Answer;
using engine_bridge::Failure;
using engine_bridge::Job;

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

void Fleet::tell(std::vector<LeaseBook::Ended> ended) {
    for (LeaseBook::Ended& each : ended) {
        if (FleetWorkers* workers = workers_of(each.profile)) {
            workers->ended(std::move(each));
        }
    }
}

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
    for (FleetWorkers* workers : workers_) {
        if (workers != nullptr) {
            workers->hides_ended(book_);
            workers->room_changed();
        }
    }
    bring_home();
    return judged;
}

Judged Fleet::judge(Machine& machine, const Delivery& delivery) {
    const Job* question = book_.question(delivery.lease, machine.place);
    const Claim* told = std::get_if<Claim>(&delivery.found);
    if (question == nullptr) {
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
        if (auto ended = book_.answer(delivery.lease, machine.place, std::unexpected(failure))) {
            tell({std::move(*ended)});
        } else {
            wake_all(); // somebody else may have it
        }
        return {delivery.lease, Verdict::taken};
    }
    // A lease's number is not enough: a clock that went back may have given it twice.
    const bool of_this = delivery.question == question_key(delivery.profile, job);
    std::expected<Answer, std::string> answer =
        of_this ? believed(*told, job) : std::unexpected("it is an answer to another question");
    if (!answer) {
        if (auto ended = book_.answer(
                delivery.lease, machine.place,
                std::unexpected(Failure{Failure::Kind::no_result,
                                        "machine " + machine.name + ": " + answer.error(), 0}))) {
            tell({std::move(*ended)});
        } else {
            wake_all();
        }
        return {delivery.lease, Verdict::refused, answer.error()};
    }
    const chess::Score score = *answer->score;
    auto ended = book_.answer(delivery.lease, machine.place, std::move(*answer));
    FleetWorkers* workers = workers_of(ended->profile);
    tell({std::move(*ended)});
    ++machine.answered;
    if (options_.repeat_one_in > 0 && machine.answered % options_.repeat_one_in == 0 &&
        workers != nullptr && !closed_) {
        workers->check(job, machine.id, score);
    }
    return {delivery.lease, Verdict::taken};
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
    if (!index || !machine.parts.contains(*index) || delivery.lease >= book_.first()) {
        return false;
    }
    const auto id = book_.find(*index, [&](const Job& job) {
        return question_key(delivery.profile, job) == delivery.question;
    });
    if (!id) {
        return false;
    }
    auto answer = believed(claim, book_.job(*id));
    if (!answer) {
        return false;
    }
    ++machine.answered;
    tell({book_.answer_open(*id, std::move(*answer))});
    return true;
}

void Fleet::keep(const Machine& machine, const Delivery& delivery, const Claim& told) {
    const auto index = index_of(delivery.profile);
    if (!index || !machine.parts.contains(*index) || kept_.size() >= most_kept ||
        delivery.lease >= book_.first()) {
        return;
    }
    kept_.insert_or_assign(delivery.question,
                           Kept{delivery.profile, told, machine.id, options_.clock() + kept_for});
}

std::optional<Answer> Fleet::kept_answer(const std::string& profile, const Job& job) {
    if (kept_.empty()) {
        return std::nullopt;
    }
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
    }
    return std::move(*answer);
}

// ---- what ends by itself ----

void Fleet::leave(Machine& machine, bool blamed) {
    tell(book_.leave(machine.place, blamed));
    for (FleetWorkers* workers : workers_) {
        if (workers != nullptr) {
            workers->hides_ended(book_);
        }
    }
    wake_all();
}

// Where no machine takes questions any more, those that wait are asked here.
void Fleet::bring_home() {
    for (ProfileIndex profile = 0; profile < workers_.size(); ++profile) {
        if (workers_[profile] != nullptr && book_.capacity(profile) == 0 &&
            book_.waiting(profile) > 0) {
            for (Job& job : book_.take_back(profile)) {
                workers_[profile]->submit_here(std::move(job));
            }
        }
    }
}

void Fleet::look_after() {
    const Time now = options_.clock();
    auto ended = book_.expire(now);
    const bool over = !ended.empty();
    tell(std::move(ended));
    for (auto& [id, machine] : machines_) {
        if (!machine.away && machine.seen + options_.life <= now) {
            spdlog::warn(
                "machine {} has not been heard of for {} s", machine.name,
                std::chrono::duration_cast<std::chrono::seconds>(now - machine.seen).count());
            machine.away = true;
            leave(machine, true);
        }
        // One that lives and asks for nothing, as its engines do not start, keeps nothing waiting.
        if (!machine.wake && machine.asked + options_.life <= now &&
            book_.leases(machine.place) == 0) {
            for (const auto& [profile, part] : machine.parts) {
                book_.set_capacity(machine.place, profile, 0);
            }
        }
    }
    std::erase_if(machines_, [&](const auto& each) {
        return each.second.away && each.second.seen + remembered <= now;
    });
    std::erase_if(kept_, [&](const auto& each) { return each.second.until <= now; });
    for (FleetWorkers* workers : workers_) {
        if (workers != nullptr) {
            workers->hides_ended(book_);
        }
    }
    bring_home();
    if (over || std::ranges::any_of(workers_, [&, i = ProfileIndex{0}](const auto*) mutable {
            return book_.waiting(i++) > 0;
        })) {
        wake_all();
    }
}

void Fleet::close() {
    closed_ = true;
    timer_.cancel();
    wake_all();
}

} // namespace adjourn::server
