#include "api/work_errors.hpp"

#include "names.hpp"

namespace adjourn::server {

Error to_http(const WorkError& error) {
    switch (error.kind) {
    case WorkError::Kind::no_analysis: return {ErrorCode::not_found, error.message, "id"};
    case WorkError::Kind::no_engine: return {ErrorCode::unknown_engine, error.message, "engine"};
    case WorkError::Kind::needs_move: return {ErrorCode::bad_value, error.message, "moves"};
    case WorkError::Kind::futile_line: return {ErrorCode::conflict, error.message, "moves"};
    case WorkError::Kind::futile_more: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::no_note: return {ErrorCode::conflict, error.message, "at"};
    case WorkError::Kind::futile_now: return {ErrorCode::conflict, error.message, "action"};
    case WorkError::Kind::past_moment: return {ErrorCode::bad_value, error.message, "budget.until"};
    case WorkError::Kind::changed_meanwhile: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::no_link: return {ErrorCode::not_found, error.message, "link"};
    case WorkError::Kind::too_many_links: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::no_look: return {ErrorCode::not_found, error.message, "look"};
    case WorkError::Kind::no_looking:
    case WorkError::Kind::no_verifying: return {ErrorCode::conflict, error.message, ""};
    case WorkError::Kind::store_failed: return {ErrorCode::unavailable, error.message, ""};
    }
    return {};
}

} // namespace adjourn::server
