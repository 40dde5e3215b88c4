// GraphWalk: a look at much of a graph, in pieces, so that nobody waits for it.
#pragma once

#include <functional>

namespace adjourn::server {

// Asked between two pieces of work: whether others are to have the thread now.
using TimeUp = std::function<bool()>;

class GraphWalk {
public:
    virtual ~GraphWalk() = default;
    GraphWalk(const GraphWalk&) = delete;
    GraphWalk& operator=(const GraphWalk&) = delete;

    // Goes on until all is seen (true) or `time_up` says so (false); looks at one position at
    // least. On the core's thread, and only while the graph exists. Between two calls the graph may
    // grow: what has been seen stays as it was seen, what comes later is as it is then.
    virtual bool go_on(const TimeUp& time_up) = 0;

protected:
    GraphWalk() = default;
};

inline bool never_up() {
    return false;
}

} // namespace adjourn::server
