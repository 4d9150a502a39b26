// Iterative deepening on Nim that runs out of time, by longjmp or by a flag, in three of its iterations.
//
// deepening LOG FOLDER_OF_LOGGERS BUFFER MAX_LEVEL longjmp|flag|stop

#include <math.h>
#include <setjmp.h>

#include "search_log.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static const int LIMITS[8] = {[3] = 7, [5] = 20, [7] = 60};  // nodes; other iterations have no limit
static const char *const NAMES[] = {NULL, "take 1", "take 2", "take 3"};

typedef struct { int is_known; double score; long long source; } entry;

static sl_log search_log, *const logger = &search_log;
static entry table[13][8][8];  // by heap, level and depth
static int n_left, n_nodes, n_leaves, n_prune_events, n_pruned, n_hits;
static int has_flag, stops, is_out_of_time, choice;
static jmp_buf out_of_time;

static double search(int heap, int level, int depth, double alpha, double beta, int taken, const char *purpose) {
    long long row = sl_enter(logger, NAMES[taken], SL_FIELDS(
        sl_text("player", level % 2 ? "second" : "first"), sl_number("depth", depth), sl_number("alpha", alpha),
        sl_number("beta", beta), sl_text("purpose", purpose)));
    ++n_nodes;
    if (--n_left < 0) {
        if (!has_flag) longjmp(out_of_time, 1);
        is_out_of_time = 1;
        if (stops) sl_stop(logger);
        return 0;
    }
    if (heap == 0 || depth == 0) {
        ++n_leaves;
        if (heap == 0) {
            sl_score(logger, level - 100, SL_FIELDS(sl_text("outcome", "terminal"), sl_text("ending", "loss"),
                                                    sl_text("bound", "exact"), sl_number("moves", 0)));
            return level - 100;
        }
        sl_score(logger, 0, SL_FIELDS(sl_text("outcome", "leaf"), sl_text("bound", "exact"),
                                      sl_number("moves", MIN(3, heap))));
        return 0;
    }
    entry *known = &table[heap][level][depth];
    if (known->is_known) {
        ++n_hits;
        sl_score(logger, known->score, SL_FIELDS(sl_text("outcome", "tt"), sl_text("bound", "exact"), sl_object(
            "tt", SL_FIELDS(sl_text("use", "cut"), sl_number("depth", depth), sl_text("bound", "exact"),
                            sl_number("score", known->score), sl_row("from", known->source)))));
        return known->score;
    }
    double best = -INFINITY, window = alpha;
    const int n_takes = MIN(3, heap);
    for (int take = 1; take <= n_takes; ++take) {
        double high = take == 1 ? beta : window + 1;
        double value = -search(heap - take, level + 1, depth - 1, -high, -window, take, take == 1 ? "full" : "scout");
        if (!is_out_of_time && take > 1 && window < value && value < beta)
            value = -search(heap - take, level + 1, depth - 1, -beta, -window, take, "research");
        if (is_out_of_time) {
            if (stops) sl_stop(logger);
            return 0;
        }
        if (value > best) {
            best = value;
            if (level == 0) choice = take;
        }
        window = MAX(window, best);
        if (window >= beta) {
            sl_cut(logger, NAMES + take + 1, n_takes - take, "pruned");
            n_prune_events += take < n_takes;
            n_pruned += n_takes - take;
            break;
        }
    }
    const char *bound = best >= beta ? "lower" : best <= alpha ? "upper" : "exact";
    if (alpha < best && best < beta) *known = (entry){1, best, row};
    sl_score(logger, best, SL_FIELDS(sl_text("outcome", best >= beta ? "cutoff" : "searched"),
                                     sl_text("bound", bound), sl_number("moves", n_takes)));
    return best;
}

int main(int count, char **arguments) {
    static int ply;
    static double score;
    const char *header = "\"game\": \"nim\", \"players\": [\"first\", \"second\"], "
                         "\"search\": {\"perspective\": \"mover\", \"fail\": \"soft\", \"table\": \"equal\"}";
    if (count < 6 || !sl_open(logger, arguments[1], header, strtoul(arguments[3], NULL, 10), atoi(arguments[4])))
        return 1;
    stops = !strcmp(arguments[5], "stop");
    has_flag = stops || !strcmp(arguments[5], "flag");
    for (volatile int depth = 1; depth < 8; ++depth) {
        n_left = LIMITS[depth] ? LIMITS[depth] : 1000000000;
        is_out_of_time = 0;
        sl_search(logger, depth);
        if (setjmp(out_of_time)) continue;
        double found = search(12, 0, depth, -INFINITY, INFINITY, 0, "full");
        if (!is_out_of_time) score = found, ply = choice;
    }
    sl_done(logger, SL_FIELDS(sl_text("ply", NAMES[ply]), sl_number("score", score), sl_number("nodes", n_nodes),
                              sl_number("leaves", n_leaves), sl_number("prune_events", n_prune_events),
                              sl_number("pruned", n_pruned), sl_number("tt_hits", n_hits)));
    return !sl_close(logger);
}
