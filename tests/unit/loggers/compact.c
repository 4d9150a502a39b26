// A search of no game in the compact form: every way to state a field, and nodes that are left in every way.
#include <math.h>
#include <pthread.h>
#include <signal.h>

#include "binary_log.h"

typedef struct {
    uint32_t parent, ply, name, unused;
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
    BL_NAMED("n\"\\", row, name, BL_TEXT),
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

static bl_log search_log;

static void *other(void *none) {
    bl_enter(&search_log);
    return none;
}

int main(int n_arguments, char **arguments) {
    if (n_arguments < 4) return 2;
    const char *odd = arguments[3];
    if (!bl_open(&search_log, arguments[1], "\"note\": \"all ways\"", FIELDS, sizeof(row), (size_t)atol(arguments[2]), 3)) return 1;
    bl_search(&search_log, 1);
    row *node = enter(&search_log, NULL);
    node->alpha = -INFINITY, node->beta = 100, node->key = 0xABC;
    bl_json(&search_log, bl_id(&search_log), "\"nested\": {\"list\": [1, null]}");
    node = enter(&search_log, odd);
    uint32_t name = bl_text(&search_log, odd);
    node->name = name, node->mine[1] = -1, node->quiescence = 1, node->depth = -2;
    uint16_t why = (uint16_t)bl_text(&search_log, "no more plies");
    node = bl_leave(&search_log);
    node->score = NAN, node->outcome = BL_TERMINAL, node->why = why;
    uint32_t left[2];
    left[0] = bl_text(&search_log, "x"), left[1] = bl_text(&search_log, odd);
    bl_cut(&search_log, left, 2, BL_PRUNED);
    bl_cut(&search_log, NULL, 12, BL_SKIPPED);
    bl_cut(&search_log, NULL, -1, BL_LIMITED);
    leave(&search_log, 3.5, BL_CUTOFF);
    if (n_arguments > 4 && *arguments[4] == 'm') bl_leave(&search_log);

    bl_search(&search_log, 2);
    enter(&search_log, NULL);
    if (n_arguments > 4 && *arguments[4] == 't') {
        pthread_t thread;
        pthread_create(&thread, NULL, other, NULL);
        pthread_join(thread, NULL);
    }
    enter(&search_log, "a"), enter(&search_log, "b"), enter(&search_log, "c");
    for (int again = 0; again < 2; ++again) {
        enter(&search_log, "d"), enter(&search_log, "e"), leave(&search_log, 1, BL_LEAF), leave(&search_log, 1, BL_SEARCHED);
        enter(&search_log, "f"), leave(&search_log, 1, BL_LEAF);
        node = enter(&search_log, "g"), node->purpose = BL_NULL, leave(&search_log, 1, BL_LEAF);
    }
    leave(&search_log, 2, BL_SEARCHED);
    bl_stop(&search_log);
    if (n_arguments > 4 && *arguments[4] == 'k') raise(SIGKILL);
    bl_done(&search_log, "\"ply\": \"a\", \"score\": 2");
    return !bl_close(&search_log);
}
