// Standard output and standard error as people read them: whatever the program prints, text of
// others in it can neither steer a terminal nor pretend to be something else.
#pragma once

#include <memory>
#include <string_view>

namespace adjourn::base {

// While it lives, std::cout and std::cerr pass on what readable() makes of their text. One in a
// process, made by main(). Writing is safe from any thread, as without it.
class ReadableStreams {
public:
    ReadableStreams();
    ~ReadableStreams();

private:
    class Filter;
    std::unique_ptr<Filter> out_;
    std::unique_ptr<Filter> err_;
    friend void write_data(std::string_view data);
};

// To std::cout byte for byte, for files that programs read; on a terminal as all other text.
// Flushes; std::cout has failed afterwards if not all could be written.
void write_data(std::string_view data);

// Standard error's line again from its start, for progress on a terminal: '\r', then the text in
// one line. Nothing that failed is told.
void rewrite_line(std::string_view text);

} // namespace adjourn::base
