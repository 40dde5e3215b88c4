// Every text and every list that a request has is bounded, as the description says.
#include "described_calls.hpp"
#include "fleet_fixture.hpp"

namespace {

// A request with one text, or list, in it.
struct Sent {
    http::Method method = http::Method::get;
    std::string call; // "post /analyses"
    std::string path;
    std::string query; // name of the parameter, "" for a body
    json body;
    json::json_pointer at; // in the body
    std::string where;     // as errors name it
    std::size_t bound = 0;
    bool list = false;
    bool pattern = false;

    http::Request with(const json& value) const {
        http::Request request{method, path, {}, {}, ""};
        if (!query.empty()) {
            request.query.emplace_back(query, value.get<std::string>());
            if (call == "post /import") {
                request.query.emplace_back("format", "pgn");
            }
        } else {
            json made = body;
            made[at] = value;
            request.body = made.dump();
        }
        return request;
    }
};

class DescribedTexts {
public:
    explicit DescribedTexts(json description) : description_(std::move(description)) {
        for (const DescribedCall& call : described_calls(description_)) {
            collect(call);
        }
    }
    const std::vector<Sent>& all() const { return all_; }
    const std::vector<std::string>& unbounded() const { return unbounded_; }

private:
    const json& resolved(const json& schema) const {
        return schema.contains("$ref") ? resolved(description_.at(json::json_pointer{
                                             schema["$ref"].get<std::string>().substr(1)}))
                                       : schema;
    }
    static bool is(const json& schema, const char* type) {
        const json types = schema.value("type", json());
        return types == type ||
               (types.is_array() && std::ranges::find(types, json(type)) != types.end());
    }

    // Something small that is right, as far as the description says it.
    json least(const json& given) const {
        const json& schema = resolved(given);
        for (const char* either : {"oneOf", "anyOf", "allOf"}) {
            if (schema.contains(either)) {
                json one = resolved(schema[either].front());
                if (!one.contains("properties") && schema.contains("properties")) {
                    one["properties"] = schema["properties"];
                }
                return least(one);
            }
        }
        if (schema.contains("const") || schema.contains("enum")) {
            return schema.value("const", schema.value("enum", json::array({0})).front());
        }
        if (is(schema, "integer") || is(schema, "number")) {
            return schema.value("minimum", 1);
        }
        if (is(schema, "boolean")) {
            return false;
        }
        if (is(schema, "string")) {
            return "x";
        }
        if (is(schema, "array")) {
            return schema.value("minItems", 0) > 0
                       ? json::array({least(schema.value("items", json::object()))})
                       : json::array();
        }
        json made = json::object();
        for (const json& name : schema.value("required", json::array())) {
            const std::string field = name;
            made[field] =
                least(schema.value("properties", json::object()).value(field, json::object()));
        }
        return made;
    }

    // All texts and lists of a schema, each in the smallest value that has it.
    std::vector<Sent> within(const json& given) const {
        const json& schema = resolved(given);
        std::vector<Sent> found;
        for (const char* either : {"oneOf", "anyOf"}) {
            for (const json& one : schema.value(either, json::array())) {
                std::ranges::move(within(one), std::back_inserter(found));
            }
        }
        const bool free = !schema.contains("enum") && !schema.contains("const");
        if (is(schema, "string") && free) {
            Sent text;
            text.bound = schema.value("maxLength", std::size_t{0});
            text.pattern = schema.contains("pattern");
            found.push_back(std::move(text));
        }
        if (is(schema, "array")) {
            Sent list;
            list.bound = schema.value("maxItems", std::size_t{0});
            list.list = true;
            list.body = json::array({least(schema.value("items", json::object()))});
            found.push_back(std::move(list));
            for (Sent& inner : within(schema.value("items", json::object()))) {
                inner.body = json::array({inner.body});
                inner.at = json::json_pointer{"/0"} / inner.at;
                inner.where = "[0]" + inner.where;
                found.push_back(std::move(inner));
            }
        }
        const json properties = schema.value("properties", json::object());
        for (const auto& [name, property] : properties.items()) {
            for (Sent& inner : within(property)) {
                json body = least(schema);
                body[name] = inner.body;
                inner.body = std::move(body);
                inner.at = json::json_pointer{"/" + name} / inner.at;
                inner.where = "." + name + inner.where;
                found.push_back(std::move(inner));
            }
        }
        return found;
    }

    void collect(const DescribedCall& called) {
        const std::string& call = called.name;
        const auto keep = [&](Sent sent) {
            sent.method = called.method;
            sent.call = call;
            sent.path = filled(called.pattern);
            if (sent.bound == 0) {
                unbounded_.push_back(call + " " + sent.where);
            }
            all_.push_back(std::move(sent));
        };
        for (const json* owner : {&called.item, &called.operation}) {
            for (const json& given : owner->value("parameters", json::array())) {
                const json& parameter = resolved(given);
                for (Sent& sent : within(parameter["schema"])) {
                    const std::string of = parameter["name"];
                    sent.query = of;
                    sent.where = "query." + of;
                    if (parameter["in"] == "query") {
                        keep(std::move(sent));
                    } else if (sent.bound == 0) {
                        unbounded_.push_back(call + " {" + of + "}");
                    }
                }
            }
        }
        if (called.operation.contains("requestBody")) {
            const json content = resolved(called.operation["requestBody"])["content"];
            for (const auto& [type, media] : content.items()) {
                for (Sent& sent : within(media["schema"])) {
                    if (type == "application/json") {
                        sent.where.erase(0, sent.where.starts_with('.') ? 1 : 0);
                        keep(std::move(sent));
                    } else if (sent.bound == 0) {
                        unbounded_.push_back(call + " " + type);
                    }
                }
            }
        }
    }

    const json description_;
    std::vector<Sent> all_;
    std::vector<std::string> unbounded_;
};

// A server that knows an analysis, a file of it and a machine.
struct AskedServer : FleetFixture {
    AskedServer() {
        ask(Method::post, "/analyses",
            {{"position", {{"moves", "1. e4 e5"}}}, {"limit", {{"depth", 8}}}, {"hold", true}},
            201);
        ask(Method::post, "/analyses/1/files",
            {{"name", "games"}, {"pgn", "1. e4 e5 2. Nf3 *\n"}, {"seeds", false}}, 201);
    }
};

// What an action of an edit reads depends on the action.
Sent with_action(Sent sent) {
    if (sent.call.ends_with("/edits")) {
        for (const char* action : {"comment", "marks", "move"}) {
            const std::string field = action == std::string{"comment"} ? "text" : action;
            if (sent.where.starts_with(field)) {
                sent.body["action"] = action;
            }
        }
    }
    if (sent.call == "put /seats/{seat}") { // without a position nothing is looked at
        sent.body.emplace("position", json::object());
        sent.body.emplace("limit", json{{"depth", 8}});
    }
    if (sent.call == "post /workers/{id}/answers") { // the first that is missing is named
        for (json& answer : sent.body["answers"]) {
            const json whole{{"move", "e2e4"}, {"score", {{"cp", 1}}}, {"depth", 1},
                             {"seldepth", 1},  {"nodes", 1},           {"time_ms", 1},
                             {"pv", {"e2e4"}}};
            for (const auto& [name, value] : whole.items()) {
                answer.emplace(name, value);
            }
        }
    }
    return sent;
}

json too_much(const Sent& sent) {
    return sent.list ? json(std::vector<json>(sent.bound + 1, sent.body[sent.at][0]))
                     : json(std::string(sent.bound + 1, 'e'));
}

} // namespace

TEST_CASE("text bounds: each has one, and what is longer is refused by it") {
    AskedServer f;
    std::size_t tried = 0;
    const DescribedTexts all{f.ask(http::Method::get, "/openapi.json")};
    CHECK(all.unbounded() == std::vector<std::string>{});
    for (const Sent& described : all.all()) {
        if (described.call == "post /engines" ||
            described.path.find("looks/") != std::string::npos) {
            continue; // no engines can be added here, and nobody looks
        }
        const Sent sent = with_action(described);
        CAPTURE(sent.call, sent.where, sent.bound);
        const http::Response response = (*f.api)(sent.with(too_much(sent)));
        INFO(response.body.substr(0, 500));
        CHECK(response.status == 400);
        const json error = json::parse(response.body)["error"];
        const auto where = error["where"].get<std::string>();
        CHECK((where.starts_with(sent.where) || sent.where.starts_with(where)));
        const auto said = error["message"].get<std::string>();
        CHECK((sent.pattern || said.find(std::to_string(sent.bound)) != std::string::npos));
        ++tried;
    }
    CHECK(tried > 100);
}

TEST_CASE("text bounds: a search has few words") {
    AskedServer f;
    const auto ask = [&](const std::string& query) {
        return f.send(http::Method::get, query).status;
    };
    std::string words = "e";
    for (int i = 1; i < 16; ++i) {
        words += "+e";
    }
    for (const std::string call : {"/openings?q=", "/analyses/1/notes?search="}) {
        CHECK(ask(call + words) == 200);
        CHECK(ask(call + words + "+17") == 200); // a number is no word
        CHECK(ask(call + words + "-e") == 400);
        CHECK(ask(call + std::string(200, 'e')) == 200);
        CHECK(ask(call + std::string(201, 'e')) == 400);
    }
}
