// How connect_four.c logs its search by binary_log.h. Without a file it logs nothing.
#include "binary_log.h"

typedef struct {
    uint32_t parent, tt_from;
    uint64_t key;
    bl_list_of_texts plies;
    int16_t alpha, beta, score, statics, tt_score;
    int8_t depth, tt_depth, factors[2];
    uint8_t ply, tt_ply, player, moves, outcome, bound, ending, tt_use, tt_bound;
} row;

static const bl_field FIELDS[] = {
    BL_FIELD(row, parent, BL_U32),
    BL_NAMED("tt.from", row, tt_from, BL_U32),
    BL_FIELD(row, key, BL_KEY),
    BL_FIELD(row, plies, BL_LIST_OF_TEXTS),
    BL_FIELD(row, alpha, BL_I16),
    BL_FIELD(row, beta, BL_I16),
    BL_FIELD(row, score, BL_I16),
    BL_NAMED("static", row, statics, BL_I16),
    BL_NAMED("tt.score", row, tt_score, BL_I16),
    BL_FIELD(row, depth, BL_I8),
    BL_NAMED("tt.depth", row, tt_depth, BL_I8),
    BL_NUMBERS(row, factors, BL_I8, 2),
    BL_FIELD(row, ply, BL_TEXT8),
    BL_NAMED("tt.ply", row, tt_ply, BL_TEXT8),
    BL_FIELD(row, player, BL_U8),
    BL_FIELD(row, moves, BL_U8),
    BL_FIELD(row, outcome, BL_WORD),
    BL_FIELD(row, bound, BL_WORD),
    BL_FIELD(row, ending, BL_WORD),
    BL_NAMED("tt.use", row, tt_use, BL_WORD),
    BL_NAMED("tt.bound", row, tt_bound, BL_WORD),
    BL_END,
};

typedef struct {
    bl_log log;
    int is_on;
    uint32_t columns[COLUMNS];  // the names of the plies
} trace;

static int trace_open(trace *to, const char *path, const char *header, size_t buffer, int max_level) {
    if (!path) return 1;
    if (!bl_open(&to->log, path, header, FIELDS, sizeof(row), buffer, max_level)) return 0;
    for (int column = 0; column < COLUMNS; ++column) {
        char name[] = {(char)('1' + column), 0};
        to->columns[column] = bl_text(&to->log, name);
    }
    return to->is_on = 1;
}

static void trace_search(trace *to, int iteration) {
    if (to->is_on) bl_search(&to->log, iteration);
}

static uint32_t trace_enter(trace *to, const position *at, int column, int depth, int alpha, int beta) {
    if (!to->is_on) return 0;
    row *node = bl_enter(&to->log);
    node->key = key_of(at), node->depth = (int8_t)depth;
    if (column >= 0) node->ply = (uint8_t)to->columns[column];
    node->alpha = (int16_t)alpha, node->beta = (int16_t)beta, node->player = at->n_stones % 2;
    return bl_id(&to->log);
}

static void trace_leave(trace *to, const verdict *of) {
    if (!to->is_on) return;
    row *node = bl_leave(&to->log);
    node->score = (int16_t)of->score, node->bound = (uint8_t)of->bound, node->outcome = (uint8_t)of->outcome;
    if (of->outcome == TERMINAL) node->ending = of->score ? BL_LOSS : BL_DRAW;
    if (of->n_moves) node->moves = (uint8_t)of->n_moves;
    if (of->has_static) {
        node->statics = (int16_t)of->score;
        node->factors[0] = (int8_t)of->n_threats, node->factors[1] = (int8_t)of->n_central;
    }
    if (of->used) {
        node->tt_use = of->outcome == TABLE_HIT ? BL_CUT : BL_ORDER, node->tt_bound = of->used->bound;
        node->tt_score = of->used->score, node->tt_depth = of->used->depth, node->tt_from = of->used->node;
        node->tt_ply = (uint8_t)to->columns[of->used->best];
    }
}

static void trace_cut(trace *to, const int8_t *plies, int n) {
    uint32_t names[COLUMNS];
    if (!to->is_on) return;
    for (int i = 0; i < n; ++i) names[i] = to->columns[plies[i]];
    bl_cut(&to->log, names, n, BL_PRUNED);
}

static int trace_close(trace *to, int chosen, int score, uint64_t n_nodes_searched) {
    char text[100];
    if (!to->is_on) return 1;
    snprintf(text, sizeof text, "\"ply\": \"%d\", \"score\": %d, \"nodes\": %llu", chosen + 1, score,
             (unsigned long long)n_nodes_searched);
    bl_done(&to->log, text);
    return bl_close(&to->log);
}
