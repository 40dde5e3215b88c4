// Counted: one of a number, for as long as it lives.
#pragma once

#include <cstddef>

namespace adjourn::base {

template <class Number>
class Counted {
public:
    explicit Counted(Number& number) : number_{number}, count_{++number} {}
    ~Counted() { --number_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    std::size_t count() const { return count_; } // when it began, itself included

private:
    Number& number_;
    std::size_t count_;
};

} // namespace adjourn::base
