#include "chess/nag.hpp"

#include <array>

namespace adjourn::chess {

std::span<const NagSign> nag_signs() {
    using enum NagKind;
    static constexpr std::array<NagSign, 25> signs{
        {{1, "!", move, "good move"},
         {2, "?", move, "mistake"},
         {3, "!!", move, "brilliant move"},
         {4, "??", move, "blunder"},
         {5, "!?", move, "interesting move"},
         {6, "?!", move, "dubious move"},
         {7, "□", move, "only move"},
         {10, "=", assessment, "equal"},
         {13, "∞", assessment, "unclear"},
         {14, "⩲", assessment, "White is slightly better"},
         {15, "⩱", assessment, "Black is slightly better"},
         {16, "±", assessment, "White is better"},
         {17, "∓", assessment, "Black is better"},
         {18, "+-", assessment, "White is winning"},
         {19, "-+", assessment, "Black is winning"},
         {22, "⨀", other, "zugzwang"},
         {26, "○", other, "space"},
         {32, "⟳", other, "development"},
         {36, "→", other, "initiative"},
         {40, "↑", other, "attack"},
         {44, "=∞", other, "compensation"},
         {132, "⇆", other, "counterplay"},
         {138, "⊕", other, "time trouble"},
         {140, "∆", other, "with the idea"},
         {146, "N", other, "novelty"}}};
    return signs;
}

NagKind nag_kind(int number) {
    return number < 10 ? NagKind::move : number < 22 ? NagKind::assessment : NagKind::other;
}

} // namespace adjourn::chess
