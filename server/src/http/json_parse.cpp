#include "server/http/json.hpp"

#include "http/text.hpp"

#include <algorithm>
#include <set>

namespace adjourn::server::http {

namespace {

constexpr std::size_t max_values = 1'000'000;

// What the parser's callback throws to stop the parse early.
struct Refused {
    std::string reason;
};

// Watches a parse for what the parser itself lets pass: depth, number of values, repeated names.
class Watch {
public:
    bool operator()(int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
        using Event = nlohmann::json::parse_event_t;
        switch (event) {
        case Event::object_start:
        case Event::array_start:
            count();
            names_.emplace_back();
            if (names_.size() > max_json_depth) {
                throw Refused{"is nested deeper than " + std::to_string(max_json_depth) +
                              " levels"};
            }
            break;
        case Event::object_end:
        case Event::array_end: names_.pop_back(); break;
        case Event::key: {
            const auto& name = value.get_ref<const std::string&>();
            if (!names_.back().insert(name).second) {
                throw Refused{"has the name \"" + shortened(name, 64) + "\" twice in one object"};
            }
            break;
        }
        case Event::value: count(); break;
        }
        return true;
    }

private:
    void count() {
        if (++values_ > max_values) {
            throw Refused{"has more than " + std::to_string(max_values) + " values"};
        }
    }

    std::vector<std::set<std::string>> names_; // of each open array (empty) and object
    std::size_t values_ = 0;
};

std::string place(std::string_view text, std::size_t bytes_read) {
    const auto before = text.substr(0, std::min(bytes_read == 0 ? 0 : bytes_read - 1, text.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const auto line_start = before.rfind('\n') + 1; // npos + 1 == 0
    return "line " + std::to_string(line) + ", column " +
           std::to_string(before.size() - line_start + 1);
}

// The parser's text without its own prefix and place.
std::string_view reason(std::string_view what) {
    const auto column = what.find("column ");
    const auto colon = what.find(": ", column == std::string_view::npos ? 0 : column);
    return colon == std::string_view::npos ? what : what.substr(colon + 2);
}

std::unexpected<Error> bad_json(std::string message) {
    return std::unexpected(Error{ErrorCode::bad_json, std::move(message), "body"});
}

} // namespace

std::expected<nlohmann::json, Error> parse_json(std::string_view text) {
    if (text.empty()) {
        return bad_json("the body is empty where JSON is expected");
    }
    Watch watch;
    try {
        return nlohmann::json::parse(text.begin(), text.end(), std::ref(watch));
    } catch (const Refused& refused) {
        return bad_json("the body " + refused.reason);
    } catch (const nlohmann::json::parse_error& error) {
        return bad_json("the body is not JSON at " + place(text, error.byte) + ": " +
                        shortened(reason(error.what()), 200));
    } catch (const nlohmann::json::out_of_range& error) {
        return bad_json("the body holds a number out of range: " + shortened(error.what(), 200));
    }
}

} // namespace adjourn::server::http
