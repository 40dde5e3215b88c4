#include "analysis/graph_image.hpp"

#include "graph_impl.hpp"
#include "values/store/image.hpp"

namespace adjourn::analysis {

// What is in Graph for these two functions alone.
struct GraphImage {
    static void write(const Graph& graph, ImageWriter& image) {
        graph.impl_->values.write_image(image);
        pass(std::as_const(*graph.impl_), image);
    }

    static void read(Graph& graph, ImageReader& image) {
        graph.impl_->values.read_image(image);
        pass(*graph.impl_, image);
    }

private:
    template <class Impl, class Image>
    static void pass(Impl& impl, Image& image) {
        PositionIndex::pass(impl.index, image);
        RestFacts::pass(impl.rest, image);
    }
};

void write_image(const Graph& graph, const PutBytes& put) {
    ImageWriter image{put};
    GraphImage::write(graph, image);
}

std::optional<Graph> read_image(const TakeBytes& take, std::uint64_t bytes,
                                std::shared_ptr<const Tables> tables, Basis basis) {
    ImageReader image{take, bytes};
    Graph graph{std::move(tables), std::move(basis)};
    GraphImage::read(graph, image);
    return image.complete() ? std::optional{std::move(graph)} : std::nullopt;
}

} // namespace adjourn::analysis
