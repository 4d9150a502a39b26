// A search of no game in the compact form: every way to state a field, and nodes that are left in every way.
#include <math.h>
#include <signal.h>

#include "binary_log.h"

typedef struct {
    uint32_t parent, ply;
    double score;
    uint64_t key;
    bl_list_of_texts plies;
    float alpha;
    int32_t beta;
    int16_t mine[2];
    uint16_t why;
    uint8_t outcome, purpose, quiescence, count;
    int8_t depth;
} row;

static const bl_field FIELDS[] = {
    BL_FIELD(row, parent, BL_U32),
    BL_FIELD(row, ply, BL_TEXT),
    BL_FIELD(row, score, BL_F64),
    BL_FIELD(row, key, BL_KEY),
    BL_FIELD(row, plies, BL_LIST_OF_TEXTS),
    BL_FIELD(row, alpha, BL_F32),
    BL_FIELD(row, beta, BL_I32),
    BL_NUMBERS(row, mine, BL_I16, 2),
    BL_FIELD(row, why, BL_TEXT16),
    BL_FIELD(row, outcome, BL_WORD),
    BL_FIELD(row, purpose, BL_WORD),
    BL_FIELD(row, quiescence, BL_FLAG),
    BL_FIELD(row, count, BL_U8),
    BL_FIELD(row, depth, BL_I8),
    BL_END,
};

static row *enter(bl_log *log, const char *ply) {
    uint32_t name = bl_text(log, ply);
    row *node = bl_enter(log);
    node->ply = name;
    return node;
}

static void leave(bl_log *log, double score, int outcome) {
    row *node = bl_leave(log);
    node->score = score, node->outcome = (uint8_t)outcome;
}

int main(int n_arguments, char **arguments) {
    static bl_log log;
    if (n_arguments < 4) return 2;
    const char *odd = arguments[3];
    if (!bl_open(&log, arguments[1], "\"note\": \"all ways\"", FIELDS, sizeof(row), (size_t)atol(arguments[2]), 3)) return 1;
    bl_search(&log, 1);
    row *node = enter(&log, NULL);
    node->alpha = -INFINITY, node->beta = 100, node->key = 0xABC;
    bl_json(&log, bl_id(&log), "\"nested\": {\"list\": [1, null]}");
    node = enter(&log, odd);
    node->mine[1] = -1, node->quiescence = 1, node->depth = -2;
    uint16_t why = (uint16_t)bl_text(&log, "no more plies");
    node = bl_leave(&log);
    node->score = NAN, node->outcome = BL_TERMINAL, node->why = why;
    uint32_t left[2];
    left[0] = bl_text(&log, "x"), left[1] = bl_text(&log, odd);
    bl_cut(&log, left, 2, BL_PRUNED);
    bl_cut(&log, NULL, 12, BL_SKIPPED);
    bl_cut(&log, NULL, -1, BL_LIMITED);
    leave(&log, 3.5, BL_CUTOFF);

    bl_search(&log, 2);
    enter(&log, NULL);
    enter(&log, "a"), enter(&log, "b"), enter(&log, "c");
    for (int again = 0; again < 2; ++again) {
        enter(&log, "d"), enter(&log, "e"), leave(&log, 1, BL_LEAF), leave(&log, 1, BL_SEARCHED);
        enter(&log, "f"), leave(&log, 1, BL_LEAF);
        node = enter(&log, "g"), node->purpose = BL_NULL, leave(&log, 1, BL_LEAF);
    }
    leave(&log, 2, BL_SEARCHED);
    bl_stop(&log);
    if (n_arguments > 4) raise(SIGKILL);
    bl_done(&log, "\"ply\": \"a\", \"score\": 2");
    return !bl_close(&log);
}
