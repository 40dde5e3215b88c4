#include "http/requests/json.hpp"

#include "base/json_text.hpp"

namespace adjourn::http {

std::expected<nlohmann::json, Error> parse_json(std::string_view text, std::size_t most_values) {
    auto value = base::parse_json(text, most_values);
    if (!value) {
        return std::unexpected(Error{ErrorCode::bad_json, "the body " + value.error(), "body"});
    }
    return std::move(*value);
}

std::shared_ptr<const ParsedJson> parse_call(std::string_view body) {
    return std::make_shared<const ParsedJson>(ParsedJson{parse_json(body, max_json_values)});
}

Error to_error(const base::JsonProblem& problem) {
    const std::string where = problem.where.empty() ? "body" : problem.where;
    switch (problem.kind) {
    case base::JsonProblem::Kind::missing: return {ErrorCode::bad_request, problem.message, where};
    case base::JsonProblem::Kind::unknown:
        return {ErrorCode::unknown_field, problem.message + " in this request", where};
    case base::JsonProblem::Kind::wrong: break;
    }
    return {ErrorCode::bad_value, problem.message, where};
}

std::expected<void, Error> finished(const base::JsonObject& reader) {
    const auto problems = reader.finish();
    if (!problems.empty()) {
        return std::unexpected(to_error(problems.front()));
    }
    return {};
}

} // namespace adjourn::http
