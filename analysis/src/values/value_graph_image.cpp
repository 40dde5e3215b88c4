#include "values/store/image.hpp"
#include "values/value_graph_parts.hpp"

#include <cassert>

namespace adjourn::analysis {

namespace {

// The marks of trusted scores are among them; the positions below each are found again.
template <class Parts, class Image>
void pass(Parts& parts, Image& image) {
    Network::pass(parts.network, image);
    ComponentOrder::pass(parts.components, image);
    Plies::pass(parts.plies, image);
    image.value(parts.active);
}

} // namespace

void ValueGraph::write_image(ImageWriter& image) const {
    assert(!parts_->bulk);
    const Parts& parts = *parts_;
    pass(parts, image);
}

void ValueGraph::read_image(ImageReader& image) {
    assert(!parts_->bulk && node_count() == 0);
    pass(*parts_, image);
    if (image.sound() && parts_->network.any_trusted()) {
        parts_->scores.judge_all();
    }
}

} // namespace adjourn::analysis
