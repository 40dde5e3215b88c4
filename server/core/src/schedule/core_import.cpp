// Core, what an import has brought: it takes effect as if it had happened here.
#include "core/schedule/core.hpp"

namespace adjourn::server {

// What is read there is read on the thread that has imported: nothing of it waits for the core's,
// nor holds it.
Core::Imported Core::when_imported() {
    return [this, core = scope_.poster(), &store = store_,
            known = queue_.known()](const Import& import) {
        Queue::Contents contents;
        const auto trouble = guarded("reading what was imported", [&] {
            const auto seeded = import.seeded ? known.find(*import.seeded) : known.end();
            if (import.store) {
                contents = Queue::contents(store, known);
            } else if (seeded != known.end()) {
                contents = Queue::contents(store, seeded->first, seeded->second);
            } else {
                contents.engines = store.engines();
            }
        });
        if (trouble) {
            contents.troubles.push_back(*trouble);
        }
        core.post([this, import, contents = std::move(contents)]() mutable {
            if (!stopping_) {
                const HoldWatch::Hold hold{watch(), "import"};
                attempt("taking in an import", [&] { take_import(import, std::move(contents)); });
            }
        });
    };
}

void Core::take_import(const Import& import, Queue::Contents contents) {
    analyses_due_ = analyses_due_ || (import.store && !contents.troubles.empty());
    take_analyses(std::move(contents));
    for (const analysis::EngineId engine : import.engines) {
        graphs_.reread(engine);
    }
    for (const auto& run : queue_.runs()) {
        if (follow_game(*run)) {
            continue;
        }
        if (graphs_.rests_elsewhere(*run)) {
            change_graph(*run); // an engine or a directive that was not in the store before
        } else if (import.store || run->record.id == import.seeded) {
            graphs_.reread_seeds(*run);
            begin_again(*run);
        }
    }
    scheduler_.fill_soon();
}

} // namespace adjourn::server
