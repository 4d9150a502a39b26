// How connect_four.c logs its search by search_log.h, as JSON Lines. Without a file it logs nothing.
#include "search_log.h"

typedef struct {
    sl_log log;
    int is_on;
} trace;

static const char *const NAMES[COLUMNS] = {"1", "2", "3", "4", "5", "6", "7"};
static const char *const PLAYERS[] = {"red", "yellow"};
static const char *const BOUNDS[] = {NULL, "upper", "lower", "exact"};
static const char *const OUTCOMES[] = {NULL, "searched", "cutoff", "leaf", "terminal", "tt"};

static int trace_open(trace *to, const char *path, const char *header, size_t buffer, int max_level) {
    if (!path) return 1;
    return to->is_on = sl_open(&to->log, path, header, buffer, max_level);
}

static void trace_search(trace *to, int iteration) {
    if (to->is_on) sl_search(&to->log, iteration);
}

static uint32_t trace_enter(trace *to, const position *at, int column, int depth, int alpha, int beta) {
    char key[17];
    if (!to->is_on) return 0;
    snprintf(key, sizeof key, "%016llx", (unsigned long long)key_of(at));
    return (uint32_t)sl_enter(&to->log, column < 0 ? NULL : NAMES[column],
                              SL_FIELDS(sl_text("key", key), sl_number("depth", depth), sl_number("alpha", alpha),
                                        sl_number("beta", beta), sl_text("player", PLAYERS[at->n_stones % 2])));
}

static void trace_leave(trace *to, const verdict *of) {
    sl_field fields[10], entry_fields[7];
    int n = 0, n_used = 0;
    const entry *used = of->used;
    double factors[] = {of->n_threats, of->n_central};
    if (!to->is_on) return;
    fields[n++] = sl_text("bound", BOUNDS[of->bound]);
    fields[n++] = sl_text("outcome", OUTCOMES[of->outcome]);
    if (of->outcome == TERMINAL) fields[n++] = sl_text("ending", of->score ? "loss" : "draw");
    if (of->n_moves) fields[n++] = sl_number("moves", of->n_moves);
    if (of->has_static) fields[n++] = sl_number("static", of->score), fields[n++] = sl_numbers("factors", factors, 2);
    if (used) {
        entry_fields[n_used++] = sl_text("use", of->outcome == TABLE_HIT ? "cut" : "order");
        entry_fields[n_used++] = sl_text("bound", BOUNDS[used->bound]);
        entry_fields[n_used++] = sl_number("score", used->score);
        entry_fields[n_used++] = sl_number("depth", used->depth);
        entry_fields[n_used++] = sl_row("from", used->node == UINT32_MAX ? -1 : (long long)used->node);
        entry_fields[n_used++] = sl_text("ply", NAMES[used->best]);
        entry_fields[n_used].name = NULL;
        fields[n++] = sl_object("tt", entry_fields);
    }
    fields[n].name = NULL;
    sl_score(&to->log, of->score, fields);
}

static void trace_cut(trace *to, const int8_t *plies, int n) {
    const char *names[COLUMNS];
    if (!to->is_on) return;
    for (int i = 0; i < n; ++i) names[i] = NAMES[plies[i]];
    sl_cut(&to->log, names, n, "pruned");
}

static int trace_close(trace *to, int chosen, int score, uint64_t n_nodes_searched) {
    if (!to->is_on) return 1;
    sl_done(&to->log, SL_FIELDS(sl_text("ply", NAMES[chosen]), sl_number("score", score),
                                sl_number("nodes", (double)n_nodes_searched)));
    return sl_close(&to->log);
}
