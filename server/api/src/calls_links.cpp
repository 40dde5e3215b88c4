// Links: an analysis is shown to people who have no token (decision 125).
#include "base/text.hpp"
#include "call.hpp"
#include "http/tokens.hpp"
#include "kept_place.hpp"
#include "place.hpp"
#include "request_parts.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

namespace {

constexpr std::size_t longest_link_name = 100; // bytes

// `path`: below the address of the page. What comes after '#' is never sent to a server.
json link_json(analysis::AnalysisId analysis, std::int64_t id, analysis::UnixMs at,
               const Share& link) {
    const std::string number = std::to_string(static_cast<std::int64_t>(analysis));
    const std::string place = link.file == 0
                                  ? "/analysis/" + number
                                  : "/review/" + number + "/file/" + std::to_string(link.file);
    return {{"id", id},
            {"name", link.name},
            {"file", link.file == 0 ? json(nullptr) : json(link.file)},
            {"at", at},
            {"secret", link.secret},
            {"path", "/#/shared/" + link.secret + place}};
}

Answer list_links(Context&, const AnalysisRun& run) {
    json list = json::array();
    for (const Directive* said : links_in(run.directives)) {
        list.push_back(link_json(run.record.id, said->id, said->at, std::get<Share>(said->action)));
    }
    return json_response({{"links", std::move(list)}});
}

Change making(Core& core, analysis::AnalysisId id, Share link) {
    return [&core, id, link = std::move(link)] {
        return core.share(id, link).map([id, link](Core::Given given) {
            return json_response(link_json(id, given.id, given.at, link), 201);
        });
    };
}

// {name?, file?}
Answer post_link(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto name = reader.find("name").text(longest_link_name);
        if (name && base::has_control_characters(*name)) {
            reader.wrong("name", "name must have no control characters");
        }
        const auto file = reader.find("file").integer(1, most_number);
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        const Change make =
            making(call.core, run.record.id,
                   {std::string{http::link_prefix} + http::random_secret(),
                    std::string{base::trimmed(name.value_or(""))}, file.value_or(0)});
        if (!file) {
            return when_durable(call, make());
        }
        const FilePlace place{call.core.store(), run.record.id, *file};
        return when_changed(call, [place, make]() -> std::expected<Change, Response> {
            const auto found = place.read();
            return found ? std::expected<Change, Response>{make}
                         : std::unexpected(http::to_response(found.error()));
        });
    });
}

// Durable, and refused from then on, when it is answered.
Answer delete_link(Context& call, const AnalysisRun& run) {
    const auto link = call.path.integer("link");
    if (!link) {
        return std::unexpected(Error{ErrorCode::not_found,
                                     "the analysis has no link " + call.path.text("link"), "link"});
    }
    return when_durable(call, call.core.revoke(run.record.id, *link).map([](analysis::AnalysisId) {
        return no_content();
    }));
}

constexpr std::array link_calls{
    // It has the secrets.
    Call{Method::get, "/api/v1/analyses/{id}/links", of_run<list_links>, false, for_full()},
    Call{Method::post, "/api/v1/analyses/{id}/links", of_run<post_link>, false, json_body},
    Call{Method::del, "/api/v1/analyses/{id}/links/{link}", of_run<delete_link>},
};

} // namespace

std::span<const Call> calls_of_links() {
    return link_calls;
}

} // namespace adjourn::server
