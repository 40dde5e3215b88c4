#include "base/text.hpp"
#include "files/import/import.hpp"
#include "files/kept/kept_file.hpp"

#include <nlohmann/json.hpp>

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <ios>
#include <iostream>
#include <istream>
#include <memory>
#include <new>
#include <span>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

namespace {

// ---- streams that unpack another one, which they own ----

// A Codec has:
//   size_t unpack(span<const char>& in, span<char> out)   takes from the front of `in`, returns the
//                                                         bytes written; throws on damaged data
//   bool inside() const                                   more data must come for a whole file
//   static constexpr const char* cut_off                  says that it did not
template <class Codec>
class Unpacker final : public std::streambuf {
public:
    explicit Unpacker(std::unique_ptr<std::istream> packed)
        : packed_{std::move(packed)}, in_(std::size_t{1} << 16), out_(std::size_t{1} << 17) {}

protected:
    int_type underflow() override {
        std::size_t got = 0;
        while (got == 0) {
            if (input_.empty() && !refill() && !full_) {
                if (codec_.inside()) {
                    throw std::ios_base::failure{Codec::cut_off};
                }
                return traits_type::eof();
            }
            got = codec_.unpack(input_, out_);
            full_ = got == out_.size(); // more may wait inside
        }
        setg(out_.data(), out_.data(), out_.data() + got);
        return traits_type::to_int_type(*gptr());
    }

private:
    bool refill() {
        packed_->read(in_.data(), static_cast<std::streamsize>(in_.size()));
        input_ = {in_.data(), static_cast<std::size_t>(packed_->gcount())};
        return !input_.empty();
    }

    std::unique_ptr<std::istream> packed_;
    Codec codec_;
    std::vector<char> in_;
    std::vector<char> out_;
    std::span<const char> input_;
    bool full_ = false;
};

// A stream on a buffer of its own. Where the buffer throws std::ios_base::failure, because the data
// are damaged or cut off, the stream is bad().
template <class Buffer>
class OwningStream final : public std::istream {
public:
    explicit OwningStream(std::unique_ptr<std::istream> source)
        : std::istream{nullptr}, buffer_{std::move(source)} {
        rdbuf(&buffer_);
    }
    const Buffer& buffer() const { return buffer_; }

private:
    Buffer buffer_;
};

// gzip members, one after the other.
class GzipCodec {
public:
    static constexpr const char* cut_off = "the last gzip member is cut off";

    GzipCodec() {
        constexpr int gzip_only = 16;
        if (::inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) {
            throw std::bad_alloc{};
        }
    }
    ~GzipCodec() { ::inflateEnd(&stream_); }
    GzipCodec(const GzipCodec&) = delete;
    GzipCodec& operator=(const GzipCodec&) = delete;

    std::size_t unpack(std::span<const char>& in, std::span<char> out) {
        if (ended_ && !in.empty()) { // another member follows, as RFC 1952 allows
            ::inflateReset(&stream_);
            ended_ = false;
        }
        // zlib does not write to its input; its type says so only where ZLIB_CONST is defined.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
        stream_.avail_in = static_cast<uInt>(in.size());
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        const int said = ended_ ? Z_BUF_ERROR : ::inflate(&stream_, Z_NO_FLUSH);
        // Z_BUF_ERROR: nothing could be done without more input, which is no fault.
        if (said != Z_OK && said != Z_STREAM_END && said != Z_BUF_ERROR) {
            throw std::ios_base::failure{std::string{"damaged gzip data: "} +
                                         (stream_.msg != nullptr ? stream_.msg : "no reason told")};
        }
        ended_ = ended_ || said == Z_STREAM_END;
        in = in.last(stream_.avail_in);
        return out.size() - stream_.avail_out;
    }
    bool inside() const { return !ended_; }

private:
    z_stream stream_{};
    bool ended_ = false;
};

// Zstandard frames.
class ZstdCodec {
public:
    static constexpr const char* cut_off = "the last Zstandard frame is cut off";

    std::size_t unpack(std::span<const char>& in, std::span<char> out) {
        ZSTD_inBuffer input{in.data(), in.size(), 0};
        ZSTD_outBuffer output{out.data(), out.size(), 0};
        const std::size_t left = ZSTD_decompressStream(stream_.get(), &output, &input);
        if (ZSTD_isError(left) != 0) {
            throw std::ios_base::failure{std::string{"damaged Zstandard data: "} +
                                         ZSTD_getErrorName(left)};
        }
        inside_ = left != 0;
        in = in.subspan(input.pos);
        return output.pos;
    }
    bool inside() const { return inside_; }

private:
    std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_{ZSTD_createDStream(),
                                                                          ZSTD_freeDStream};
    bool inside_ = false;
};

constexpr std::size_t chunk = 65'536;

// Whose first characters can be looked at before they are read, whatever they come from: pipes
// cannot go back.
class Peeker final : public std::streambuf {
public:
    explicit Peeker(std::unique_ptr<std::istream> source)
        : source_{std::move(source)}, buffer_(chunk) {
        fill();
    }

    // Valid until something is read; short at the end.
    std::string_view start() const { return {gptr(), egptr()}; }

protected:
    int_type underflow() override {
        if (gptr() == egptr()) {
            fill();
            if (source_->bad()) {
                throw std::ios_base::failure{"reading failed"};
            }
        }
        return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
    }

private:
    void fill() {
        source_->read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        setg(buffer_.data(), buffer_.data(), buffer_.data() + source_->gcount());
    }

    std::unique_ptr<std::istream> source_;
    std::vector<char> buffer_;
};

constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
constexpr std::string_view gzip_magic = "\x1f\x8b";

// How files begin that nothing here can read, and what to do.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> unreadable{
    {{"\xff\xfe", "is UTF-16; save it as UTF-8"},
     {"\xfe\xff", "is UTF-16; save it as UTF-8"},
     {"BZh", "is packed with bzip2; unpack it first"},
     {"\xfd"
      "7zXZ",
      "is packed with xz; unpack it first"},
     {"PK\x03\x04", "is a zip archive; unpack it first"}}};

// Line by line: a file may hold what programs of several encodings wrote.
std::string in_utf8(std::string_view text) {
    std::string result;
    std::string converted;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        result += base::as_utf8(text.substr(0, end), converted);
        text.remove_prefix(end);
    }
    return result;
}

bool is_standard_input(const std::filesystem::path& file) {
    return file == "-";
}

nlohmann::json list_json(const std::vector<ImportError>& list) {
    nlohmann::json out = nlohmann::json::array();
    for (const ImportError& error : list) {
        out.push_back({{"record", error.record}, {"line", error.line}, {"message", error.message}});
    }
    return out;
}

std::vector<ImportError> list_of(const nlohmann::json& json) {
    std::vector<ImportError> list;
    for (const nlohmann::json& error : json) {
        list.push_back({error.at("record"), error.at("line"), error.at("message")});
    }
    return list;
}

} // namespace

bool is_packed(const std::filesystem::path& file) {
    return file.extension() == ".zst" || file.extension() == ".gz";
}

std::optional<ImportFormat> import_format_of(const std::filesystem::path& file) {
    std::filesystem::path plain = file;
    if (is_packed(file)) {
        plain.replace_extension();
    }
    std::string ending = plain.extension().string();
    for (char& c : ending) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (ending == ".pgn") {
        return ImportFormat::pgn;
    }
    if (ending == ".epd" || ending == ".fen") {
        return ImportFormat::epd;
    }
    if (ending == ".jsonl" || ending == ".ndjson") {
        return ImportFormat::lichess;
    }
    return std::nullopt;
}

std::expected<std::unique_ptr<std::istream>, std::string>
open_import_file(const std::filesystem::path& file) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) {
        return std::unexpected(file.string() + " is a directory");
    }
    std::unique_ptr<std::istream> in;
    if (is_standard_input(file)) {
        in = std::make_unique<std::istream>(std::cin.rdbuf());
    } else {
        in = std::make_unique<std::ifstream>(file, std::ios::binary);
    }
    if (!*in) {
        return std::unexpected("cannot read " + file.string());
    }
    auto peeked =
        std::make_unique<OwningStream<Peeker>>(std::move(in)); // blocks for the first ones
    const std::string_view start = peeked->buffer().start();
    if (start.starts_with(zstd_magic)) {
        return std::make_unique<OwningStream<Unpacker<ZstdCodec>>>(std::move(peeked));
    }
    if (start.starts_with(gzip_magic)) {
        return std::make_unique<OwningStream<Unpacker<GzipCodec>>>(std::move(peeked));
    }
    for (const auto& [magic, trouble] : unreadable) {
        if (start.starts_with(magic)) {
            return std::unexpected(file.string() + " " + std::string{trouble});
        }
    }
    return peeked;
}

std::string import_name(const std::filesystem::path& file) {
    if (is_standard_input(file) || file == "/dev/stdin") {
        return "stdin";
    }
    const std::string folder = file.parent_path().string();
    const bool descriptor = folder == "/dev/fd" ||
                            (folder.starts_with("/proc/") && file.parent_path().filename() == "fd");
    return descriptor ? "pipe" : file.filename().string();
}

ImportParts::ImportParts(std::istream& in, ImportFormat format, std::size_t size)
    : format_{format}, size_{size}, games_{in, size}, lines_{in} {}

std::optional<ImportParts::Part> ImportParts::next() {
    auto part = format_ == ImportFormat::pgn ? games_.next() : next_lines();
    if (part) {
        part->text = in_utf8(part->text);
    }
    return part;
}

std::optional<ImportParts::Part> ImportParts::next_lines() {
    Part part;
    part.lines_before = lines_.number();
    while (part.text.size() < size_ && lines_.next()) {
        part.text += lines_.text();
        part.text += '\n';
    }
    part.lines = lines_.number() - part.lines_before;
    return part.lines == 0 ? std::nullopt : std::optional{std::move(part)};
}

nlohmann::json report_json(const ImportReport& report) {
    nlohmann::json file;
    if (report.file) {
        file = told_json(report.file->told);
        file.update({{"id", report.file->id},
                     {"known", report.file->known},
                     {"games", report.file->games}});
    }
    nlohmann::json out{{"file", std::move(file)},
                       {"errors", list_json(report.errors)},
                       {"sources", report.sources},
                       {"warnings", list_json(report.warnings)}};
    for (const auto& [place, count] : import_counts) {
        out[nlohmann::json::json_pointer{place}] = report.*count;
    }
    return out;
}

std::optional<ImportReport> report_of(const nlohmann::json& json) {
    try {
        ImportReport report;
        for (const auto& [place, count] : import_counts) {
            // A server of before has fewer of them.
            report.*count = json.value(nlohmann::json::json_pointer{place}, std::size_t{0});
        }
        report.errors = list_of(json.at("errors"));
        report.sources = json.value("sources", std::set<std::string>{});
        report.warnings = list_of(json.value("warnings", nlohmann::json::array()));
        if (const auto file = json.find("file"); file != json.end() && !file->is_null()) {
            report.file =
                ImportedFile{file->at("id"), file->at("known"), file->at("games"), told_of(*file)};
        }
        return report;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

} // namespace adjourn::server
