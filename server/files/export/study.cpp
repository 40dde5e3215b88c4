#include "files/export/export_pgn.hpp"

#include "chess/game_tree.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_writer.hpp"

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
    StudyCuts(const chess::GameTree& tree, std::size_t most) : tree_{tree}, most_{most} {
        add(chess::GameTree::start, std::nullopt, 1);
        left_ = nodes_.size();
        while (left_ > most_ && cut_one()) {
        }
    }

    // By node of the tree.
    std::vector<bool> take() const {
        std::vector<bool> cut(tree_.size(), false);
        for (const Node& node : nodes_) {
            cut[node.node] = node.cut;
        }
        return cut;
    }

private:
    struct Node {
        chess::GameTree::Node node;
        std::optional<std::size_t> parent;
        std::size_t depth = 0;   // moves from the start to this one, itself among them
        std::size_t replies = 0; // below it, in its chapter
        std::size_t end = 0;     // of its subtree in nodes_
        bool cut = false;
    };

    std::size_t add(chess::GameTree::Node above, std::optional<std::size_t> parent,
                    std::size_t depth) {
        std::size_t count = 0;
        for (auto node = tree_.first_child(above); node != chess::GameTree::none;
             node = tree_.next_sibling(node)) {
            const std::size_t at = nodes_.size();
            nodes_.push_back({node, parent, depth, 0, 0, false});
            const std::size_t below = add(node, at, depth + 1);
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

    const chess::GameTree& tree_;
    std::size_t most_;
    std::size_t left_ = 0; // in the first chapter
    std::vector<Node> nodes_;
};

class StudyWriter {
public:
    StudyWriter(const chess::GameTree& tree, std::string study, std::size_t most)
        : tree_{tree}, whole_{tree.game()}, cut_{StudyCuts{tree, most}.take()}, most_{most},
          study_{std::move(study)} {}

    std::vector<chess::AnnotatedGame> write() {
        chapters_.push_back({whole_.tags, whole_.start, {}, whole_.result, whole_.behind});
        name(chapters_[0], 0, "");
        copy(0, whole_.moves.size(), 0);
        return std::move(chapters_);
    }

private:
    // These tokens into a chapter, but for what is given away.
    void copy(std::size_t first, std::size_t end, std::size_t chapter) {
        while (first < end) {
            const bool is_move = std::holds_alternative<chess::Move>(whole_.moves[first]);
            const chess::GameTree::Node node = is_move ? node_at(first) : chess::GameTree::start;
            if (is_move && cut_[node]) {
                give_away(node, chapter);
                first = tree_.line(node).end;
            } else {
                chapters_[chapter].moves.push_back(whole_.moves[first++]);
            }
        }
    }

    // The move stays, with what is said of it and the variations to it. What follows goes.
    void give_away(chess::GameTree::Node node, std::size_t chapter) {
        const std::size_t number = chapters_.size();
        chapters_.push_back({whole_.tags, whole_.start, {}, "*", {}});
        const auto behind = tree_.behind(node);
        const std::size_t variations_end = tree_.end_of_variations(node);
        auto& here = chapters_[chapter].moves;
        here.insert(here.end(),
                    whole_.moves.begin() + static_cast<std::ptrdiff_t>(tree_.token(node)),
                    whole_.moves.begin() + static_cast<std::ptrdiff_t>(behind.end));
        here.emplace_back(chess::exported_comment(std::nullopt, "continues in chapter " +
                                                                    std::to_string(number + 1)));
        copy(behind.end, variations_end, chapter);
        begin(number, node, "continues chapter " + std::to_string(chapter + 1));
        copy(variations_end, tree_.line(node).end, number);
    }

    void begin(std::size_t number, chess::GameTree::Node node, const std::string& from) {
        const std::vector<chess::Move> line = tree_.moves_to(node);
        chess::AnnotatedGame& game = chapters_[number];
        if (has_line(line.size(), most_)) {
            game.moves.assign(line.begin(), line.end());
            set_tag(game.tags, "Result", game.result);
        } else {
            game = chess::new_game(tree_.position(node), whole_.tags);
        }
        game.moves.emplace_back(chess::exported_comment(std::nullopt, from));
        name(game, number, last_moves(line));
    }

    chess::GameTree::Node node_at(std::size_t token) {
        if (tokens_.empty()) {
            tokens_.resize(whole_.moves.size());
            for (chess::GameTree::Node node = 1; node < tree_.size(); ++node) {
                tokens_[tree_.token(node)] = node;
            }
        }
        return tokens_[token];
    }

    // "6. Be3 e5": the last two of the line.
    std::string last_moves(const std::vector<chess::Move>& line) const {
        const std::size_t skip = line.size() < 2 ? 0 : line.size() - 2;
        chess::Position at = whole_.start;
        for (std::size_t i = 0; i < skip; ++i) {
            at.play(line[i]);
        }
        return chess::to_san_line(at,
                                  {line.begin() + static_cast<std::ptrdiff_t>(skip), line.end()});
    }

    void name(chess::AnnotatedGame& game, std::size_t number, const std::string& moves) const {
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
        set_tag(game.tags, "Event", study_ + ": " + text);
        set_tag(game.tags, "StudyName", study_);
        set_tag(game.tags, "ChapterName", text);
    }

    static void set_tag(std::vector<chess::PgnTag>& tags, const char* name,
                        const std::string& value) {
        const auto found = std::ranges::find(tags, name, &chess::PgnTag::name);
        if (found == tags.end()) {
            tags.push_back({name, value});
        } else {
            found->value = value;
        }
    }

    const chess::GameTree& tree_;
    const chess::AnnotatedGame& whole_;
    const std::vector<bool> cut_; // nodes whose replies go into a chapter of their own
    const std::size_t most_;      // moves of a chapter
    const std::string study_;
    std::vector<chess::GameTree::Node> tokens_; // nodes by their tokens, once they are needed
    std::vector<chess::AnnotatedGame> chapters_;
};

} // namespace

std::vector<chess::AnnotatedGame> study_chapters(const chess::AnnotatedGame& whole,
                                                 const std::string& study, std::size_t most) {
    const chess::GameTree tree{whole};
    return StudyWriter{tree, study, most}.write();
}

} // namespace adjourn::server
