#include "http_support.hpp"
#include "temporary_directory.hpp"

#include "http/static_files.hpp"
#include "http/wire.hpp"
#include "test.hpp"

using namespace adjourn::http;
using adjourn::TemporaryDirectory;

namespace {

struct Page {
    Page() {
        directory.write("site/index.html", "<p>page</p>");
        directory.write("site/favicon.ico", "icon");
        directory.write("site/assets/index-B3XK9AQ7.js", "code");
        directory.write("site/assets/index-B3XK9AQ7.js.gz", "packed code");
        directory.write("site/assets/board.css", "css");
        directory.write("site/.hidden", "hidden");
        directory.write("secret.txt", "secret");
        std::filesystem::create_symlink(directory.path() / "secret.txt",
                                        directory.path() / "site/link.txt");
        std::filesystem::create_directory_symlink(directory.path(), directory.path() / "site/up");
    }

    Response get(std::string path, std::map<std::string, std::string> headers = {}) const {
        Request request;
        request.path = std::move(path);
        request.headers = std::move(headers);
        return files().serve(request);
    }

    const StaticFiles& files() const {
        if (!files_) {
            files_ = std::make_unique<StaticFiles>(directory.path() / "site");
        }
        return *files_;
    }

    TemporaryDirectory directory;
    mutable std::unique_ptr<StaticFiles> files_;
};

} // namespace

TEST_CASE("static: the page, its own routes, and files") {
    const Page page;
    for (const auto* path : {"/", "/index.html"}) {
        CAPTURE(path);
        const auto response = page.get(path);
        CHECK(response.status == 200);
        CHECK(response.body == "<p>page</p>");
        CHECK(response.content_type == "text/html; charset=utf-8");
        CHECK(response.headers.at("Cache-Control") == "no-cache");
    }
    CHECK(page.get("/favicon.ico").content_type == "image/x-icon");
    CHECK(page.get("/assets/board.css").headers.at("Cache-Control") == "no-cache");
    const auto code = page.get("/assets/index-B3XK9AQ7.js");
    CHECK(code.body == "code");
    CHECK(code.content_type == "text/javascript; charset=utf-8");
    CHECK(code.headers.at("Cache-Control") == "public, max-age=31536000, immutable");
}

TEST_CASE("static: an address that is nobody's is 404, not the page, and nothing outside is read") {
    const Page page;
    for (const auto* path :
         {"/API/v1/health", "//etc/passwd", "/.git/config", "/analyses/1", "//", "/metrics/",
          "/index", "/assets", "/assets/", "/.well-known/security", "/../secret.txt",
          "/assets/../../secret.txt", "/up/secret.txt", "/link.txt", "/.hidden", "//secret.txt",
          "/missing.js", "/up/site/.hidden", "/assets/.././index.html"}) {
        CAPTURE(path);
        const auto response = page.get(path);
        CHECK(response.body.find("secret") == std::string::npos);
        CHECK(response.body.find("hidden") == std::string::npos);
        CHECK(response.status == 404);
    }
    CHECK(page.get(std::string("/favicon.ico\0.txt", 17)).status == 404);
}

TEST_CASE("static: a packed neighbour goes to clients that accept it") {
    const Page page;
    const auto path = "/assets/index-B3XK9AQ7.js";
    const auto packed = page.get(path, {{"accept-encoding", "gzip, br"}});
    CHECK(packed.body == "packed code");
    CHECK(packed.headers.at("Content-Encoding") == "gzip");
    CHECK(packed.headers.at("Vary") == "Accept-Encoding");
    CHECK(packed.content_type == "text/javascript; charset=utf-8");
    const auto plain = page.get(path);
    CHECK(plain.headers.at("Vary") == "Accept-Encoding");
    CHECK(plain.headers.count("Content-Encoding") == 0);
    CHECK(plain.headers.at("ETag") != packed.headers.at("ETag"));
    CHECK(page.get("/", {{"accept-encoding", "gzip"}}).body == "<p>page</p>"); // has no neighbour
}

TEST_CASE("static: If-None-Match gives 304") {
    const Page page;
    const auto etag = page.get("/").headers.at("ETag");
    for (const auto& known : {etag, "W/" + etag, "\"x\", " + etag, std::string("*")}) {
        CAPTURE(known);
        const auto response = page.get("/", {{"if-none-match", known}});
        CHECK(response.status == 304);
        CHECK(response.body.empty());
        CHECK(response.headers.at("ETag") == etag);
        CHECK(response.headers.at("Cache-Control") == "no-cache");
    }
    CHECK(page.get("/", {{"if-none-match", "\"x\""}}).status == 200);
    CHECK(page.get("/favicon.ico", {{"if-none-match", etag}}).status == 200);
}

TEST_CASE("static: what a running server gives out stays, and another page has another ETag") {
    const Page page;
    const auto before = page.get("/");
    page.directory.write("site/index.html", "<p>new page</p>");
    page.directory.write("site/new.js", "code");
    CHECK(page.get("/").body == "<p>page</p>");
    CHECK(page.get("/new.js").status == 404);
    Request request;
    request.path = "/";
    request.headers = {{"if-none-match", before.headers.at("ETag")}};
    CHECK(StaticFiles{page.directory.path() / "site/"}.serve(request).body == "<p>new page</p>");
}

TEST_CASE("static: which names are hashed") {
    for (const auto* name : {"index-B3XK9AQ7.js", "chunk-5WYXQJHL.css", "icon-1A2B3C4D.svg"}) {
        CAPTURE(name);
        CHECK(is_hashed_name(name));
    }
    for (const auto* name : {"index.js", "page-settings.js", "board.css", "index-B3XK9AQ.js", "",
                             "a.b", "-.js", "12345678.js", "index-B3XK9 AQ.js"}) {
        CAPTURE(name);
        CHECK_FALSE(is_hashed_name(name));
    }
}

TEST_CASE("static: a missing directory is refused") {
    const TemporaryDirectory directory;
    directory.write("file", "x");
    CHECK_THROWS_AS(StaticFiles(directory.path() / "none"), std::filesystem::filesystem_error);
    CHECK_THROWS_AS(StaticFiles(directory.path() / "file"), std::filesystem::filesystem_error);
    directory.write("large/film.mp4", "");
    std::filesystem::resize_file(directory.path() / "large/film.mp4", 65u << 20);
    CHECK_THROWS_AS(StaticFiles(directory.path() / "large"), std::filesystem::filesystem_error);
}

TEST_CASE("static: over a connection") {
    const Page page;
    ListenerOptions options;
    options.static_directory = (page.directory.path() / "site").string();
    options.secrets.full = "secret"; // the page needs none
    const http_tests::Server server(options);

    const auto index = http_tests::ask(server, "GET", "/");
    CHECK(index.status == 200);
    CHECK(index.body == "<p>page</p>");
    CHECK(index.headers.at("content-security-policy").find("default-src 'self'") == 0);
    CHECK(index.headers.at("content-security-policy").find("unsafe-inline") == std::string::npos);
    CHECK(index.headers.at("content-security-policy").find("frame-ancestors 'none'") !=
          std::string::npos);
    CHECK(index.headers.at("cache-control") == "no-cache");

    const auto same =
        http_tests::ask(server, "GET", "/", "If-None-Match: " + index.headers.at("etag") + "\r\n");
    CHECK(same.status == 304);
    CHECK(same.headers.count("content-length") == 0);
    CHECK(same.headers.count("content-type") == 0);

    CHECK(http_tests::ask(server, "GET", "/api/v1/x").status == 401);
    CHECK(http_tests::ask(server, "POST", "/").status == 401);
    CHECK(http_tests::ask(server, "GET", "/metrics", "Authorization: Bearer secret\r\n").status ==
          200);
    CHECK(server.requests_handled() == 1);
}
