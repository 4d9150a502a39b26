// Nim with one heap, the last to take wins: a negamax alpha-beta with the logger in its four places.
//
// cc -std=c99 nim.c -o nim && ./nim nim.jsonl && plyscope view nim.jsonl

#include <math.h>

#include "search_log.h"

static const char *const NAMES[] = {NULL, "take 1", "take 2", "take 3"};

static double search(sl_log *log, int heap, int level, int depth, double alpha, double beta, int taken, int *chosen) {
    const char *player = level % 2 ? "second" : "first";
    sl_enter(log, NAMES[taken], SL_FIELDS(sl_text("player", player), sl_number("depth", depth),  // 1. enter
                                          sl_number("alpha", alpha), sl_number("beta", beta)));
    if (heap == 0) {  // the other player took the last one
        sl_score(log, level - 100, SL_FIELDS(sl_text("outcome", "terminal"), sl_text("ending", "loss"),  // 2. score
                                             sl_text("bound", "exact")));
        return level - 100;
    }
    if (depth == 0) {
        sl_score(log, 0, SL_FIELDS(sl_text("outcome", "leaf"), sl_text("bound", "exact")));
        return 0;
    }
    double best = -INFINITY;
    int n_takes = heap < 3 ? heap : 3, reply;
    for (int take = 1; take <= n_takes && best < beta; ++take) {
        double window = best > alpha ? best : alpha;
        double value = -search(log, heap - take, level + 1, depth - 1, -beta, -window, take, &reply);
        if (value > best) best = value, *chosen = take;
        if (best >= beta) sl_cut(log, NAMES + take + 1, n_takes - take, "pruned");  // 3. cut
    }
    const char *bound = best >= beta ? "lower" : best <= alpha ? "upper" : "exact";
    sl_score(log, best, SL_FIELDS(sl_text("outcome", best >= beta ? "cutoff" : "searched"), sl_text("bound", bound)));
    return best;
}

int main(int count, char **arguments) {
    static sl_log log;
    const char *header = "\"game\": \"nim\", \"players\": [\"first\", \"second\"], "
                         "\"search\": {\"depth\": 6, \"perspective\": \"mover\", \"fail\": \"soft\"}";
    if (count < 2 || !sl_open(&log, arguments[1], header, 0, -1)) return 1;
    int chosen = 0;
    double score = search(&log, 7, 0, 6, -INFINITY, INFINITY, 0, &chosen);
    sl_done(&log, SL_FIELDS(sl_text("ply", NAMES[chosen]), sl_number("score", score)));  // 4. done
    return !sl_close(&log);
}
