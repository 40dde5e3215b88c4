// What people look at: a position is searched deeper and deeper as long as they do.
#include "api/views/view.hpp"
#include "api/work_errors.hpp"
#include "call.hpp"
#include "place.hpp"
#include "request_parts.hpp"

namespace adjourn::server {

namespace {

constexpr std::int64_t most_from_queue = 1'024; // processes, as a profile may have

std::expected<const Look*, Error> look_of(const Context& call) {
    const auto run = run_of(call);
    if (!run) {
        return std::unexpected(run.error());
    }
    const auto id = call.path.integer("look");
    const Look* look = id ? call.core.looks().find((*run)->record.id, LookId{*id}) : nullptr;
    if (look == nullptr) {
        return std::unexpected(
            Error{ErrorCode::not_found,
                  "there is no look " + call.path.text("look") + " at this analysis", "look"});
    }
    return look;
}

std::expected<LookPatch, Error> read_look(const JsonObject& reader, const AnalysisRun& run) {
    LookPatch patch;
    if (const auto moves = reader.find("moves"); moves.there()) {
        auto line = read_line(moves, run.root);
        if (!line) {
            return std::unexpected(line.error());
        }
        patch.line = std::move(*line);
    }
    const auto lines = reader.find("lines").integer(1, Looks::most_lines);
    const auto from_queue = reader.find("from_queue").integer(0, most_from_queue);
    const auto until_stopped = reader.find("until_stopped").boolean();
    if (auto done = http::finished(reader); !done) {
        return std::unexpected(done.error());
    }
    patch.lines = lines;
    patch.from_queue = from_queue;
    patch.until_stopped = until_stopped;
    return patch;
}

Answer list_looks(Context& call, const AnalysisRun& run) {
    json list = json::array();
    for (const Look* look : call.core.looks().of(run.record.id)) {
        list.push_back(look_json(call.core, *look));
    }
    return json_response({{"looks", std::move(list)}});
}

Answer post_look(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto read = read_look(reader, run);
        if (!read) {
            return std::unexpected(read.error());
        }
        LookWish wish;
        wish.line = read->line.value_or(wish.line);
        wish.lines = read->lines.value_or(wish.lines);
        wish.from_queue = read->from_queue.value_or(wish.from_queue);
        wish.until_stopped = read->until_stopped.value_or(wish.until_stopped);
        const auto look = call.core.look(run.record.id, std::move(wish));
        if (!look) {
            return std::unexpected(to_http(look.error()));
        }
        Response response = json_response(look_json(call.core, **look), 201);
        response.headers["Location"] =
            call.request.path + "/" + std::to_string(static_cast<std::int64_t>((*look)->id));
        return response;
    });
}

Answer get_look(Context& call, const Look& look) {
    return json_response(look_json(call.core, look));
}

Answer patch_look(Context& call, const Look& found) {
    const AnalysisRun& run = *call.core.queue().find(found.analysis);
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto patch = read_look(reader, run);
        if (!patch) {
            return std::unexpected(patch.error());
        }
        const auto look = call.core.change_look(run.record.id, found.id, *patch);
        if (!look) {
            return std::unexpected(to_http(look.error()));
        }
        return json_response(look_json(call.core, **look));
    });
}

Answer delete_look(Context& call, const Look& look) {
    if (auto gone = call.core.stop_look(look.analysis, look.id); !gone) {
        return std::unexpected(to_http(gone.error()));
    }
    return no_content();
}

// A handler of the look that {look} names.
template <Answer (*handler)(Context&, const Look&)>
Answer of_look(Context& call) {
    const auto look = look_of(call);
    return look ? handler(call, **look) : Answer{std::unexpected(look.error())};
}

constexpr std::array look_calls{
    Call{Method::get, "/api/v1/analyses/{id}/looks", of_run<list_looks>},
    Call{Method::post, "/api/v1/analyses/{id}/looks", of_run<post_look>, false, json_body},
    Call{Method::get, "/api/v1/analyses/{id}/looks/{look}", of_look<get_look>},
    Call{Method::patch, "/api/v1/analyses/{id}/looks/{look}", of_look<patch_look>, false,
         json_body},
    Call{Method::del, "/api/v1/analyses/{id}/looks/{look}", of_look<delete_look>},
};

} // namespace

std::span<const Call> calls_of_looks() {
    return look_calls;
}

} // namespace adjourn::server
