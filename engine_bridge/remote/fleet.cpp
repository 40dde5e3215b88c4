// Fleet: machines, what they ask and tell, and what people are shown.
#include "engine_bridge/remote/fleet.hpp"

#include "chess/notation.hpp"
#include "engine_bridge/process/text.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

namespace adjourn::engine_bridge {

using chess::Score;

std::expected<Answer, std::string> believed(const Claim& told, const Job& question) {
    const auto move = chess::parse_uci(question.position, told.move);
    if (!move) {
        return std::unexpected(move.error().message);
    }
    if (!question.searchmoves.empty() &&
        std::ranges::find(question.searchmoves, *move) == question.searchmoves.end()) {
        return std::unexpected(told.move + " was not among the moves to search");
    }
    if (told.cp.has_value() == told.mate.has_value() || told.mate == 0) {
        return std::unexpected("a score is either in centipawns or a mate");
    }
    const auto beyond = [](int number, int least, int most) {
        return number < least || number > most;
    };
    if ((told.cp && beyond(*told.cp, -ranges::most_cp, ranges::most_cp)) ||
        (told.mate && beyond(*told.mate, -ranges::most_mate, ranges::most_mate)) ||
        beyond(told.depth, 0, ranges::most_depth) || beyond(told.seldepth, 0, ranges::most_depth) ||
        told.nodes > ranges::most_nodes || told.pv.size() > claim_max_pv) {
        return std::unexpected("a number is out of range");
    }
    Answer answer{*move, {}, chess::Bound::exact, 0, 0, 0, 0, {}, 0, std::nullopt};
    const bool white = question.position.turn() == chess::Color::white;
    const int sign = white ? 1 : -1;
    if (told.cp) {
        answer.score = Score::cp(sign * *told.cp);
    } else {
        const int mate = sign * *told.mate;
        answer.score = mate > 0 ? Score::mate_in(2 * mate - 1) : Score::mated_in(-2 * mate);
    }
    answer.depth = told.depth;
    answer.seldepth = told.seldepth;
    answer.nodes = told.nodes;
    answer.time_ms = told.time_ms;
    answer.wdl = told.wdl && !white ? -*told.wdl : told.wdl;
    chess::Position at = question.position;
    for (const std::string& text : told.pv) {
        const auto next = chess::parse_uci(at, text);
        if (!next) {
            return std::unexpected("in the line: " + next.error().message);
        }
        answer.pv.push_back(*next);
        at.play(*next);
    }
    if (answer.pv.empty() || answer.pv.front() != answer.move) {
        return std::unexpected("the line does not begin with the move");
    }
    return answer;
}

Claim claim_of(const Answer& answer, const Job& question) {
    Claim told;
    told.move = chess::to_uci(question.position, answer.move);
    const bool white = question.position.turn() == chess::Color::white;
    const Score score = white ? *answer.score : -*answer.score;
    if (score.is_cp()) {
        told.cp = score.centipawns();
    } else {
        const int moves = (score.plies() + 1) / 2;
        told.mate = score.is_win() ? moves : -moves;
    }
    told.depth = answer.depth;
    told.seldepth = answer.seldepth;
    told.nodes = answer.nodes;
    told.time_ms = answer.time_ms;
    told.wdl = answer.wdl && !white ? -*answer.wdl : answer.wdl;
    chess::Position at = question.position;
    for (const chess::Move move : answer.pv) {
        if (told.pv.size() == claim_max_pv) {
            break;
        }
        told.pv.push_back(chess::to_uci(at, move));
        at.play(move);
    }
    return told;
}

std::string question_key(const std::string& profile, const Job& question) {
    std::string text = profile + "\n" + question.position.engine_fen() + "\n" +
                       std::to_string(static_cast<int>(question.limit.kind)) + " " +
                       std::to_string(question.limit.amount);
    for (const chess::Move move : question.searchmoves) {
        text += " " + chess::to_uci(question.position, move);
    }
    std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) {
        digits += "0123456789abcdef"[hash >> shift & 15];
    }
    return digits;
}

std::string difference(const Identity& here, const Identity& there) {
    const auto differ = [](const std::string& what, const std::string& ours,
                           const std::string& theirs) {
        return what + " is '" + ours + "' on the server and '" + theirs + "' on the machine";
    };
    if (here.name != there.name) {
        return differ("the engine's name", here.name, there.name);
    }
    if (here.network != there.network) {
        return differ("the network", here.network, there.network);
    }
    std::set<std::string> names;
    for (const auto* options : {&here.options, &there.options}) {
        for (const auto& [name, value] : *options) {
            names.insert(name);
        }
    }
    std::string all;
    for (const std::string& name : names) {
        const auto ours = here.options.find(name);
        const auto theirs = there.options.find(name);
        if (ours == here.options.end() || theirs == there.options.end()) {
            all += (all.empty() ? "" : "; ") + ("option " + name) + " is unknown to the engine " +
                   (ours == here.options.end() ? "of the server" : "of the machine");
        } else if (ours->second != theirs->second) {
            all +=
                (all.empty() ? "" : "; ") + differ("option " + name, ours->second, theirs->second);
        }
    }
    return all;
}

namespace {

constexpr std::chrono::seconds look_interval{1};
constexpr std::size_t most_refusals = 20;

std::string version_text(const std::string& whose, int version) {
    return whose + " version of what they say to each other is " + std::to_string(version);
}

std::unexpected<FleetError> error(FleetError::Kind kind, std::string message) {
    return std::unexpected(FleetError{kind, std::move(message)});
}

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

std::string difference(int here, int there) {
    if (std::abs(here - there) <= 1) {
        return "";
    }
    return (there > here
                ? std::string{"the server is older than the machine: update Adjourn on the server"}
                : std::string{"the machine is older than the server: update Adjourn on the "
                              "machine"}) +
           " (" + version_text("the server's", here) + ", " + version_text("the machine's", there) +
           ")";
}

Fleet::Fleet(boost::asio::io_context& core, std::shared_ptr<Dispatcher> dispatcher, Options options)
    : options_{std::move(options)}, timer_{core}, scope_{core}, dispatcher_{std::move(dispatcher)} {
    dispatcher_->set_known(
        [this](ProfileId profile, const Job& job) { return kept_answer(profile, job); });
    if (options_.ticking) {
        tick();
    }
}

Fleet::~Fleet() {
    dispatcher_->set_known({});
}

void Fleet::tick() {
    timer_.expires_after(look_interval);
    timer_.async_wait(scope_.bind([this](boost::system::error_code failed) {
        if (!failed && !closed_) {
            look_after();
            tick();
        }
    }));
}

std::optional<ProfileId> Fleet::index_of(const std::string& profile) const {
    const auto known = dispatcher_->named(profile);
    return known ? std::optional{known->id} : std::nullopt;
}

Fleet::Machine* Fleet::find(const std::string& id) {
    const auto found = machines_.find(id);
    return found == machines_.end() ? nullptr : &found->second;
}

// ---- machines ----

bool Fleet::of_closed(const Machine& machine) const {
    return std::ranges::any_of(machine.parts,
                               [&](const auto& part) { return dispatcher_->closed(part.first); });
}

// The machines that answered for an engine that has gone offer themselves again, to whoever has its
// name then.
void Fleet::forget_closed() {
    for (auto it = machines_.begin(); it != machines_.end();) {
        if (of_closed(it->second)) {
            dispatcher_->leave(it->second.place);
            wake(it->second);
            it = machines_.erase(it);
        } else {
            ++it;
        }
    }
}

std::string Fleet::refusal_of(const Offer& offer) const {
    const auto known = dispatcher_->named(offer.profile);
    if (!known) {
        return "the server has no engine named '" + offer.profile + "'";
    }
    if (known->reproducible) {
        return "engine '" + offer.profile +
               "' is reproducible: one process of the server answers all of its questions";
    }
    const std::string differs = difference(*known->identity, offer.identity);
    return differs.empty() ? "" : "engine '" + offer.profile + "' is another one: " + differs;
}

void Fleet::note_refusal(const std::string& machine, const std::string& reasons) {
    std::erase_if(refusals_, [&](const auto& each) { return each.name == machine; });
    if (reasons.empty()) {
        return;
    }
    spdlog::warn("machine {} is refused: {}", machine, reasons);
    refusals_.push_back({machine, reasons, options_.wall()});
    if (refusals_.size() > most_refusals) {
        refusals_.pop_front();
    }
}

std::expected<Welcome, FleetError> Fleet::hello(const Hello& hello) {
    if (const std::string older = difference(machine_version, hello.version); !older.empty()) {
        note_refusal(hello.name, older);
        return error(FleetError::Kind::other_version, older);
    }
    forget_closed();
    for (const Offer& offer : hello.offers) {
        const auto known = dispatcher_->named(offer.profile);
        if (known && !known->identity) {
            return error(FleetError::Kind::not_ready,
                         "the server's engine '" + offer.profile + "' has not started yet");
        }
    }
    Machine machine;
    Welcome welcome;
    std::string reasons;
    for (const Offer& offer : hello.offers) {
        std::string refusal = refusal_of(offer);
        if (refusal.empty()) {
            machine.parts[*index_of(offer.profile)] = {offer.processes};
        } else {
            reasons += (reasons.empty() ? "" : "; ") + refusal;
        }
        welcome.parts.push_back({offer.profile, std::move(refusal)});
    }
    note_refusal(hello.name, reasons);
    if (machine.parts.empty()) {
        return error(FleetError::Kind::refused, reasons);
    }
    std::erase_if(machines_, [&](const auto& each) { // who comes again stands there once
        const bool same = each.second.away && each.second.name == hello.name;
        if (same) {
            dispatcher_->leave(each.second.place);
        }
        return same;
    });
    if (machines_.size() >= most_machines && !forget_longest_away()) {
        return error(FleetError::Kind::not_ready,
                     "there are " + std::to_string(most_machines) + " machines already");
    }
    machine.id = options_.new_id();
    machine.name = hello.name;
    machine.place = dispatcher_->enter(
        [this, scope = scope_.poster(), id = machine.id] {
            scope.post([this, id] {
                if (Machine* const there = find(id)) {
                    wake(*there);
                }
            });
        },
        machine.name);
    machine.seen = machine.asked = options_.clock();
    welcome.id = machine.id;
    spdlog::info("machine {} answers questions from now on", machine.name);
    Machine& added = machines_.emplace(machine.id, std::move(machine)).first->second;
    set_capacities(added);
    return welcome;
}

std::expected<Fleet::Machine*, FleetError> Fleet::contact(const std::string& id) {
    Machine* machine = find(id);
    if (machine != nullptr && of_closed(*machine)) {
        forget_closed();
        machine = nullptr;
    }
    if (machine == nullptr) {
        return error(FleetError::Kind::unknown_machine,
                     "no machine is known by this id: say hello by POST workers");
    }
    machine->seen = options_.clock();
    if (machine->away) {
        spdlog::info("machine {} is back", machine->name);
        machine->away = false;
        set_capacities(*machine);
    }
    return machine;
}

// It has what it holds and what it wants besides; before it has asked, two for each process.
void Fleet::set_capacities(Machine& machine) {
    for (const auto& [profile, part] : machine.parts) {
        const auto demand = machine.demands.find(profile);
        const std::size_t demanded = dispatcher_->leases(machine.place, profile) +
                                     (demand == machine.demands.end() ? 0 : demand->second);
        const std::size_t most =
            machine.drain || machine.away ? 0 : std::max(2 * part.processes, demanded);
        dispatcher_->offer(machine.place, profile, {part.processes, most});
    }
}

std::expected<Taken, FleetError> Fleet::take(const std::string& id,
                                             const std::vector<Demand>& demands) {
    const auto found = contact(id);
    if (!found) {
        return std::unexpected(found.error());
    }
    Machine& machine = **found;
    machine.asked = options_.clock();
    machine.demands.clear();
    for (const Demand& demand : demands) {
        const auto index = index_of(demand.profile);
        if (index && machine.parts.contains(*index)) {
            machine.demands[*index] = demand.most;
        }
    }
    set_capacities(machine);
    Taken taken;
    taken.drain = machine.drain;
    for (const auto& [profile, most] : machine.demands) {
        if (machine.drain) {
            break;
        }
        const std::string name = dispatcher_->name_of(profile);
        for (Dispatcher::Lease& lease :
             dispatcher_->take(machine.place, profile, most, options_.clock())) {
            taken.leases.push_back(
                {lease.id, name, question_key(name, lease.job), std::move(lease.job)});
        }
    }
    taken.news = dispatcher_->news(machine.place);
    return taken;
}

void Fleet::keep_only(const std::string& id, const std::vector<LeaseId>& held) {
    if (const Machine* machine = find(id)) {
        dispatcher_->keep_only(machine->place, held);
    }
}

void Fleet::wake(Machine& machine) {
    dispatcher_->wait(machine.place, false);
    if (const auto wake = std::exchange(machine.wake, nullptr)) {
        wake();
    }
}

Fleet::Poll Fleet::begin_to_wait(const std::string& id) {
    Machine* machine = find(id);
    if (machine == nullptr) {
        return 0;
    }
    ++machine->poll;
    wake(*machine);
    return machine->poll;
}

bool Fleet::waits(const std::string& id, Poll poll) const {
    const auto found = machines_.find(id);
    return !closed_ && found != machines_.end() && found->second.poll == poll;
}

bool Fleet::wait(const std::string& id, Poll poll, std::function<void()> wake) {
    if (!waits(id, poll)) {
        return false;
    }
    Machine& machine = machines_.at(id);
    machine.wake = std::move(wake);
    dispatcher_->wait(machine.place, true);
    return true;
}

void Fleet::do_not_wake(const std::string& id, Poll poll) {
    if (waits(id, poll)) {
        machines_.at(id).wake = nullptr;
        dispatcher_->wait(machines_.at(id).place, false);
    }
}

void Fleet::set_pulses(Machine& machine, const std::vector<Pulse>& pulses) {
    for (const Pulse& pulse : pulses) {
        const auto index = index_of(pulse.profile);
        const auto part = index ? machine.parts.find(*index) : machine.parts.end();
        if (part != machine.parts.end()) {
            part->second.busy = pulse.busy;
            part->second.nps = pulse.nps;
        }
    }
}

std::expected<Taken, FleetError> Fleet::beat(const std::string& id,
                                             const std::vector<LeaseId>& held,
                                             const std::vector<Pulse>& pulses) {
    const auto found = contact(id);
    if (!found) {
        return std::unexpected(found.error());
    }
    Machine& machine = **found;
    set_pulses(machine, pulses);
    dispatcher_->beat(machine.place, held, options_.clock());
    Taken taken;
    taken.news = dispatcher_->news(machine.place);
    taken.drain = machine.drain;
    return taken;
}

bool Fleet::goodbye(const std::string& id) {
    Machine* machine = find(id);
    if (machine == nullptr) {
        return false;
    }
    spdlog::info("machine {} has said goodbye", machine->name);
    dispatcher_->leave(machine->place);
    wake(*machine);
    machines_.erase(id);
    return true;
}

bool Fleet::drain(const std::string& id, bool on) {
    Machine* machine = find(id);
    if (machine == nullptr) {
        return false;
    }
    machine->drain = on;
    set_capacities(*machine);
    wake(*machine);
    return true;
}

// Fleet: what machines tell, what it is compared with, and what ends by itself.

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

// Fleet: what people are shown of the machines.

std::vector<MachineView> Fleet::machines() const {
    std::vector<MachineView> all;
    const Time now = options_.clock();
    for (const auto& [id, machine] : machines_) {
        MachineView view;
        view.id = id;
        view.name = machine.name;
        const std::size_t leases = dispatcher_->leases(machine.place);
        using State = MachineView::State;
        view.state = machine.away    ? State::away
                     : machine.drain ? (leases > 0 ? State::draining : State::drained)
                                     : (leases > 0 ? State::working : State::idle);
        for (const auto& [profile, part] : machine.parts) {
            view.parts.push_back({dispatcher_->name_of(profile), part.processes,
                                  dispatcher_->leases(machine.place, profile),
                                  machine.away ? 0 : part.busy, machine.away ? 0 : part.nps});
        }
        view.seconds_silent = std::chrono::duration<double>(now - machine.seen).count();
        view.answered = machine.answered;
        view.failed = machine.failed;
        view.late = machine.late;
        view.refused = machine.refused;
        view.last_refusal = machine.last_refusal;
        view.compared = machine.compared;
        view.different = machine.different;
        view.mean_difference = machine.compared == 0 ? 0
                                                     : machine.sum_of_differences /
                                                           static_cast<double>(machine.compared);
        all.push_back(std::move(view));
    }
    std::ranges::sort(all, {}, [](const MachineView& view) {
        return std::pair{view.name, view.id};
    });
    return all;
}

// One that has vanished is remembered for people only, and no reason to refuse one that works.
bool Fleet::forget_longest_away() {
    auto longest = machines_.end();
    for (auto it = machines_.begin(); it != machines_.end(); ++it) {
        if (it->second.away &&
            (longest == machines_.end() || it->second.seen < longest->second.seen)) {
            longest = it;
        }
    }
    if (longest == machines_.end()) {
        return false;
    }
    dispatcher_->leave(longest->second.place);
    machines_.erase(longest);
    return true;
}

} // namespace adjourn::engine_bridge
