// The integrity of a store, as far as its rows tell: each is what was written, is a record, and
// keeps the rules of chess and of the rows around it. The same for all kinds of store.
#pragma once

#include "storage/rows/reads.hpp"

#include <string>
#include <vector>

namespace adjourn::storage {

// One line each, the first two hundred, and the number of those beyond.
class Findings {
public:
    void add(const std::string& row, const std::string& what);
    std::vector<std::string> take();
    // Where `look` meets damage, that is a finding, and others are looked at all the same.
    template <class Look>
    void part(Look look) {
        try {
            look();
        } catch (const StoreError& error) {
            if (!error.damage()) {
                throw;
            }
            add("reading ended early", error.what());
        }
    }

private:
    static constexpr std::size_t most = 200;
    std::vector<std::string> lines_;
    std::size_t more_ = 0;
};

// Reads everything; to be called in Reads::at_once. Throws StoreError.
void check_rows(Reads& reads, Findings& findings);

} // namespace adjourn::storage
