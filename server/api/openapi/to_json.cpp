// openapi_json DESCRIPTION.yaml OUT: the description as JSON. It knows nothing of the rest, so that
// nothing has to be compiled before it.
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <fstream>
#include <iostream>

namespace {

// JSON has no "+1", ".5", "1." and no infinity.
bool is_number(const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    return text.find_first_not_of("0123456789+-.eE") == std::string::npos && text.front() != '.' &&
           text.back() != '.' && std::from_chars(text.data(), end, value).ptr == end;
}

void write_text(const std::string& text, std::ostream& out) {
    out << '"';
    for (const char c : text) {
        if (c == '\n') {
            out << "\\n";
        } else {
            out << (c == '"' || c == '\\' ? "\\" : "") << c;
        }
    }
    out << '"';
}

void write_json(const YAML::Node& node, std::ostream& out) {
    const char* between = "";
    const auto next = [&] { out << std::exchange(between, ","); };
    if (node.IsMap()) {
        out << '{';
        for (const auto& entry : node) {
            next();
            write_text(entry.first.Scalar(), out);
            out << ':';
            write_json(entry.second, out);
        }
        out << '}';
    } else if (node.IsSequence()) {
        out << '[';
        for (const YAML::Node& entry : node) {
            next();
            write_json(entry, out);
        }
        out << ']';
    } else if (node.IsNull()) {
        out << "null";
    } else {
        // A plain scalar by the rules of JSON; what is quoted is a text.
        const std::string& text = node.Scalar();
        const bool plain =
            node.Tag() != "!" && (text == "true" || text == "false" || is_number(text));
        plain ? void(out << text) : write_text(text, out);
    }
}

} // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::cerr << "openapi_json DESCRIPTION.yaml OUT\n";
        return 2;
    }
    std::ofstream out{words[2], std::ios::binary};
    write_json(YAML::LoadFile(words[1]), out);
    out << std::endl;
    return out ? 0 : 1;
}
