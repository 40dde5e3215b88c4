// PgnText: PGN in export format: tag pairs, then movetext in lines of at most 80 columns.
#pragma once

#include <string>
#include <string_view>

namespace adjourn::server {

class PgnText {
public:
    // Quotes and backslashes are escaped, control characters become blanks.
    void tag(std::string_view name, std::string_view value);
    // One unbreakable word of the movetext: "3...", "Nf6", "(", ")".
    void word(std::string_view text);
    // Breakable between its words; a closing brace inside becomes a parenthesis.
    void comment(std::string_view text);
    void open_variation() { glued_ += '('; }
    void close_variation();
    std::string finish(std::string_view result) &&;

private:
    void put(std::string_view text);

    std::string text_;
    std::string glued_; // what the next word begins with
    std::size_t column_ = 0;
    bool in_tags_ = true;
};

} // namespace adjourn::server
