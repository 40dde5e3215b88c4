#include "http/events/event_hub.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <string_view>
#include <unordered_map>

namespace adjourn::http {

namespace {

using Number = std::uint64_t;

struct Keyed {
    explicit Keyed(Event given) : event(std::move(given)), key(event.kind + '\n' + event.subject) {}
    Event event;
    std::string key;
};

struct Field {
    std::string json;
    Number number = 0; // of the event that changed it
};

struct Entry {
    Number number = 0;
    std::shared_ptr<const Keyed> keyed;
    bool replaced_older = false;
    // What lean clients get: all, if an event with a number from `whole` on did not say what had
    // changed (0: none), else these.
    Number whole = 0;
    std::map<std::string, Field> fields = {};
};

Entry entry_of(Number number, std::shared_ptr<const Keyed> keyed) {
    Entry entry{number, std::move(keyed)};
    for (const auto& [name, json] : entry.keyed->event.changed) {
        entry.fields[name] = {json, number};
    }
    if (entry.fields.empty()) {
        entry.whole = number;
    }
    return entry;
}

// What changed after `number`.
Entry later_than(Number number, const Entry& entry) {
    Entry later{entry.number, entry.keyed, entry.replaced_older};
    later.whole = entry.whole > number ? entry.whole : 0;
    for (const auto& [name, field] : entry.fields) {
        if (field.number > number || entry.keyed->event.changed.contains(name)) {
            later.fields[name] = field;
        }
    }
    return later;
}

std::string lean_data(const Entry& entry) {
    std::string data;
    for (const auto& [name, field] : entry.fields) {
        data.append(data.empty() ? "{\"" : ",\"").append(name).append("\":").append(field.json);
    }
    return data + "}";
}

// Of one (kind, subject) the newest, in order of numbers.
class NewestOfEach {
public:
    enum class Order : std::uint8_t { at_the_end, of_the_oldest };

    // Where an older one is replaced, the new one says what has changed since before both. With
    // `of_the_oldest` it takes the other's number, so that none waits for ever.
    void put(Entry entry, Order where = Order::at_the_end) {
        const auto [place, fresh] = number_of_.try_emplace(entry.keyed->key, entry.number);
        if (!fresh) {
            auto older = entries_.extract(place->second);
            entry.replaced_older = true;
            entry.whole = std::max(entry.whole, older.mapped().whole);
            entry.fields.merge(older.mapped().fields);
            if (where == Order::of_the_oldest) {
                entry.number = place->second;
            }
            place->second = entry.number;
        }
        const Number number = entry.number;
        entries_.emplace(number, std::move(entry));
    }

    // REQUIRES: not empty.
    Entry take_oldest() {
        auto oldest = entries_.extract(entries_.begin());
        number_of_.erase(oldest.mapped().keyed->key);
        return std::move(oldest.mapped());
    }

    // REQUIRES: not empty. Gives the number of the dropped entry.
    Number drop_oldest() {
        const auto oldest = entries_.begin();
        const auto number = oldest->first;
        number_of_.erase(oldest->second.keyed->key);
        entries_.erase(oldest);
        return number;
    }

    void clear() {
        number_of_.clear();
        entries_.clear();
    }

    const std::map<Number, Entry>& entries() const { return entries_; }

private:
    std::unordered_map<std::string, Number> number_of_;
    std::map<Number, Entry> entries_;
};

// Without an id where it is "".
void append_block(std::string& out, const std::string& id, std::string_view kind,
                  std::string_view data) {
    if (!id.empty()) {
        out.append("id: ").append(id).append("\n");
    }
    out.append("event: ").append(kind).append("\n");
    // A line break inside the data would end the field.
    while (true) {
        const auto end = std::min(data.find_first_of("\r\n"), data.size());
        out.append("data: ").append(data.substr(0, end)).append("\n");
        if (end == data.size()) {
            break;
        }
        data.remove_prefix(end + 1);
    }
    out.append("\n");
}

} // namespace

struct EventHub::Impl {
    explicit Impl(EventHubLimits given) : limits(given), run(base::random_secret()) {}

    std::string id(Number number) const { return run + "-" + std::to_string(number); }

    // nullopt: not an id of this run.
    std::optional<Number> number_of(std::string_view id) const {
        if (!id.starts_with(run) || !id.substr(run.size()).starts_with('-')) {
            return std::nullopt;
        }
        const auto number = base::parse_number<std::uint64_t>(id.substr(run.size() + 1));
        return number && *number <= newest ? number : std::nullopt;
    }

    const EventHubLimits limits;
    const std::string run;
    std::mutex mutex; // guards what follows and the subscriptions' pending
    Number newest = 0;
    Number forgotten = 0; // newest number that fell out of the replay for lack of room
    NewestOfEach replay;
    std::set<Subscription*> subscriptions;
};

class EventHub::Subscription final : public EventSubscription {
public:
    Subscription(std::shared_ptr<Impl> hub, Filter filter, const std::optional<std::string>& last,
                 std::function<void()> wake)
        : hub_(std::move(hub)), filter_(filter), wake_(std::move(wake)) {
        const std::lock_guard lock(hub_->mutex);
        if (filter_.by_link) {
            reset_at_ = hub_->newest;
        } else if (last) {
            const auto number = hub_->number_of(*last);
            if (!number || *number < hub_->forgotten) {
                reset_at_ = hub_->newest;
            } else {
                replay_after(*number);
            }
        }
        if (!filter_.by_link) {
            start_ = hub_->newest;
        }
        hub_->subscriptions.insert(this);
    }

    ~Subscription() override {
        const std::lock_guard lock(hub_->mutex);
        hub_->subscriptions.erase(this);
    }

    // REQUIRES: lock held.
    void push(const Entry& entry) {
        if (!wants(entry)) {
            return;
        }
        const bool was_idle = pending_.entries().empty() && !reset_at_;
        put(entry);
        if (was_idle) {
            wake_();
        }
    }

    std::string take() override {
        NewestOfEach taken;
        std::optional<Number> reset_at;
        std::optional<Number> start;
        {
            const std::lock_guard lock(hub_->mutex);
            if (filter_.lean) {
                take_some(taken);
            } else {
                std::swap(taken, pending_);
            }
            std::swap(reset_at, reset_at_);
            std::swap(start, start_);
        }
        std::string text;
        const auto id = [&](Number number) { return filter_.by_link ? "" : hub_->id(number); };
        if (reset_at) {
            append_block(text, id(*reset_at), "reset", "{}");
        }
        for (const auto& [number, entry] : taken.entries()) {
            const auto& event = entry.keyed->event;
            if (filter_.by_link) {
                append_block(text, "", event.kind, event.data_by_link);
                continue;
            }
            if (filter_.lean && entry.whole == 0) {
                append_block(text, id(number), event.kind + "_changed", lean_data(entry));
                continue;
            }
            const bool adds = entry.replaced_older && !event.data_if_replacing.empty();
            append_block(text, id(number), event.kind, adds ? event.data_if_replacing : event.data);
        }
        // A block without data is no event, but tells the client where it is, should it come back.
        if (start && text.empty()) {
            text = "id: " + hub_->id(*start) + "\n\n";
        }
        return text;
    }

private:
    bool wants(const Entry& entry) const {
        const auto& event = entry.keyed->event;
        if (filter_.by_link) {
            return filter_.analysis && event.analysis == filter_.analysis &&
                   !event.data_by_link.empty();
        }
        const bool of_positions = event.kind == "node" || event.kind == "look";
        if (filter_.nodes && of_positions && event.analysis != filter_.nodes) {
            return false;
        }
        return !filter_.analysis || !event.analysis || event.analysis == filter_.analysis;
    }

    void put(const Entry& entry) {
        if (filter_.lean) {
            pending_.put(entry, NewestOfEach::Order::of_the_oldest);
        } else {
            pending_.put({entry.number, entry.keyed, entry.replaced_older});
        }
        if (pending_.entries().size() <= hub_->limits.pending) {
            return;
        }
        pending_.clear();
        reset_at_ = entry.number;
    }

    // REQUIRES: lock held.
    void take_some(NewestOfEach& taken) {
        for (std::size_t size = 0; !pending_.entries().empty() && size < hub_->limits.lean;) {
            Entry entry = pending_.take_oldest();
            size += entry.whole == 0 ? lean_data(entry).size() : entry.keyed->event.data.size();
            taken.put(std::move(entry));
        }
    }

    void replay_after(Number number) {
        const auto& entries = hub_->replay.entries();
        for (auto next = entries.upper_bound(number); next != entries.end(); ++next) {
            if (wants(next->second)) {
                put(later_than(number, next->second));
            }
        }
    }

    std::shared_ptr<Impl> hub_;
    const Filter filter_;
    const std::function<void()> wake_;
    NewestOfEach pending_;
    std::optional<Number> reset_at_; // a reset with this number comes before what is pending
    std::optional<Number> start_;    // until the first take
};

EventHub::EventHub(EventHubLimits limits) : impl_(std::make_shared<Impl>(limits)) {}

EventHub::~EventHub() = default;

void EventHub::publish(Event event) {
    auto shared = std::make_shared<const Keyed>(std::move(event));
    const std::lock_guard lock(impl_->mutex);
    const Entry entry = entry_of(++impl_->newest, std::move(shared));
    impl_->replay.put(entry);
    if (impl_->replay.entries().size() > impl_->limits.replay) {
        impl_->forgotten = impl_->replay.drop_oldest();
    }
    for (auto* subscription : impl_->subscriptions) {
        subscription->push(entry);
    }
}

std::unique_ptr<EventSubscription>
EventHub::subscribe(Filter filter, const std::optional<std::string>& last_event_id,
                    std::function<void()> wake) {
    return std::make_unique<Subscription>(impl_, filter, last_event_id, std::move(wake));
}

} // namespace adjourn::http
