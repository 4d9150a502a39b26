// Rows a second of binary_log.h alone: a tree of three plies a node with made-up numbers, entered and left.
#include <time.h>

#include "binary_log.h"

typedef struct {
    uint32_t parent;
    int16_t alpha, beta, score;
    int8_t depth;
    uint8_t ply, bound, outcome;
    uint64_t key;
} row;

static const bl_field FIELDS[] = {
    BL_FIELD(row, parent, BL_U32),
    BL_FIELD(row, alpha, BL_I16),
    BL_FIELD(row, beta, BL_I16),
    BL_FIELD(row, score, BL_I16),
    BL_FIELD(row, depth, BL_I8),
    BL_FIELD(row, ply, BL_TEXT8),
    BL_FIELD(row, bound, BL_WORD),
    BL_FIELD(row, outcome, BL_WORD),
    BL_FIELD(row, key, BL_KEY),
    BL_END,
};

static uint64_t key = 1;

static void walk(bl_log *log, int depth, int ply) {
    row *node = bl_enter(log);
    node->depth = (int8_t)depth, node->alpha = -100, node->beta = 100, node->ply = (uint8_t)ply;
    node->key = key = key * 6364136223846793005u + 1442695040888963407u;
    for (int i = 0; i < 3 && depth; ++i) walk(log, depth - 1, i);
    node = bl_leave(log);
    node->score = (int16_t)depth, node->bound = BL_EXACT, node->outcome = depth ? BL_SEARCHED : BL_LEAF;
}

int main(int n_arguments, char **arguments) {
    static bl_log log;
    if (n_arguments < 2 || !bl_open(&log, arguments[1], NULL, FIELDS, sizeof(row), 1 << 20, -1)) return 1;
    bl_text(&log, "a"), bl_text(&log, "b"), bl_text(&log, "c");
    clock_t begin = clock();
    walk(&log, 14, 0);
    unsigned long n_rows = log.next_id;
    bl_done(&log, NULL);
    if (!bl_close(&log)) return 1;
    printf("{\"rows\": %lu, \"seconds\": %.6f}\n", n_rows, (double)(clock() - begin) / CLOCKS_PER_SEC);
    return 0;
}
