// Opening an analysis: its store, and engines that start. May take seconds (a slow disk, engines of
// other options that have to go first), so it is done on a thread of its own.
#pragma once

#include "deep_analysis.hpp"

#include "base/scratch_directory.hpp"
#include "uci/front_end.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace adjourn::server::uci {

struct OpenAnalysis {
    std::unique_ptr<DeepAnalysis> analysis; // nullptr: there is none
    // Holds its store, where the data directory cannot be had.
    std::unique_ptr<base::ScratchDirectory> temporary;
    std::vector<std::string> notes = {}; // for people
    std::string problem = {};            // why there is none
};

class Opening {
public:
    // Ends `before`, whose temporary store goes on being used, and opens another. `news` is that of
    // DeepAnalysis, and called when take() has something. Returns at once.
    Opening(Config config, FrontEndOptions options, std::function<void()> news,
            OpenAnalysis before);

    // Once; nullopt before it is open. Never waits.
    std::optional<OpenAnalysis> take();

private:
    std::mutex mutex_;
    std::optional<OpenAnalysis> open_;
    std::jthread thread_; // the destructor waits for it
};

} // namespace adjourn::server::uci
