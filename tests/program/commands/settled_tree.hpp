// A place where the program is used; and what tests of it say about a tree that is settled: it is
// the same, whatever died on the way.
#pragma once

#include "program.hpp"
#include "temporary_directory.hpp"

namespace adjourn::server {

// A directory for the data, and a configuration.
struct Place {
    TemporaryDirectory directory;
    std::string config = write_config(directory.path(), 1, 1).string();
    std::string data = directory.file("data");

    Finished run(std::vector<std::string> words) const {
        words.insert(words.end(), {"--config", config, "--data", data});
        return run_program(words);
    }
    // What a command that ends well prints as JSON.
    nlohmann::json done(std::vector<std::string> words) const {
        words.emplace_back("--json");
        const Finished finished = run(std::move(words));
        INFO(finished.output << finished.errors);
        REQUIRE(finished.code == 0);
        return nlohmann::json::parse(finished.output);
    }
    nlohmann::json analyse(const std::string& position,
                           const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"analyse", position, "--depth", "6", "--refine", "1"};
        words.insert(words.end(), more.begin(), more.end());
        return done(std::move(words));
    }
};

inline const std::string wanted_tree =
    R"({"position":{"moves":"1. d4 d5 2. c4"},"limit":{"depth":6},)"
    R"("strategy":{"kind":"halving","move_distance":25,"refine":3}})";

// Asks until the answer will do; its status does not matter.
inline nlohmann::json until(const RunningServer& server, const std::string& target,
                            const std::function<bool(const nlohmann::json&)>& enough) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes{3};
    while (true) {
        const auto [status, body] = server.request("GET", target);
        nlohmann::json answer = nlohmann::json::parse(body);
        if (enough(answer)) {
            return answer;
        }
        INFO(status << " " << body);
        REQUIRE(std::chrono::steady_clock::now() < end);
        std::this_thread::sleep_for(std::chrono::milliseconds{20}); // between polls
    }
}

inline bool settled(const nlohmann::json& analysis) {
    return analysis.value("state", "") == "settled";
}

// The first analysis of a store, without moments, the effort, which a killed search costs twice,
// and the machines, which differ where workers answer.
// `option`: --data or --store.
inline nlohmann::json settled_tree(const std::string& option, const std::string& store,
                                   const std::string& config) {
    const Finished run = run_program(
        {"export", "1", "--format", "json", "--margin", "1000", "--config", config, option, store});
    INFO(run.errors);
    REQUIRE(run.code == 0);
    nlohmann::json tree = nlohmann::json::parse(run.output);
    const std::function<void(nlohmann::json&)> clean = [&](nlohmann::json& value) {
        if (value.is_object()) {
            for (const char* key : {"at", "created_at", "engine_seconds", "machine"}) {
                value.erase(key);
            }
        }
        if (value.is_structured()) {
            for (nlohmann::json& part : value) {
                clean(part);
            }
        }
    };
    clean(tree);
    return tree;
}

// The answer at the root. Below it stands also what was searched ahead of its need, which depends
// on the moment of a kill.
inline nlohmann::json answer_of(const nlohmann::json& tree) {
    const nlohmann::json& best = tree["moves"].at(0);
    return {best["san"], best["alpha"], best["idea"], tree["analysis"]["settled"]};
}

} // namespace adjourn::server
