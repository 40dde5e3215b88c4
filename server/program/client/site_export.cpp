#include "program/client/site.hpp"

#include "api/views/view.hpp"
#include "base/text.hpp"
#include "files/site/site_directory.hpp"
#include "files/site/site_feed.hpp"
#include "http/requests/target.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace adjourn::server {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t day_ms = 86'400'000;

class SiteExport {
public:
    using Done = std::expected<void, Refusal>;

    SiteExport(Remote& remote, const SiteWish& wish)
        : remote_{remote}, wish_{wish}, base_{"/api/v1/analyses/" + std::to_string(wish.id)} {}

    std::expected<SiteWritten, Refusal>
    run(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
        const Done done = one_by_one({[&] { return learn(); }, [&] { return open(); },
                                      [&] { return walk(progress); }, [&] { return begin(); }});
        if (!done) {
            return std::unexpected(done.error());
        }
        if (const Done written = write_all(); !written) {
            directory_->give_up();
            return std::unexpected(written.error());
        }
        return SiteWritten{walk_->positions().size(), walk_->moves(), walk_->cut()};
    }

private:
    static Done one_by_one(const std::vector<std::function<Done()>>& steps) {
        for (const auto& step : steps) {
            if (Done done = step(); !done) {
                return done;
            }
        }
        return {};
    }

    // What it is about, as a link shows it.
    Done learn() {
        const auto analysis = asked("");
        if (!analysis) {
            return std::unexpected(analysis.error());
        }
        analysis_ = shown_by_link(*analysis);
        if (wish_.moves.empty()) {
            return {};
        }
        const auto node = asked("/node?moves=" + http::percent_encoded(wish_.moves));
        if (!node) {
            return std::unexpected(node.error());
        }
        for (const json& step : (*node)["line"]) {
            line_.push_back(step["uci"]);
        }
        return {};
    }

    Done open() {
        auto found = SiteDirectory::open(wish_.directory, {wish_.id, analysis_["fen"]});
        if (!found) {
            return std::unexpected(Refusal{"--output: " + found.error(), true});
        }
        directory_ = std::move(*found);
        return {};
    }

    Done walk(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
        const auto notes = asked("/notes");
        if (!notes) {
            return std::unexpected(notes.error());
        }
        walk_.emplace(remote_, wish_.id, analysis_["fen"],
                      SiteBounds{line_, wish_.margin, wish_.plies, wish_.max_moves});
        notes_ = {{"notes", json::array()}};
        for (const json& note : (*notes)["notes"]) {
            std::vector<std::string> line;
            for (const json& step : note["line"]) {
                line.push_back(step["uci"]);
            }
            if (line.size() >= line_.size() &&
                std::equal(line_.begin(), line_.end(), line.begin())) {
                walk_->want(line);
                notes_["notes"].push_back(note);
            }
        }
        const std::uint64_t most = analysis_["positions"];
        return walk_->run([&](std::size_t so_far) { progress(so_far, most); });
    }

    Done begin() {
        if (auto begun = directory_->begin(wish_.now); !begun) {
            return refused(begun.error());
        }
        return {};
    }

    Done write_all() {
        const SiteChunks chunks = site_chunks(walk_->positions());
        for (std::size_t i = 0; i < chunks.texts.size(); ++i) {
            if (Done done = put("c" + std::to_string(i), chunks.texts[i]); !done) {
                return done;
            }
        }
        return one_by_one({[&] { return put_answers(); }, [&] { return put_files(); },
                           [&] { return put_changes(); }, [&] { return put_pgn(); },
                           [&] { return put_index(chunks); }, [&] { return put_page(); }});
    }

    // Calls that are answered as they are.
    Done put_answers() {
        if (Done done = put("notes", notes_.dump()); !done) {
            return done;
        }
        for (const auto& [name, call] :
             {std::pair{"history", "/history"}, {"disagreements", "/disagreements?limit=200"}}) {
            auto text = remote_.text(base_ + call);
            if (!text) {
                return std::unexpected(text.error());
            }
            if (Done done = put(name, *text); !done) {
                return done;
            }
        }
        return {};
    }

    // The games that people brought, some to a script.
    Done put_files() {
        auto files = asked("/files");
        if (!files) {
            return std::unexpected(files.error());
        }
        for (const json& file : (*files)["files"]) {
            const std::string number = file["id"].dump();
            const auto pgn = remote_.text(base_ + "/files/" + number);
            if (!pgn) {
                return std::unexpected(pgn.error());
            }
            if (Done done = put("f" + number, json(*pgn).dump()); !done) {
                return done;
            }
            json starts = json::array();
            std::string part;
            const auto end_part = [&]() -> Done {
                Done done{};
                if (!part.empty()) {
                    done = put("f" + number + "-" + std::to_string(starts.size() - 1), part + "}");
                    part.clear();
                }
                return done;
            };
            for (const json& game : file["games"]) {
                const std::string which = game["number"].dump();
                const auto said =
                    remote_.text(base_ + "/files/" + number + "?as=json&game=" + which);
                if (!said) {
                    return std::unexpected(said.error());
                }
                if (part.size() + said->size() > site_chunk_bytes) {
                    if (Done done = end_part(); !done) {
                        return done;
                    }
                }
                if (part.empty()) {
                    starts.push_back(game["number"]);
                }
                part += (part.empty() ? "{\"" : ",\"") + which + "\":" + *said;
            }
            if (Done done = end_part(); !done) {
                return done;
            }
            games_[number] = std::move(starts);
        }
        return put("files", files->dump());
    }

    Done put_changes() {
        const std::int64_t before = directory_->before().exported;
        feed_ = directory_->before().feed;
        std::vector<std::pair<const char*, std::int64_t>> moments;
        if (before > 0 && before < wish_.now) {
            moments.emplace_back("site", before);
        }
        moments.emplace_back("day", wish_.now - day_ms);
        moments.emplace_back("week", wish_.now - 7 * day_ms);
        for (const auto& [name, since] : moments) {
            auto changes = asked("/changes?since=" + std::to_string(since));
            if (!changes) {
                return std::unexpected(changes.error());
            }
            (*changes)["now"] = wish_.now;
            const std::string script = std::string{"since-"} + name;
            if (Done done = put(script, changes->dump()); !done) {
                return done;
            }
            changes_.push_back({{"name", name}, {"since", since}});
            if (name == moments.front().first && before > 0) {
                add_entry(changed_entry(*changes, wish_.now));
            }
        }
        if (before == 0) {
            FeedEntry first{"", wish_.now, "First published", ""};
            if (analysis_["best"].is_object()) {
                first.text = "Best move: " + analysis_["best"].value("san", "") + "\n";
            }
            add_entry(std::move(first));
        }
        return {};
    }

    void add_entry(std::optional<FeedEntry> entry) {
        if (entry) {
            entry->id = feed_id(feed_.id + "\n" + std::to_string(entry->at));
            feed_.entries.insert(feed_.entries.begin(), std::move(*entry));
            feed_.entries.resize(std::min(feed_.entries.size(), most_feed_entries));
        }
    }

    Done put_pgn() {
        const auto pgn = remote_.text(
            base_ + "/export?format=pgn&from=game&margin=" + std::to_string(wish_.margin) +
            "&plies=" + std::to_string(wish_.plies) + "&max_moves=" +
            std::to_string(wish_.max_moves) + "&moves=" + http::percent_encoded(wish_.moves));
        if (!pgn) {
            return std::unexpected(pgn.error());
        }
        return put_text("adjourn-" + std::to_string(wish_.id) + ".pgn", *pgn);
    }

    Done put_index(const SiteChunks& chunks) {
        json line = json::array();
        for (const std::string& uci : line_) {
            line.push_back(uci);
        }
        return put("index", json{{"exported", wish_.now},
                                 {"folder", directory_->generation()},
                                 {"analysis", analysis_},
                                 {"starts", chunks.starts},
                                 {"positions", walk_->positions().size()},
                                 {"moves", walk_->moves()},
                                 {"cut", walk_->cut()},
                                 {"from", std::move(line)},
                                 {"margin", wish_.margin},
                                 {"plies", wish_.plies},
                                 {"games", games_},
                                 {"changes", changes_}}
                                .dump());
    }

    // The page's own files; index.html comes last, and with it all that was written.
    Done put_page() {
        std::error_code error;
        std::string html;
        for (const fs::directory_entry& entry : fs::directory_iterator{wish_.page, error}) {
            std::ifstream in{entry.path(), std::ios::binary};
            const std::string text{std::istreambuf_iterator<char>{in}, {}};
            if (in.bad()) {
                return refused("cannot read " + entry.path().string());
            }
            const std::string name = entry.path().filename().string();
            if (name == "index.html") {
                html = text;
            } else if (Done done = put_text(name, text); !done) {
                return done;
            }
        }
        if (html.empty()) {
            return refused("there is no page of a site in " + wish_.page.string());
        }
        const std::string name = analysis_["name"];
        html = base::replaced(html, "{{folder}}", directory_->generation());
        html = base::replaced(html, "{{title}}", markup_text(name));
        if (auto done = directory_->publish(html, feed_, name); !done) {
            return refused(done.error());
        }
        return {};
    }

    static std::unexpected<Refusal> refused(const std::string& message) {
        return std::unexpected(Refusal{message, false});
    }

    Done put(const std::string& name, const std::string& data) {
        return put_text(name + ".js", site_script(name, data));
    }

    Done put_text(const std::string& name, const std::string& text) {
        if (auto written = directory_->write(name, text); !written) {
            return refused(written.error());
        }
        return {};
    }

    Remote::Or<json> asked(const std::string& call) { return remote_.get(base_ + call); }

    Remote& remote_;
    const SiteWish& wish_;
    const std::string base_;
    json analysis_;
    std::vector<std::string> line_; // where the site begins
    std::optional<SiteDirectory> directory_;
    std::optional<SiteWalk> walk_;
    json notes_;
    json games_ = json::object();  // of each file: the first game of each script
    json changes_ = json::array(); // {name, since}
    Feed feed_;
};

} // namespace

std::expected<SiteWritten, Refusal>
write_site(Remote& remote, const SiteWish& wish,
           const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
    return SiteExport{remote, wish}.run(progress);
}

} // namespace adjourn::server
