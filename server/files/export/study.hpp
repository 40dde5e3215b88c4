// Chapters of a lichess study: one tree of moves as several, of which none is too large.
#pragma once

#include "chess/game_tree.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace adjourn::server {

// The first has the tags, the result and what is left of `whole`; each other one begins where
// `whole` does, with the line to a move whose replies are moved there, and says nothing of that
// line; where that line alone would fill half of a chapter, it begins at the position instead. The
// move says in a comment of the export's where it goes on. No chapter has more than `most` moves
// (at least 2), unless so many begin in one position. Tags Event, StudyName and ChapterName name
// study and chapter.
std::vector<chess::AnnotatedGame> study_chapters(const chess::AnnotatedGame& whole,
                                                 const std::string& study, std::size_t most);

} // namespace adjourn::server
