#include "opening.hpp"

#include "storage/open.hpp"

#include <filesystem>
#include <utility>

namespace adjourn::server::uci {

namespace fs = std::filesystem;

namespace {

fs::path temporary_parent() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    return error ? fs::path{"/tmp"} : parent;
}

OpenAnalysis opened(const Config& config, const FrontEndOptions& options,
                    const std::function<void()>& news, OpenAnalysis before) {
    if (options.before_request) {
        options.before_request();
    }
    before.analysis.reset();
    OpenAnalysis open{nullptr, std::move(before.temporary)};
    if (!open.temporary) {
        try {
            open.analysis =
                std::make_unique<DeepAnalysis>(config, options.data, news, options.before_request);
            return open;
        } catch (const storage::StoreInUse& error) {
            open.notes.push_back(
                std::string{storage::is_url(options.data) ? "" : "the data directory "} +
                storage::shown(options.data) + " is in use" +
                (error.holder().empty() ? "" : " by the server on " + error.holder()) +
                "; what is found now is not kept");
        } catch (const std::exception& error) {
            open.notes.push_back(std::string{error.what()} + "; what is found now is not kept");
        }
    }
    try {
        if (!open.temporary) {
            open.temporary =
                std::make_unique<base::ScratchDirectory>(temporary_parent(), "adjourn-uci-");
        }
        open.analysis = std::make_unique<DeepAnalysis>(config, open.temporary->path(), news,
                                                       options.before_request);
    } catch (const std::exception& error) {
        open.problem = std::string{error.what()} + "; nothing can be analysed";
    }
    return open;
}

} // namespace

Opening::Opening(Config config, FrontEndOptions options, std::function<void()> news,
                 OpenAnalysis before)
    : thread_{[this, config = std::move(config), options = std::move(options),
               news = std::move(news), before = std::move(before)]() mutable {
          OpenAnalysis open = opened(config, options, news, std::move(before));
          {
              const std::scoped_lock lock{mutex_};
              open_ = std::move(open);
          }
          news();
      }} {}

std::optional<OpenAnalysis> Opening::take() {
    const std::scoped_lock lock{mutex_};
    return std::exchange(open_, std::nullopt);
}

} // namespace adjourn::server::uci
