/* Letters for pictures, five pixels wide and seven high, with two rows below the line: what names of planners are
 * written with. Capitals are drawn as small letters, and what is not here as a blank. */
#include "report/canvas.h"

#include <string.h>

enum { COLUMNS = 5, ROWS = 9, PITCH = COLUMNS + 1 };

/* clang-format off */
static const struct {
    const char *letters;
    const char *rows[ROWS]; /* a column apart */
} sheets[] = {
    {"abcdefghijkl",
     {
      "      #               #         ###       #       #      #  #      ##",
      "      #               #        #          #                 #       #",
      " ###  ####   ####  ####  ###  ####   #### ####   ##     ##  #  #    #",
      "    # #   # #     #   # #   #  #    #   # #   #   #      #  # #     #",
      " #### #   # #     #   # #####  #    #   # #   #   #      #  ##      #",
      "#   # #   # #     #   # #      #    #   # #   #   #      #  # #     #",
      " #### ####   ####  ####  ####  #     #### #   #  ###     #  #  #   ###",
      "                                        #                #",
      "                                     ###               ##"
     }},
    {"mnopqrstuvwx",
     {
      "                                           #",
      "                                           #",
      "## #  ####   ###  ####   #### # ###  #### ####  #   # #   # # # # #   #",
      "# # # #   # #   # #   # #   # ##    #      #    #   # #   # # # #  # #",
      "# # # #   # #   # #   # #   # #      ###   #    #   # #   # # # #   #",
      "# # # #   # #   # #   # #   # #         #  #    #   #  # #  # # #  # #",
      "# # # #   #  ###  ####   #### #     ####    ###  ####   #    # #  #   #",
      "                  #         #",
      "                  #         #"
     }},
    {"yz0123456789",
     {
      "             ###    #    ###   ###  #  #  #####  ###  #####  ###   ###",
      "            #   #  ##   #   # #   # #  #  #     #         # #   # #   #",
      "#   # ##### #  ##   #       #     # #  #  ####  ####     #  #   # #   #",
      "#   #    #  # # #   #      #    ##  #####     # #   #   #    ###   ####",
      "#   #   #   ##  #   #     #       #    #      # #   #   #   #   #     #",
      "#   #  #    #   #   #    #    #   #    #  #   # #   #  #    #   #     #",
      " #### #####  ###   ###  #####  ###     #   ###   ###   #     ###   ###",
      "    #",
      " ###"
     }},
    {":=,.-_/+%()",
     {
      "                                        #       ##  #    #   #",
      "                                       #        ## #    #     #",
      "  #                                    #    #      #    #     #",
      "      #####                           #     #     #     #     #",
      "                         ####        #    #####  #      #     #",
      "      #####                          #      #    # ##   #     #",
      "  #           #     #               #       #   #  ##    #   #",
      "              #               #####",
      "             #"
     }},
};
/* clang-format on */

static bool is_inked(char letter, int column, int row) {
    if (letter >= 'A' && letter <= 'Z') letter = (char)(letter - 'A' + 'a');
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        const char *found = letter ? strchr(sheets[i].letters, letter) : NULL;
        if (!found) continue;
        size_t at = (size_t)(found - sheets[i].letters) * PITCH + (size_t)column;
        return at < strlen(sheets[i].rows[row]) && sheets[i].rows[row][at] == '#';
    }
    return false;
}

uint32_t tool_canvas_text_width(const char *text, uint32_t scale) {
    return (uint32_t)strlen(text) * PITCH * scale;
}

void tool_canvas_text(tool_canvas *canvas, uint32_t left, uint32_t top, const char *text, uint32_t scale,
                      tool_colour colour) {
    for (; *text; text++, left += PITCH * scale)
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < COLUMNS; column++) {
                if (!is_inked(*text, column, row)) continue;
                uint32_t x = left + (uint32_t)column * scale, y = top + (uint32_t)row * scale;
                tool_canvas_fill(canvas, x, y, scale, scale, colour);
            }
}
