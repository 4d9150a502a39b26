// A search log for Plyscope, one JSON line a node: copy this file beside your engine. C99 or gnu89, no dependencies.
//
//   sl_open(log, "search.jsonl", "\"game\": \"nim\", \"search\": {\"perspective\": \"mover\"}", 0, -1);
//   sl_search(log, iteration);                                    // before each search from the root
//   sl_enter(log, ply, SL_FIELDS(sl_number("depth", depth)));     // first thing in the search of a node
//   sl_cut(log, plies_not_searched, n, "pruned");                 // where beta was reached
//   sl_score(log, best, SL_FIELDS(sl_text("bound", "exact")));    // last thing, whatever it returns
//   sl_done(log, SL_FIELDS(sl_text("ply", chosen), sl_number("score", best)));  // after all searches
//   sl_close(log);
//
// sl_only_below(log, plies, n), sl_only_at(log, key) and sl_max_rows(log, 100000) keep a large search small.
// A log belongs to one thread; each may have its own. Texts are UTF-8, with U+FFFD for each byte that is not, and
// sl_close says on stderr how many these were. The root's ply is NULL; NULL also stands for no fields. Leave a search that ran out of time by
// `return` or `longjmp`: the next sl_search, sl_abandon or sl_done logs its open nodes as `stopped`.
#ifndef SEARCH_LOG_H
#define SEARCH_LOG_H
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SL_MAX_LEVEL = 1000 };  // nodes below get no rows, as if it were given to sl_open
enum { SL_MAX_PLIES = 1000 };  // an `unlogged` row that stands for more plies does not say how many

typedef struct sl_log {
    FILE *file;
    char *waiting;       // the buffer; NULL where each line is written at once
    int max_level, iteration;
    int port;            // of the viewer that it is written to, 0 for a file, negative once the viewer took no more
    int n_open;          // how many nodes in `path` are entered and not left
    int n_hidden;        // how many below these
    long long path[SL_MAX_LEVEL + 1], next_id;
    long long n_unlogged;          // how many nodes the next `unlogged` row stands for
    int n_plies;                   // how many plies
    uint64_t plies[SL_MAX_PLIES];  // hashed
    const char *const *below;      // the plies that lead to what is wanted
    int n_below;
    const char *at;                // its key
    int inside;                    // the height of the node of this key that is open, -1 for none
    FILE *aside;                   // what is known of hidden nodes on the way to such a node,
    int n_above;                   // which are so many
    long above[SL_MAX_LEVEL + 1];  // where each of them begins
    int is_new;                    // whether the first of them gave `plies` its ply
    long long most_rows, n_replaced;  // bytes that were no UTF-8
    const void *thread;               // that entered the root
} sl_log;

enum { SL_NUMBER, SL_TEXT, SL_BOOL, SL_NUMBERS, SL_OBJECT };
typedef struct sl_field {
    const char *name;
    int kind;
    double number;  // or how many `value` has
    const void *value;
} sl_field;
#define SL_FIELDS(...) ((const sl_field[]){__VA_ARGS__, {NULL, 0, 0, NULL}})
#define SL_MAKE(...) { return (sl_field){name, __VA_ARGS__}; }
static inline sl_field sl_number(const char *name, double number) SL_MAKE(SL_NUMBER, number, NULL)
static inline sl_field sl_text(const char *name, const char *text) SL_MAKE(SL_TEXT, 0, text)
static inline sl_field sl_bool(const char *name, int is_so) SL_MAKE(SL_BOOL, is_so, NULL)
static inline sl_field sl_numbers(const char *name, const double *list, int n) SL_MAKE(SL_NUMBERS, n, list)
static inline sl_field sl_object(const char *name, const sl_field *fields) SL_MAKE(SL_OBJECT, 0, fields)
static inline sl_field sl_row(const char *name, long long id) SL_MAKE(id < 0 ? SL_TEXT : SL_NUMBER, (double)id, NULL)

static inline void sl_put_number(FILE *file, double number) {
    if (number - number != 0) {  // JSON has no infinities: they are texts
        fputs(number > 0 ? "\"inf\"" : number < 0 ? "\"-inf\"" : "\"nan\"", file);
    } else if (-1e15 < number && number < 1e15 && number == (double)(long long)number) {
        fprintf(file, "%lld", (long long)number);
    } else {
        char digits[32], *c = digits;
        snprintf(digits, sizeof digits, "%.15g", number);
        if (strtod(digits, NULL) != number) snprintf(digits, sizeof digits, "%.17g", number);
        for (; *c; ++c) putc(*c == ',' ? '.' : *c, file);  // a comma in some locales
    }
}

// How many bytes the character has that a text begins with, 0 where that is no UTF-8.
static inline int sl_utf8(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    int i, n = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
    for (i = 1; i < n; ++i)
        if ((c[i] & 0xC0) != 0x80) return 0;
    if (n == 3 && (c[0] == 0xE0 ? c[1] < 0xA0 : c[0] == 0xED && c[1] > 0x9F)) return 0;
    return n == 4 && (c[0] == 0xF0 ? c[1] < 0x90 : c[0] == 0xF4 && c[1] > 0x8F) ? 0 : n;
}

static inline void sl_put_text(sl_log *log, FILE *file, const char *text) {
    int n;
    for (putc('"', file); *text;) {
        if (!(n = sl_utf8(text))) fputs("\\ufffd", file), ++log->n_replaced, ++text;
        else if ((unsigned char)*text < 0x20) fprintf(file, "\\u%04x", *text++);
        else if (*text == '"' || *text == '\\') putc('\\', file), putc(*text++, file);
        else for (; n > 0; --n) putc(*text++, file);
    }
    putc('"', file);
}

static inline void sl_put_fields(sl_log *log, FILE *file, const sl_field *field, const char *comma) {
    for (; field && field->name; ++field, comma = ", ") {
        const double *list = field->value;
        int i;
        fputs(comma, file), sl_put_text(log, file, field->name), fputs(": ", file);
        if (field->kind == SL_NUMBER) sl_put_number(file, field->number);
        else if (field->kind == SL_BOOL) fputs(field->number ? "true" : "false", file);
        else if (!field->value) fputs("null", file);
        else if (field->kind == SL_TEXT) sl_put_text(log, file, field->value);
        else if (field->kind == SL_OBJECT) putc('{', file), sl_put_fields(log, file, field->value, ""), putc('}', file);
        else {
            for (i = 0; i < field->number; ++i) putc(i ? ',' : '[', file), sl_put_number(file, list[i]);
            fputs(field->number ? "]" : "[]", file);
        }
    }
}

// Misuse ends the program, also where it is compiled without assertions: what followed would be no log.
static inline void sl_expect(const sl_log *log, int is_so, const char *what) {
    if (is_so && log->thread == (void *)&errno) return;  // which each thread has for itself
    fprintf(stderr, "%s\n", is_so ? "a search log belongs to one thread: open one for each" : what), abort();
}

static inline void sl_end_line(sl_log *log) {
    fputs("}\n", log->file);
    if (!log->waiting) fflush(log->file);
}

static inline long long sl_begin_row(sl_log *log) {
    fprintf(log->file, "{\"id\": %lld", log->next_id);
    if (log->n_open) fprintf(log->file, ", \"parent\": %lld", log->path[log->n_open - 1]);
    else if (log->iteration < 0) fputs(", \"iteration\": null", log->file);
    else fprintf(log->file, ", \"iteration\": %d", log->iteration);
    return log->next_id++;
}

static inline void sl_put_unlogged(sl_log *log) {
    if (!log->n_unlogged) return;
    sl_begin_row(log);
    fprintf(log->file, ", \"outcome\": \"unlogged\", \"nodes\": %lld", log->n_unlogged);
    if (log->n_plies <= SL_MAX_PLIES) fprintf(log->file, ", \"count\": %d", log->n_plies);
    log->n_unlogged = log->n_plies = 0;
    sl_end_line(log);
}

static inline void sl_count_unlogged(sl_log *log, const char *ply, const sl_field *field) {
    uint64_t hash = 14695981039346656037u;  // FNV-1a
    int i;
    ++log->n_unlogged;
    if (++log->n_hidden > 1) return;
    log->is_new = 0;
    for (; field && field->name; ++field)
        if (!strcmp(field->name, "purpose") && field->kind == SL_TEXT && field->value)
            if (!strcmp(field->value, "null") || !strcmp(field->value, "probe")) return;
    for (; ply && *ply; ++ply) hash = (hash ^ (unsigned char)*ply) * 1099511628211u;
    for (i = 0; i < log->n_plies && i < SL_MAX_PLIES; ++i)
        if (log->plies[i] == hash) return;  // once, though it be searched again
    if (log->n_plies < SL_MAX_PLIES) log->plies[log->n_plies] = hash;
    log->is_new = log->n_plies <= SL_MAX_PLIES;
    log->n_plies += log->is_new;
}

static inline int sl_is_at(const sl_log *log, const sl_field *field) {
    for (; log->at && field && field->name; ++field)
        if (!strcmp(field->name, "key"))
            return field->kind == SL_TEXT ? field->value && !strcmp(field->value, log->at)
                                          : field->number == strtod(log->at, NULL);
    return 0;
}

// Whether the node that is entered gets no row.
static inline int sl_hides(sl_log *log, const char *ply, const sl_field *fields) {
    int level = log->n_open + log->n_hidden;
    if (log->n_hidden != log->n_above || level > log->max_level) return 1;
    if (level > 1 && log->next_id >= log->most_rows) return 1;
    if (level > 0 && level <= log->n_below && strcmp(ply ? ply : "", log->below[level - 1])) return 1;
    if (!log->at || log->inside >= 0) return 0;
    if (sl_is_at(log, fields)) return log->inside = level, 0;
    if (level == 0) return 0;
    if (!log->aside) log->aside = tmpfile();
    if (log->aside) {
        fseek(log->aside, log->above[log->n_above], SEEK_SET);
        if (ply) fputs(", \"ply\": ", log->aside), sl_put_text(log, log->aside, ply);
        sl_put_fields(log, log->aside, fields, ", ");
        log->above[log->n_above + 1] = ftell(log->aside);
    }
    return ++log->n_above;
}

// Write the hidden nodes on the way to the one that is entered, as if they had been wanted.
static inline void sl_show_above(sl_log *log) {
    int i, n_above = log->n_above;
    long at;
    log->n_unlogged -= n_above, log->n_plies -= log->is_new;
    log->n_hidden = log->n_above = 0;
    for (i = 0; i < n_above; ++i) {
        sl_put_unlogged(log);
        long long id = sl_begin_row(log);
        if (log->aside) fseek(log->aside, log->above[i], SEEK_SET);
        for (at = log->above[i]; log->aside && at < log->above[i + 1]; ++at) putc(getc(log->aside), log->file);
        sl_end_line(log);
        log->path[log->n_open++] = id;
    }
}

// From now on log nothing but the way by these `n` plies from the root, and what is below its end. They are not copied.
static inline void sl_only_below(sl_log *log, const char *const *plies, int n) { log->below = plies, log->n_below = n; }

// From now on log nothing but the nodes whose field `key` is this one, the way there, and what is below. It is not
// copied; NULL logs all again.
static inline void sl_only_at(sl_log *log, const char *key) { log->at = key; }

// Give only the root and its plies rows once there are so many; the rest is counted.
static inline void sl_max_rows(sl_log *log, long long n_rows) { log->most_rows = n_rows; }

// Begin a log; return 0 where its file cannot be written. `header` is the inside of a JSON object, or NULL. `buffer`
// is how many bytes may wait in memory. With 0 each line is written at once, so a crash loses nothing; 65536 is
// faster, and a killed process loses up to that much. Nodes below `max_level` (the root is at level 0; -1 is no limit)
// get no rows: one `unlogged` row below their last logged ancestor says how many they were.
// Return 0 where the file cannot be made: that is said on stderr, and all that follows logs nothing.
static inline int sl_open(sl_log *log, const char *path, const char *header, size_t buffer, int max_level) {
    *log = (sl_log){.file = fopen(path, "wb"), .iteration = -1, .max_level = -1, .inside = -1};
    log->most_rows = INT64_MAX;
    if (!log->file) {
        fprintf(stderr, "search log: %s: %s; nothing is logged\n", path, strerror(errno));
        return 0;
    }
    log->max_level = max_level < 0 || max_level > SL_MAX_LEVEL ? SL_MAX_LEVEL : max_level;
    log->waiting = buffer ? malloc(buffer) : NULL;
    if (log->waiting) setvbuf(log->file, log->waiting, _IOFBF, buffer);
    fprintf(log->file, "{\"plyscope\": 1%s%s", header ? ", " : "", header ? header : "");
    sl_end_line(log);
    return 1;
}

// Log that a node is entered below the one entered last and not left. Return its id (-1 where it gets no row), to keep
// in the table entry that the node stores: sl_object("tt", SL_FIELDS(sl_row("from", id))) where that entry is used.
static inline long long sl_enter(sl_log *log, const char *ply, const sl_field *fields) {
    if (!log->n_open && !log->n_hidden) log->thread = &errno;
    sl_expect(log, 1, "");
    if (log->n_above && log->n_above == log->n_hidden && sl_is_at(log, fields)) sl_show_above(log);
    if (sl_hides(log, ply, fields)) return sl_count_unlogged(log, ply, fields), -1;
    sl_put_unlogged(log);
    long long id = sl_begin_row(log);
    if (ply) fputs(", \"ply\": ", log->file), sl_put_text(log, log->file, ply);
    sl_put_fields(log, log->file, fields, ", ");
    sl_end_line(log);
    return log->path[log->n_open++] = id;
}

static inline void sl_end_node(sl_log *log, const sl_field *score, const sl_field *fields) {
    if (log->n_hidden) {
        if (log->n_above > --log->n_hidden) log->n_above = log->n_hidden;
        return;
    }
    sl_put_unlogged(log);
    fprintf(log->file, "{\"id\": %lld", log->path[--log->n_open]);
    if (log->n_open <= log->inside) log->inside = -1;
    sl_put_fields(log, log->file, score, ", ");
    sl_put_fields(log, log->file, fields, ", ");
    sl_end_line(log);
}

// Log what the node entered last came to, and leave it.
static inline void sl_score(sl_log *log, double score, const sl_field *fields) {
    sl_expect(log, log->n_open || log->n_hidden, "sl_score without sl_enter: each node is entered once and scored once");
    sl_end_node(log, SL_FIELDS(sl_number("score", score)), fields);
}

// The same where the node has no score: sl_leave(log, SL_FIELDS(sl_text("outcome", "open"))).
static inline void sl_leave(sl_log *log, const sl_field *fields) {
    sl_expect(log, log->n_open || log->n_hidden, "sl_leave without sl_enter: each node is entered once and left once");
    sl_end_node(log, NULL, fields);
}

// Log the `n` siblings that the node entered last will not search, as one row. `plies` are their names, NULL where they
// are not known; `n` is -1 where it is not known either.
static inline void sl_cut(sl_log *log, const char *const *plies, int n, const char *outcome) {
    int i;
    if (log->n_hidden || n == 0) return;
    sl_expect(log, log->n_open, "sl_cut without sl_enter: it belongs into a node");
    sl_put_unlogged(log);
    sl_begin_row(log);
    sl_put_fields(log, log->file, SL_FIELDS(sl_text("outcome", outcome)), ", ");
    if (n > 0) fprintf(log->file, ", \"count\": %d", n);
    for (i = 0; plies && i < n; ++i)
        fputs(i ? ", " : ", \"plies\": [", log->file), sl_put_text(log, log->file, plies[i]);
    if (plies && n > 0) putc(']', log->file);
    sl_end_line(log);
}

// Log the node entered last as stopped, and leave it: for a `return` without a score to nodes that may search on.
static inline void sl_stop(sl_log *log) {
    sl_expect(log, log->n_open || log->n_hidden, "sl_stop without sl_enter: it belongs into a node");
    sl_end_node(log, NULL, SL_FIELDS(sl_text("outcome", "stopped")));
}

// Log the nodes that are still open as stopped: the next one entered is a root.
static inline void sl_abandon(sl_log *log) {
    for (log->n_hidden = log->n_above = 0, log->thread = &errno; log->n_open;) sl_stop(log);
    if (log->file) fflush(log->file);
}

// Begin a search from the root.
static inline void sl_search(sl_log *log, int iteration) {
    sl_abandon(log);
    log->iteration = iteration;
}

// Log the choice, and write what waits in the buffer.
static inline void sl_done(sl_log *log, const sl_field *result) {
    sl_abandon(log);
    if (!log->file) return;
    sl_put_fields(log, log->file, SL_FIELDS(sl_object("result", result)), "{");
    sl_end_line(log);
    fflush(log->file);
}

static inline void sl_lose(sl_log *log) {
    if (log->port <= 0) return;
    fprintf(stderr, "the viewer on port %d takes no more of this log: it was closed, or shows another engine; "
            "what is logged from here on is dropped\n", log->port);
    log->port = -log->port;
}

// End the log; return 0 where something could not be written.
static inline int sl_close(sl_log *log) {
    int is_written = log->file && !ferror(log->file);
    if (log->n_replaced) fprintf(stderr, "search log: %lld bytes were no UTF-8: U+FFFD stands for each\n", log->n_replaced);
    if (log->file) is_written &= fclose(log->file) == 0;
    if (!is_written) sl_lose(log);
    if (log->aside) fclose(log->aside);
    log->aside = NULL;
    log->file = NULL, log->max_level = -1, log->n_open = 0;  // what is logged after the end goes nowhere
    free(log->waiting);
    log->waiting = NULL;
    return is_written;
}
#endif
