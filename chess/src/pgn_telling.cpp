// What is told only to a visitor that wants to know everything.
#include "pgn_reader_impl.hpp"
#include "text.hpp"

#include <algorithm>

namespace adjourn::chess {

using namespace detail;

void PgnReader::Impl::tell_mended(PgnPlace at, const std::string& message) {
    if (all_ != nullptr) {
        all_->mended({std::max<std::size_t>(game_, 1), at.line, message, at.column});
    }
}

void PgnReader::Impl::tell_left_out(PgnPlace at, const std::string& message) {
    visitor_->left_out({std::max<std::size_t>(game_, 1), at.line, message, at.column});
}

void PgnReader::Impl::tell_mended(std::string_view word, const std::vector<std::string>& parts) {
    if (all_ == nullptr) {
        return;
    }
    std::string words;
    for (const std::string& part : parts) {
        words += (words.empty() ? "" : " ") + part;
    }
    tell_mended({source_.line(), word_column_}, quoted(word) + " is read as " + quoted(words));
}

void PgnReader::Impl::refuse_null_move(std::string_view word) {
    fail(quoted(word) + " is a null move, which is no move of chess", word_column_);
}

// A word of the movetext.
void PgnReader::Impl::tell_left_out(std::string_view word) {
    if (!line().silent) {
        tell_left_out({source_.line(), word_column_}, quoted(word) + " is left out");
    }
}

void PgnReader::Impl::tell_encoding(std::string_view text, PgnPlace at) {
    if (all_ != nullptr && !base::is_utf8(text)) {
        tell_mended(at, "the text is not UTF-8; it is read as Windows-1252");
    }
}

void PgnReader::Impl::tell_sign(int nag, std::string_view sign) {
    if (all_ == nullptr) {
        visitor_->nag(nag);
        return;
    }
    const bool plain = sign.find_first_not_of("!?") == std::string_view::npos;
    if (!plain) {
        tell_mended({source_.line(), word_column_},
                    quoted(sign) + " is kept as $" + std::to_string(nag));
    }
    all_->sign(nag, plain);
}

// Somebody's words between games: what is left of the line, up to a comment or a tag.
void PgnReader::Impl::skip_remark() {
    const PgnPlace at = here();
    word_.clear();
    for (int c = source_.peek();
         c >= 0 && c != '\n' && c != '\r' && c != '{' && c != ';' && !(c == '[' && at_tag());
         c = source_.peek()) {
        word_ += static_cast<char>(word_.size() < base::longest_text ? c : '.');
        source_.advance();
    }
    tell_left_out(at, quoted(word_) + " is left out: it is in no game");
}

// A bracket of the movetext that closes or opens nothing.
void PgnReader::Impl::skip_stray() {
    word_column_ = source_.column();
    const char character = static_cast<char>(source_.peek());
    source_.advance();
    tell_left_out({&character, 1});
}

} // namespace adjourn::chess
