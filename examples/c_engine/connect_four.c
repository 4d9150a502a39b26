// Connect Four: alpha-beta on bitboards with iterative deepening, a transposition table and killer plies. It logs its
// search for Plyscope in the compact form:
//
//   cc -O2 -std=c99 -I../loggers connect_four.c -o connect_four
//   ./connect_four --position 4453 --depth 10 --log search.plyb && plyscope view search.plyb
//
// `--fault` stores every score in the table as if it were exact. `plyscope check search.plyb` finds where that hurts.
// With -DTRACE='"json_trace.h"' it logs JSON Lines instead.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef TRACE
#define TRACE "binary_trace.h"
#endif

enum { COLUMNS = 7, ROWS = 6, CELLS = 42, MAX_LEVEL = CELLS + 1 };
enum { WIN = 1000, OPEN = 2000 };  // a win counts WIN less the stones on the board: the sooner the better
enum { THREAT = 8, CENTRE = 2 };   // weights of the evaluation
enum { TABLE_BITS = 20 };

typedef enum { NO_BOUND, UPPER, LOWER, EXACT } bound;
typedef enum { SEARCHED = 1, CUTOFF, LEAF, TERMINAL, TABLE_HIT } why_left;

// A bit a cell, seven a column: the lowest is the bottom, the highest is always empty and keeps lines apart.
typedef struct {
    uint64_t own, all;  // the stones of who moves, and all stones
    int n_stones;
} position;

// What the table knows of a position.
typedef struct {
    uint64_t key;
    uint32_t node;  // the id of the logged node that stored it
    int16_t score;
    int8_t depth, best;
    uint8_t bound;
} entry;

// What is said of a node where it is left; the trace writes it.
typedef struct {
    int score, bound, outcome, has_static, n_threats, n_central, n_moves;
    const entry *used;
} verdict;

static uint64_t key_of(const position *at) { return at->own + at->all + 0x4081020408102; }  // each position its own

#include TRACE

static entry table[1 << TABLE_BITS];
static int8_t killers[MAX_LEVEL][2];
static uint64_t n_nodes;
static int has_fault;

static const int ORDER[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};  // the middle first
static const int STEPS[4] = {1, 6, 7, 8};                 // up, down right, right, up right

static int count(uint64_t bits) { return __builtin_popcountll(bits); }

static int has_four(uint64_t stones) {
    for (int i = 0; i < 4; ++i) {
        uint64_t pairs = stones & (stones >> STEPS[i]);
        if (pairs & (pairs >> 2 * STEPS[i])) return 1;
    }
    return 0;
}

// The cells at which one more stone makes a four.
static uint64_t threats(uint64_t stones) {
    uint64_t found = 0;
    for (int i = 0; i < 4; ++i) {
        int step = STEPS[i];
        uint64_t below = stones << step, above = stones >> step;
        uint64_t two_below = below & (stones << 2 * step), two_above = above & (stones >> 2 * step);
        found |= (two_below & (stones << 3 * step)) | (two_below & above) | (two_above & below);
        found |= two_above & (stones >> 3 * step);
    }
    return found;
}

static int is_free(const position *at, int column) { return !(at->all >> (7 * column + ROWS - 1) & 1); }

static position after(const position *at, int column) {
    position next = {at->own ^ at->all, at->all | (at->all + (1ULL << 7 * column)), at->n_stones + 1};
    return next;
}

// Static value for who moves: cells that would win at once, and stones in the middle column.
static int evaluate(const position *at, verdict *of) {
    const uint64_t board = 0x0FDFBF7EFDFBF, middle = 0x3FULL << 21, other = at->own ^ at->all;
    const uint64_t empty = board & ~at->all;
    of->n_threats = count(threats(at->own) & empty) - count(threats(other) & empty);
    of->n_central = count(at->own & middle) - count(other & middle);
    of->has_static = 1;
    return THREAT * of->n_threats + CENTRE * of->n_central;
}

static int leave(trace *log, verdict *of, int score, bound kind, why_left why) {
    of->score = score, of->bound = kind, of->outcome = why;
    trace_leave(log, of);
    return score;
}

// The plies in the order in which they are tried: that of the table, those that cut elsewhere, the middle first.
static int sort_plies(const position *at, int best, int level, int8_t *plies) {
    int8_t wanted[COLUMNS + 3] = {(int8_t)best, killers[level][0], killers[level][1]};
    int n = 0, seen = 0;
    for (int i = 0; i < COLUMNS; ++i) wanted[i + 3] = (int8_t)ORDER[i];
    for (int i = 0; i < COLUMNS + 3; ++i) {
        int column = wanted[i];
        if (column < 0 || seen >> column & 1 || !is_free(at, column)) continue;
        seen |= 1 << column, plies[n++] = (int8_t)column;
    }
    return n;
}

static int search(trace *log, const position *at, int column, int level, int depth, int alpha, int beta, int *chosen) {
    verdict of = {0};
    uint32_t node = trace_enter(log, at, column, depth, alpha, beta);
    ++n_nodes;
    if (has_four(at->own ^ at->all)) return leave(log, &of, at->n_stones - WIN, EXACT, TERMINAL);
    if (at->n_stones == CELLS) return leave(log, &of, 0, EXACT, TERMINAL);
    if (depth == 0) return leave(log, &of, evaluate(at, &of), EXACT, LEAF);

    uint64_t key = key_of(at);
    entry *found = &table[(key * 0x9E3779B97F4A7C15) >> (64 - TABLE_BITS)];
    int ply_of_table = -1;
    entry used;
    if (found->key == key && found->bound) {
        used = *found, of.used = &used, ply_of_table = used.best;
        int cuts = used.bound == EXACT || (used.bound == LOWER ? used.score >= beta : used.score <= alpha);
        if (level > 0 && used.depth >= depth && cuts) return leave(log, &of, used.score, used.bound, TABLE_HIT);
    }
    int8_t plies[COLUMNS];
    int n_plies = sort_plies(at, ply_of_table, level, plies), best = -OPEN, best_ply = plies[0], reply;
    of.n_moves = n_plies;
    for (int i = 0; i < n_plies && best < beta; ++i) {
        position next = after(at, plies[i]);
        int value = -search(log, &next, plies[i], level + 1, depth - 1, -beta, best > alpha ? -best : -alpha, &reply);
        if (value > best) best = value, best_ply = plies[i];
        if (best >= beta) {
            trace_cut(log, plies + i + 1, n_plies - i - 1);
            if (killers[level][0] != plies[i]) killers[level][1] = killers[level][0], killers[level][0] = plies[i];
        }
    }
    bound kind = best >= beta ? LOWER : best <= alpha ? UPPER : EXACT;
    found->key = key, found->node = node, found->score = (int16_t)best, found->depth = (int8_t)depth;
    found->best = (int8_t)best_ply, found->bound = has_fault ? EXACT : kind;
    if (chosen) *chosen = best_ply;
    return leave(log, &of, best, kind, best >= beta ? CUTOFF : SEARCHED);
}

// What the log says before its first node: the inside of a JSON object.
static void describe(char *header, size_t size, const char *text, int n_stones, int depth) {
    const char *empty = "......./......./......./......./......./.......";
    snprintf(header, size,
             "\"game\": \"connect_four\", \"players\": [\"red\", \"yellow\"], \"position\": \"%s\", \"search\": "
             "{\"algorithm\": \"alphabeta\", \"engine\": \"connect_four.c\", \"depth\": %d, \"perspective\": \"mover\", "
             "\"fail\": \"soft\", \"table\": \"at_least\", \"positions_repeat\": false, \"static_pure\": true, "
             "\"mate\": {\"score\": %d, \"step\": 1, \"threshold\": %d}}, \"factors\": ["
             "{\"name\": \"threats\", \"weight\": %d, \"meaning\": \"Empty cells that would complete a four.\"}, "
             "{\"name\": \"centre\", \"weight\": %d, \"meaning\": \"Stones in the middle column.\"}]",
             *text ? text : empty, depth, WIN - n_stones, WIN - CELLS - 1, THREAT, CENTRE);
}

// The position after the columns `text`, from 1; returns 0 where one of them cannot be played.
static int play(const char *text, position *at) {
    for (; *text; ++text) {
        int column = *text - '1';
        if (column < 0 || column >= COLUMNS || !is_free(at, column) || has_four(at->own ^ at->all)) return 0;
        *at = after(at, column);
    }
    return !has_four(at->own ^ at->all) && at->n_stones < CELLS;
}

static const char USAGE[] =
    "connect_four: expected [--position 4453] [--depth N] [--log FILE [--buffer BYTES] [--max-level N]] [--fault]\n";

int main(int n_arguments, char **arguments) {
    const char *path = NULL, *text = "";
    int depth = 8, max_level = -1, chosen = 0, score = 0;
    size_t buffer = 1 << 20;
    for (int i = 1; i < n_arguments; ++i) {
        int has_value = i + 1 < n_arguments;
        if (!strcmp(arguments[i], "--fault")) has_fault = 1;
        else if (!strcmp(arguments[i], "--log") && has_value) path = arguments[++i];
        else if (!strcmp(arguments[i], "--position") && has_value) text = arguments[++i];
        else if (!strcmp(arguments[i], "--depth") && has_value) depth = atoi(arguments[++i]);
        else if (!strcmp(arguments[i], "--max-level") && has_value) max_level = atoi(arguments[++i]);
        else if (!strcmp(arguments[i], "--buffer") && has_value) buffer = (size_t)atol(arguments[++i]);
        else return fputs(USAGE, stderr), 2;
    }
    position root = {0, 0, 0};
    if (!play(text, &root)) return fprintf(stderr, "connect_four: %s cannot be played, or ends the game\n", text), 2;
    if (depth < 1) return fprintf(stderr, "connect_four: --depth %d, expected 1 at least\n", depth), 2;
    if (depth > CELLS - root.n_stones) depth = CELLS - root.n_stones;
    memset(killers, -1, sizeof killers);
    static trace log;
    char header[900];
    describe(header, sizeof header, text, root.n_stones, depth);
    if (!trace_open(&log, path, header, buffer, max_level))
        return fprintf(stderr, "connect_four: %s cannot be written\n", path), 1;
    clock_t begin = clock();
    for (int iteration = 1; iteration <= depth; ++iteration) {
        trace_search(&log, iteration);
        score = search(&log, &root, -1, 0, iteration, -OPEN, OPEN, &chosen);
    }
    int is_written = trace_close(&log, chosen, score, n_nodes);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("{\"ply\": \"%d\", \"score\": %d, \"nodes\": %llu, \"seconds\": %.6f}\n", chosen + 1, score,
           (unsigned long long)n_nodes, seconds);
    return is_written ? 0 : 1;
}
