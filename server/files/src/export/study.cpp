#include "study.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace adjourn::server {

namespace {

// A chapter has the line that leads to it, unless that would be most of what it holds.
bool has_line(std::size_t length, std::size_t most) {
    return length <= most / 2;
}

// Decides which moves give away their replies.
class StudyCuts {
public:
    StudyCuts(const std::vector<chess::PgnNode>& moves, std::size_t most) : most_{most} {
        add(moves, std::nullopt, 1);
        left_ = nodes_.size();
        while (left_ > most_ && cut_one()) {
        }
    }

    // In the order of the tree.
    std::vector<bool> take() const {
        std::vector<bool> cut;
        cut.reserve(nodes_.size());
        for (const Node& node : nodes_) {
            cut.push_back(node.cut);
        }
        return cut;
    }

private:
    struct Node {
        std::optional<std::size_t> parent;
        std::size_t depth = 0;   // moves from the start to this one, itself among them
        std::size_t replies = 0; // below it, in its chapter
        std::size_t end = 0;     // of its subtree in nodes_
        bool cut = false;
    };

    std::size_t add(const std::vector<chess::PgnNode>& moves, std::optional<std::size_t> parent,
                    std::size_t depth) {
        std::size_t count = 0;
        for (const chess::PgnNode& move : moves) {
            const std::size_t at = nodes_.size();
            nodes_.push_back({parent, depth, 0, 0, false});
            const std::size_t below = add(move.replies, at, depth + 1);
            nodes_[at].replies = below;
            nodes_[at].end = nodes_.size();
            count += below + 1;
        }
        return count;
    }

    // Of the chapter that it would begin.
    std::size_t size(const Node& node) const {
        return (has_line(node.depth, most_) ? node.depth : 0) + node.replies;
    }

    // The most that fits into a chapter of its own; of equals the last, which is a variation
    // rather than the main line.
    bool cut_one() {
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < nodes_.size();) {
            const Node& node = nodes_[i];
            const bool fits = size(node) <= most_;
            if (node.replies > 0 && fits && (!best || node.replies >= nodes_[*best].replies)) {
                best = i;
            }
            // What is below one that fits has less; what is below a cut is elsewhere already.
            const bool done = node.cut || fits;
            i = done ? node.end : i + 1;
        }
        if (!best) {
            return false;
        }
        Node& chosen = nodes_[*best];
        const std::size_t gone = std::exchange(chosen.replies, 0);
        chosen.cut = true;
        left_ -= gone;
        for (auto up = chosen.parent; up; up = nodes_[*up].parent) {
            nodes_[*up].replies -= gone;
        }
        return true;
    }

    std::size_t most_;
    std::size_t left_ = 0; // in the first chapter
    std::vector<Node> nodes_;
};

// Behind commands and before the words, the last of which may be a person's note.
void add_words(std::string& comment, const std::string& words) {
    std::size_t at = 0;
    while (comment.compare(at, 2, "[%") == 0) {
        const std::size_t end = comment.find(']', at);
        if (end == std::string::npos) {
            break;
        }
        at = std::min(comment.find_first_not_of(' ', end + 1), comment.size());
    }
    const bool more = at < comment.size();
    const bool after = at > 0 && comment[at - 1] != ' ';
    comment.insert(at, (after ? " " : "") + words + (more ? ", " : ""));
}

class StudyWriter {
public:
    StudyWriter(std::vector<bool> cut, const chess::PgnTree& whole, std::string study,
                std::size_t most)
        : cut_{std::move(cut)}, most_{most}, start_{whole.start}, tags_{whole.tags},
          study_{std::move(study)} {}

    std::vector<chess::PgnTree> write(chess::PgnTree whole) {
        chapters_.push_back(std::move(whole));
        std::vector<chess::PgnNode> moves = std::move(chapters_[0].moves);
        walk(moves, start_, 0);
        chapters_[0].moves = std::move(moves);
        name(chapters_[0], 0, "");
        return std::move(chapters_);
    }

private:
    void walk(std::vector<chess::PgnNode>& moves, const chess::Position& at, std::size_t chapter) {
        for (chess::PgnNode& node : moves) {
            const bool cut = cut_[next_++];
            const chess::Position after = at.after(node.move);
            line_.push_back(node.move);
            if (cut) {
                give_away(node, after, chapter);
            } else {
                walk(node.replies, after, chapter);
            }
            line_.pop_back();
        }
    }

    void give_away(chess::PgnNode& node, const chess::Position& after, std::size_t chapter) {
        const std::size_t number = chapters_.size();
        chapters_.emplace_back();
        std::vector<chess::PgnNode> replies = std::move(node.replies);
        node.replies.clear();
        walk(replies, after, number);
        add_words(node.comment, "continues in chapter " + std::to_string(number + 1));
        chess::PgnTree& tree = chapters_[number];
        tree.tags = tags_;
        const std::string from = "continues chapter " + std::to_string(chapter + 1);
        if (has_line(line_.size(), most_)) {
            tree.start = start_;
            tree.moves = with_line(std::move(replies), from);
        } else {
            tree.start = after;
            tree.comment = from;
            tree.moves = std::move(replies);
        }
        name(tree, number, last_moves());
    }

    // Behind the moves to where the walk is, the last of which has the comment.
    std::vector<chess::PgnNode> with_line(std::vector<chess::PgnNode> moves,
                                          const std::string& comment) const {
        for (std::size_t i = line_.size(); i-- > 0;) {
            chess::PgnNode before{line_[i], {}, "", std::move(moves)};
            if (i + 1 == line_.size()) {
                before.comment = comment;
            }
            moves.clear();
            moves.push_back(std::move(before));
        }
        return moves;
    }

    // "6. Be3 e5": the last two of the line.
    std::string last_moves() const {
        const std::size_t skip = line_.size() < 2 ? 0 : line_.size() - 2;
        chess::Position at = start_;
        for (std::size_t i = 0; i < skip; ++i) {
            at.play(line_[i]);
        }
        return chess::to_san_line(at,
                                  {line_.begin() + static_cast<std::ptrdiff_t>(skip), line_.end()});
    }

    void name(chess::PgnTree& tree, std::size_t number, const std::string& moves) const {
        constexpr std::size_t longest = 50; // lichess cuts names of more than 80 characters
        std::string text = study_;
        if (text.size() > longest) {
            std::size_t end = longest;
            while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
                --end;
            }
            text = text.substr(0, end) + "…";
        }
        text += " " + std::to_string(number + 1) + (moves.empty() ? "" : ": " + moves);
        std::erase_if(tree.tags, [](const chess::PgnTag& tag) { return tag.name == "Event"; });
        tree.tags.push_back({"Event", study_ + ": " + text});
        tree.tags.push_back({"StudyName", study_});
        tree.tags.push_back({"ChapterName", text});
    }

    const std::vector<bool> cut_;
    const std::size_t most_; // moves of a chapter
    const chess::Position start_;
    const std::vector<chess::PgnTag> tags_;
    const std::string study_;
    std::size_t next_ = 0;
    std::vector<chess::Move> line_; // to where the walk is
    std::vector<chess::PgnTree> chapters_;
};

} // namespace

std::vector<chess::PgnTree> study_chapters(chess::PgnTree whole, const std::string& study,
                                           std::size_t most) {
    StudyWriter writer{StudyCuts{whole.moves, most}.take(), whole, study, most};
    return writer.write(std::move(whole));
}

} // namespace adjourn::server
