// The tree of triggers.c in the compact form: triggers_compact LOG FOLDER_OF_LOGGERS all|below|rows
#include "binary_log.h"

typedef struct {
    uint32_t parent;
    int32_t score;
    uint16_t ply;
    uint8_t outcome;
    int8_t depth;
} row;

static const bl_field FIELDS[] = {
    BL_FIELD(row, parent, BL_U32), BL_FIELD(row, score, BL_I32), BL_FIELD(row, ply, BL_TEXT16),
    BL_FIELD(row, outcome, BL_WORD), BL_FIELD(row, depth, BL_I8), BL_END,
};

static void search(bl_log *log, const char *ply, int level) {
    static const char *const replies[] = {"a", "b", "c"};
    row *node = (row *)bl_enter_by(log, bl_text(log, ply));
    int i;
    node->depth = (int8_t)(3 - level);
    for (i = 0; level < 3 && i < 3; ++i) search(log, replies[i], level + 1);
    if (level < 3) bl_cut(log, NULL, 2, BL_PRUNED);
    node = (row *)bl_leave(log);
    node->score = level;
}

int main(int n, char **arguments) {
    static bl_log log[1];
    const char *trigger = arguments[n - 1];
    uint32_t plies[2];
    int iteration;
    if (!bl_open(log, arguments[1], NULL, FIELDS, sizeof(row), 0, -1)) return 1;
    plies[0] = bl_text(log, "b"), plies[1] = bl_text(log, "a");
    if (!strcmp(trigger, "below")) bl_only_below(log, plies, 2);
    if (!strcmp(trigger, "rows")) bl_max_rows(log, 8);
    for (iteration = 1; iteration <= 2; ++iteration) {
        bl_search(log, iteration);
        search(log, NULL, 0);
    }
    bl_done(log, "\"ply\": \"a\"");
    return !bl_close(log);
}
