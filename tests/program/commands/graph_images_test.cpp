// The program keeps large graphs beside its store. Whether it takes them from there is for the
// tests of graphs to see.
#include "program.hpp"
#include "settled_tree.hpp"
#include "storage/open.hpp"
#include "temporary_directory.hpp"

namespace {

namespace fs = std::filesystem;

// One that came long ago, smaller than what the analysis asks for: an image rests on none of the
// last minute, and of none it is not kept.
void add_old_evaluation(const std::string& data) {
    const auto store = storage::open_store(data, storage::OpenMode::owner);
    auto fact = store->evaluations_after(store->engines().front().id, {}, 1).front();
    fact.question.limit.amount = 1;
    fact.at = 1'000;
    store->append(fact, {});
    store->flush();
}

void serve_until_read(const std::string& data, const fs::path& config) {
    RunningServer server{data, config};
    until(server, "/analyses/1/node", [](const nlohmann::json& node) {
        return node.contains("moves") && !node["moves"].empty();
    });
    CHECK(server.interrupt() == 0);
}

} // namespace

TEST_CASE("program: graphs of so many evaluations are kept beside the store, and change nothing") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 2, EngineKind::plain);
    std::ifstream read{config};
    const std::string text{std::istreambuf_iterator<char>{read}, {}};
    const auto keep_from = [&](const std::string& evaluations) {
        std::ofstream{config} << "graph_images_from = " << evaluations << '\n' << text;
    };
    const std::string data = (directory.path() / "data").string();
    const fs::path images = fs::path{data} / "graphs";
    keep_from("1");
    {
        RunningServer server{data, config};
        REQUIRE(server.request("POST", "/analyses", wanted_tree).first == 201);
        until(server, "/analyses/1", settled);
        CHECK(server.interrupt() == 0);
    }
    const nlohmann::json tree = settled_tree("--data", data, config.string());
    add_old_evaluation(data);
    fs::remove_all(images);
    keep_from("0");
    serve_until_read(data, config);
    CHECK_FALSE(fs::exists(images));
    keep_from("1");
    serve_until_read(data, config);
    REQUIRE(fs::exists(images));
    const fs::directory_iterator file{images};
    CHECK(file->path().extension() == ".image");
    serve_until_read(data, config);
    CHECK(settled_tree("--data", data, config.string()) == tree);
}
