// A compact search log for Plyscope (.plyb), a record a node: copy this file beside your engine. C99, gnu89 or C++,
// no dependencies. It is for fast engines; search_log.h writes JSON Lines, which people can read.
//
//   typedef struct { uint32_t parent; int32_t alpha, beta, score; int8_t depth; uint8_t ply, bound, outcome; } row;
//   static const bl_field FIELDS[] = {BL_FIELD(row, parent, BL_U32), BL_FIELD(row, alpha, BL_I32), ..., BL_END};
//
//   bl_open(&log, "search.plyb", "\"game\": \"nim\"", FIELDS, sizeof(row), 1 << 20, -1);
//   bl_search(&log, iteration);                         // before each search from the root
//   row *node = bl_enter(&log);                         // first thing in the search of a node: a row that states
//   node->depth = depth, node->ply = names[ply];        // nothing yet, until the next call. Leave `parent` alone
//   bl_cut(&log, plies_not_searched, n, BL_PRUNED);     // where beta was reached
//   node = bl_leave(&log);                              // last thing, whatever it returns: its row again
//   node->score = best, node->bound = BL_EXACT, node->outcome = BL_SEARCHED;
//   bl_done(&log, "\"ply\": \"e4\", \"score\": 12");    // after all searches
//   bl_close(&log);
//
// bl_only_below(&log, plies, n), where nodes are entered by bl_enter_by(&log, ply), and bl_max_rows(&log, 100000) keep a
// large search small. The trigger by a key, sl_only_at, is in search_log.h: of a small part lines are as fast.
//
// A log belongs to one thread; each may have its own. Texts are UTF-8, with U+FFFD for each byte that is not, and
// bl_close says on stderr how many these were. A program that is killed loses what waits in the buffer, and no more. Nothing waits
// longer than a quarter of a second while nodes are entered, so `plyscope view search.plyb --follow` shows the search.
#ifndef BINARY_LOG_H
#define BINARY_LOG_H
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/time.h>
#endif

enum { BL_MAX_LEVEL = 1000 };  // nodes below get no rows, as if it were given to bl_open
enum { BL_MAX_PLIES = 1000 };  // an `unlogged` row that stands for more plies does not say how many
#define BL_NONE 0xFFFFFFFFu    // no text, no node
#define BL_SECONDS 0.25        // so long rows wait at most while nodes are entered
enum { BL_MAX_STEP = 256 };    // so many are entered between two looks at the clock, fewer where the engine is slow

// What words are written as; 0 says nothing.
enum { BL_MAX = 1, BL_MIN, BL_CHANCE, BL_OTHER };                                                  // layer
enum { BL_UPPER = 1, BL_LOWER, BL_EXACT };                                                         // bound, tt.bound
enum { BL_SEARCHED = 1, BL_CUTOFF, BL_LEAF, BL_TERMINAL, BL_TT, BL_STOPPED, BL_OPEN,               // outcome
       BL_PRUNED, BL_LIMITED, BL_SKIPPED, BL_UNLOGGED };
enum { BL_FULL = 1, BL_SCOUT, BL_RESEARCH, BL_NULL, BL_PROBE };                                    // purpose
enum { BL_BY_CHILD = 1, BL_BY_STAND_PAT, BL_BY_NULL, BL_BY_ESTIMATE };                             // cut_by
enum { BL_WIN = 1, BL_LOSS, BL_DRAW };                                                             // ending
enum { BL_CUT = 1, BL_NARROW, BL_ORDER };                                                          // tt.use

// Types of fields. BL_TEXT and its smaller kin are numbers that bl_text returned, a BL_LIST_OF_TEXTS what bl_list did.
enum { BL_U8, BL_U16, BL_U32, BL_U64, BL_I8, BL_I16, BL_I32, BL_I64, BL_F32, BL_F64,
       BL_FLAG, BL_WORD, BL_TEXT8, BL_TEXT16, BL_TEXT, BL_KEY, BL_LIST_OF_TEXTS };
static const struct { const char *name; unsigned size; } BL_TYPES[] = {
    {"u8", 1}, {"u16", 2}, {"u32", 4}, {"u64", 8}, {"i8", 1}, {"i16", 2}, {"i32", 4}, {"i64", 8}, {"f32", 4},
    {"f64", 8}, {"flag", 1}, {"word", 1}, {"text8", 1}, {"text16", 2}, {"text", 4}, {"key", 8}, {"texts", 8}};

typedef struct bl_field {
    const char *name;
    int type;
    unsigned count;  // of a list that lies in the row, else 0
    size_t at;       // its place in the row
} bl_field;
// The fields of a row, in the order of its members: what it is called like, and what is not (`tt.depth`).
#define BL_FIELD(row, member, type) {#member, type, 0, offsetof(row, member)}
#define BL_NAMED(name, row, member, type) {name, type, 0, offsetof(row, member)}
#define BL_NUMBERS(row, member, type, n) {#member, type, n, offsetof(row, member)}
#define BL_END {NULL, 0, 0, 0}

typedef struct bl_buffer {
    unsigned char *bytes;  // the first 16 are for the head of a chunk
    size_t size, room;
} bl_buffer;

typedef struct bl_list_of_texts {
    uint32_t begin, count;
} bl_list_of_texts;

typedef struct bl_log {
    FILE *file;
    unsigned char *blank;        // a row that states nothing
    unsigned char *unlogged[2];  // rows that nobody reads: of the first hidden node, and of those below it
    int has_failed, is_done, is_full, max_level, iteration;
    size_t row_size, buffer;
    size_t step, look_at;        // rows between two looks at the clock, and the size of `nodes` at the next one
    double looked, written;      // when it was looked at last, and when something was written
    bl_buffer nodes, late, json, texts, lists;
    uint32_t first_id, next_id;  // of the records in `nodes`
    int n_open, n_hidden;        // nodes entered and not left: those with rows, in `path`, and those below
    uint32_t path[BL_MAX_LEVEL + 1];
    const bl_field *outcome, *count, *plies, *ply, *purpose, *n_nodes;  // where the row has them, else NULL
    uint64_t n_unlogged;  // how many nodes the next `unlogged` row stands for, and which plies
    int n_plies;
    uint32_t unlogged_plies[BL_MAX_PLIES];
    const uint32_t *below;  // the plies that lead to what is wanted
    int n_below, is_outside;
    uint32_t most_rows;
    char *known;        // every text so far, each with a 0 behind it
    size_t known_size, known_room;
    size_t *text_at;    // where each begins
    uint32_t *hashed;   // numbers of texts + 1 by their hash, 0 where there is none
    uint32_t n_texts, n_hashed, n_listed;
    unsigned long n_replaced;  // bytes that were no UTF-8
    const void *thread;        // that entered the root
} bl_log;

// Misuse ends the program, also where it is compiled without assertions: what followed would be no log.
static inline void bl_expect(const bl_log *log, int is_so, const char *what) {
    if (is_so && log->thread == (void *)&errno) return;  // which each thread has for itself
    fprintf(stderr, "%s\n", is_so ? "a search log belongs to one thread: open one for each" : what), abort();
}

static inline void bl_put(bl_log *log, bl_buffer *to, const void *bytes, size_t size) {
    if (to->size + size > to->room) {
        size_t room = 2 * (to->size + size) + 64;
        unsigned char *more = (unsigned char *)realloc(to->bytes, room);
        if (!more) {
            log->has_failed = 1;
            return;
        }
        to->bytes = more, to->room = room;
    }
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
    log->is_full |= to->size - 16 > log->buffer;
}

// How many bytes the character has that a text begins with, 0 where that is no UTF-8.
static inline int bl_utf8(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    int i, n = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
    for (i = 1; i < n; ++i)
        if ((c[i] & 0xC0) != 0x80) return 0;
    if (n == 3 && (c[0] == 0xE0 ? c[1] < 0xA0 : c[0] == 0xED && c[1] > 0x9F)) return 0;
    return n == 4 && (c[0] == 0xF0 ? c[1] < 0x90 : c[0] == 0xF4 && c[1] > 0x8F) ? 0 : n;
}

// Put a text in UTF-8; `is_quoted` is one inside of quotes.
static inline void bl_put_text(bl_log *log, bl_buffer *to, const char *text, int is_quoted) {
    char code[8];
    int n;
    for (; *text; text += n ? n : 1) {
        if (!(n = bl_utf8(text))) bl_put(log, to, "\xEF\xBF\xBD", 3), ++log->n_replaced;
        else if (!is_quoted || ((unsigned char)*text >= 0x20 && *text != '"' && *text != '\\')) bl_put(log, to, text, (size_t)n);
        else bl_put(log, to, code, (size_t)snprintf(code, sizeof code, "\\u%04x", (unsigned)*text));
    }
}

// Write what waits in a buffer as a chunk, and begin the next. Records have the number of their layout before them.
static inline void bl_put_chunk(bl_log *log, bl_buffer *from, const char *kind, int layout) {
    size_t head = layout < 0 ? 8 : 4;  // how much of the 16 bytes is not used
    uint32_t size = (uint32_t)(from->size - 8 - head), number = (uint32_t)layout;
    if (from->size > 16 && !log->has_failed) {
        memcpy(from->bytes + head, kind, 4), memcpy(from->bytes + head + 4, &size, 4);
        if (layout >= 0) memcpy(from->bytes + 12, &number, 4);
        log->has_failed |= fwrite(from->bytes + head, 1, from->size - head, log->file) != from->size - head;
    }
    from->size = 16;
}

// Write all that waits: texts before the lists and records that name them, updates after the nodes.
static inline void bl_flush(bl_log *log) {
    bl_put_chunk(log, &log->texts, "TEXT", -1);
    bl_put_chunk(log, &log->lists, "REFS", -1);
    bl_put_chunk(log, &log->nodes, "NODE", 0);
    bl_put_chunk(log, &log->late, "LATE", 1);
    bl_put_chunk(log, &log->json, "JSON", -1);
    log->first_id = log->next_id, log->is_full = 0;
    log->look_at = 16 + log->step * log->row_size;
    if (log->look_at > log->nodes.room) log->look_at = log->nodes.room;
}

static inline double bl_now(void) {
#if defined(__unix__) || defined(__APPLE__)
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
#elif defined(TIME_UTC)
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#else
    return (double)time(NULL);
#endif
}

// Write what waits where the buffer is full, or it has waited for long; the clock is looked at some dozen times a wait.
static inline void bl_look(bl_log *log) {
    double now = bl_now(), since = now - log->looked, waited = now - log->written;
    if (since >= 0 && since < BL_SECONDS / 32 && log->step < BL_MAX_STEP) log->step *= 2;
    if (since > BL_SECONDS / 8 && log->step > 1) log->step /= 2;
    log->looked = now;
    if (log->nodes.size + log->row_size > log->nodes.room || waited < 0 || waited > BL_SECONDS) {
        bl_flush(log), log->written = now;
    } else {
        log->look_at = log->nodes.size + log->step * log->row_size;
        if (log->look_at > log->nodes.room) log->look_at = log->nodes.room;
    }
}

static inline uint32_t bl_hash(const char *text) {
    uint32_t hash = 2166136261u;  // FNV-1a
    for (; *text; ++text) hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash ^ (hash >> 15);
}

static inline int bl_make_room_for_text(bl_log *log, size_t size) {
    uint32_t i, place, room;
    if (log->known_size + size > log->known_room) {
        size_t more = 2 * (log->known_size + size) + 4096;
        char *known = (char *)realloc(log->known, more);
        if (!known) return 0;
        log->known = known, log->known_room = more;
    }
    if (2 * (log->n_texts + 1) <= log->n_hashed) return 1;
    room = log->n_hashed ? 2 * log->n_hashed : 1024;
    free(log->hashed);
    log->hashed = (uint32_t *)calloc(room, sizeof *log->hashed), log->n_hashed = log->hashed ? room : 0;
    size_t *text_at = (size_t *)realloc(log->text_at, (room / 2 + 1) * sizeof *text_at);
    if (text_at) log->text_at = text_at;
    if (!log->hashed || !text_at) return 0;
    for (i = 0; i < log->n_texts; ++i) {
        for (place = bl_hash(log->known + log->text_at[i]); log->hashed[place & (room - 1)]; ++place) {}
        log->hashed[place & (room - 1)] = i + 1;
    }
    return 1;
}

// The number of a text, which is written once. Texts are UTF-8, NULL is none. An engine with few plies keeps the
// numbers of their names: looking one up takes some 10 ns.
static inline uint32_t bl_text(bl_log *log, const char *text) {
    uint32_t place, code, size;
    if (!text) return BL_NONE;
    size = (uint32_t)strlen(text);
    if (log->has_failed || !bl_make_room_for_text(log, (size_t)size + 1)) return log->has_failed = 1, BL_NONE;
    for (place = bl_hash(text); (code = log->hashed[place & (log->n_hashed - 1)]) != 0; ++place)
        if (!strcmp(log->known + log->text_at[code - 1], text)) return code - 1;
    log->hashed[place & (log->n_hashed - 1)] = log->n_texts + 1;
    log->text_at[log->n_texts] = log->known_size;
    memcpy(log->known + log->known_size, text, (size_t)size + 1), log->known_size += (size_t)size + 1;
    size_t at = log->texts.size;
    bl_put(log, &log->texts, &size, 4), bl_put_text(log, &log->texts, text, 0);
    size = (uint32_t)(log->texts.size - at - 4);
    if (!log->has_failed) memcpy(log->texts.bytes + at, &size, 4);
    return log->n_texts++;
}

// A list of texts by their numbers, for a field of the type BL_LIST_OF_TEXTS. No list is { BL_NONE, BL_NONE }.
static inline bl_list_of_texts bl_list(bl_log *log, const uint32_t *texts, int n) {
    bl_list_of_texts list;
    list.begin = log->n_listed, list.count = (uint32_t)n;
    bl_put(log, &log->lists, texts, 4 * (size_t)n), log->n_listed += (uint32_t)n;
    return list;
}

// State a whole number in a row.
static inline void bl_state(void *row, const bl_field *field, uint64_t number) {
    union { uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64; float f32; double f64; } value;
    size_t size = BL_TYPES[field->type].size;
    if (field->type == BL_F32) value.f32 = (float)number;
    else if (field->type == BL_F64) value.f64 = (double)number;
    else if (size == 1) value.u8 = (uint8_t)number;
    else if (size == 2) value.u16 = (uint16_t)number;
    else if (size == 4) value.u32 = (uint32_t)number;
    else value.u64 = number;
    memcpy((unsigned char *)row + field->at, &value, size);
}

static inline unsigned char *bl_put_node(bl_log *log) {
    uint32_t parent = log->n_open ? log->path[log->n_open - 1] : BL_NONE;
    unsigned char *row;
    if (log->nodes.size + log->row_size > log->look_at) bl_look(log);
    row = log->nodes.bytes + log->nodes.size;
    memcpy(row, log->blank, log->row_size), memcpy(row, &parent, 4);
    log->nodes.size += log->row_size;
    bl_expect(log, log->next_id < BL_NONE, "a log has at most 4,294,967,295 rows");
    ++log->next_id, log->is_full |= !log->buffer;
    return row;
}

// State fields of a node that the row does not have: `fields` is the inside of a JSON object, `id` is bl_id's
// when it was entered. It is slower than a row: for what few nodes have.
static inline void bl_json(bl_log *log, uint32_t id, const char *fields) {
    char head[32];
    if (id == BL_NONE) return;
    bl_put(log, &log->json, head, (size_t)snprintf(head, sizeof head, "{\"id\": %lu, ", (unsigned long)id));
    bl_put_text(log, &log->json, fields, 0), bl_put(log, &log->json, "}\n", 2);
}

// State a number of the node written last, for which the row has no field.
static inline void bl_put_count(bl_log *log, const char *name, uint64_t number) {
    char text[64];
    snprintf(text, sizeof text, "\"%s\": %llu", name, (unsigned long long)number);
    bl_json(log, log->next_id - 1, text);
}

static inline void bl_put_stub(bl_log *log, int why, int64_t count, bl_list_of_texts plies, uint64_t n_nodes) {
    unsigned char *row = bl_put_node(log);
    bl_expect(log, log->outcome != NULL, "a row that stands for siblings needs a field `outcome` of the type BL_WORD");
    bl_state(row, log->outcome, (uint64_t)why);
    if (log->plies) memcpy(row + log->plies->at, &plies, sizeof plies);
    if (log->count && count >= 0) bl_state(row, log->count, (uint64_t)count);
    else if (count >= 0 && plies.count == BL_NONE) bl_put_count(log, "count", (uint64_t)count);
    if (log->n_nodes && n_nodes) bl_state(row, log->n_nodes, n_nodes);
    else if (n_nodes) bl_put_count(log, "nodes", n_nodes);
}

static inline void bl_put_unlogged(bl_log *log) {
    bl_list_of_texts none = {BL_NONE, BL_NONE};
    if (!log->n_unlogged) return;
    bl_put_stub(log, BL_UNLOGGED, log->n_plies <= BL_MAX_PLIES ? log->n_plies : -1, none, log->n_unlogged);
    log->n_unlogged = 0, log->n_plies = 0;
}

static inline void bl_count_unlogged(bl_log *log) {
    const unsigned char *row = log->unlogged[0];
    uint32_t ply = 0;
    int i;
    if (log->purpose && (row[log->purpose->at] == BL_NULL || row[log->purpose->at] == BL_PROBE)) return;
    if (log->ply) memcpy(&ply, row + log->ply->at, BL_TYPES[log->ply->type].size);
    for (i = 0; i < log->n_plies && i < BL_MAX_PLIES; ++i)
        if (log->unlogged_plies[i] == ply) return;  // once, though it be searched again
    if (log->n_plies < BL_MAX_PLIES) log->unlogged_plies[log->n_plies] = ply;
    log->n_plies += log->n_plies <= BL_MAX_PLIES;
}

static inline void bl_begin_buffer(bl_log *log, bl_buffer *buffer, size_t room) {
    buffer->room = room + 16, buffer->size = 16;
    buffer->bytes = (unsigned char *)malloc(buffer->room);
    log->has_failed |= !buffer->bytes;
}

static inline void bl_put_layout(bl_log *log, const bl_field *field, const char *first) {
    char text[300];
    size_t at = 4, gap;
    bl_put(log, &log->json, text, (size_t)snprintf(text, sizeof text, "[[\"%s\", \"u32\"]", first));
    for (++field;; ++field) {
        gap = (field->name ? field->at : log->row_size) - at;  // what the compiler put between
        snprintf(text, sizeof text, ", [\"\", \"pad\", %lu]", (unsigned long)gap);
        if (gap) bl_put(log, &log->json, text, strlen(text));
        if (!field->name) break;
        at = field->at + BL_TYPES[field->type].size * (field->count ? field->count : 1);
        bl_put(log, &log->json, ", [\"", 4), bl_put_text(log, &log->json, field->name, 1);
        bl_put(log, &log->json, text, (size_t)snprintf(text, sizeof text, "\", \"%s\"", BL_TYPES[field->type].name));
        if (field->count) bl_put(log, &log->json, text, (size_t)snprintf(text, sizeof text, ", %u", field->count));
        bl_put(log, &log->json, "]", 1);
    }
    bl_put(log, &log->json, "]", 1);
    bl_put_chunk(log, &log->json, "LAYO", -1);
}

static inline void bl_put_start(bl_log *log, const char *header, const bl_field *fields) {
    const uint32_t order = 0x01020304;
    const uint16_t version_and_flags[] = {1, 1};  // records are completed later
    const bl_field *field;
    unsigned i, size;
    log->has_failed |= fwrite("\x89PLY\r\n\x1a\n", 1, 8, log->file) != 8;
    log->has_failed |= fwrite(&order, 1, 4, log->file) != 4 || fwrite(version_and_flags, 1, 4, log->file) != 4;
    bl_put(log, &log->json, "{\"plyscope\": 1", 14);
    if (header) bl_put(log, &log->json, ", ", 2), bl_put_text(log, &log->json, header, 0);
    bl_put(log, &log->json, "}", 1), bl_put_chunk(log, &log->json, "HEAD", -1);
    bl_put_layout(log, fields, "parent"), bl_put_layout(log, fields, "id");
    memset(log->blank, 0xFF, log->row_size);
    for (field = fields; field->name; ++field) {
        size = BL_TYPES[field->type].size;
        for (i = 0; i < (field->count ? field->count : 1) && field->type >= BL_I8 && field->type <= BL_I64; ++i) {
            uint64_t smallest = (uint64_t)1 << (8 * size - 1);
            bl_field one = *field;
            one.at += i * size;
            bl_state(log->blank, &one, smallest);
        }
        if (field->type == BL_WORD) bl_state(log->blank, field, 0);
        if (!strcmp(field->name, "outcome") && field->type == BL_WORD) log->outcome = field;
        if (!strcmp(field->name, "purpose") && field->type == BL_WORD) log->purpose = field;
        if (!strcmp(field->name, "plies") && field->type == BL_LIST_OF_TEXTS) log->plies = field;
        if (!strcmp(field->name, "ply") && field->type >= BL_TEXT8 && field->type <= BL_TEXT) log->ply = field;
        if (!strcmp(field->name, "count")) log->count = field;
        if (!strcmp(field->name, "nodes")) log->n_nodes = field;
    }
}

static inline int bl_are_fields(const bl_field *fields, size_t row_size) {
    const bl_field *field;
    size_t end = 0;
    if (!fields->name || strcmp(fields->name, "parent") || fields->type != BL_U32 || fields->at) return 0;
    for (field = fields; field->name; ++field) {
        if (field->at < end) return 0;
        end = field->at + BL_TYPES[field->type].size * (field->count ? field->count : 1);
    }
    return end <= row_size && row_size <= 65536;
}

// Begin a log in an open file, which the log closes.
static inline int bl_begin(bl_log *log, FILE *file, const char *header, const bl_field *fields, size_t row_size,
                           size_t buffer, int max_level) {
    size_t room = buffer - buffer % row_size;
    memset(log, 0, sizeof *log);
    log->file = file;
    setvbuf(log->file, NULL, _IONBF, 0);  // a chunk is written by one call
    log->row_size = row_size, log->buffer = buffer, log->iteration = -1;
    log->most_rows = BL_NONE;
    log->step = 1, log->look_at = 16, log->looked = log->written = bl_now();
    log->max_level = max_level < 0 || max_level > BL_MAX_LEVEL ? BL_MAX_LEVEL : max_level;
    log->blank = (unsigned char *)malloc(row_size);
    log->unlogged[0] = (unsigned char *)malloc(row_size), log->unlogged[1] = (unsigned char *)malloc(row_size);
    log->has_failed |= !log->blank || !log->unlogged[0] || !log->unlogged[1];
    bl_begin_buffer(log, &log->nodes, room ? room : row_size), bl_begin_buffer(log, &log->late, 4096);
    bl_begin_buffer(log, &log->json, 4096);
    bl_begin_buffer(log, &log->texts, 4096), bl_begin_buffer(log, &log->lists, 4096);
    if (!log->has_failed) bl_put_start(log, header, fields);
    return !log->has_failed;
}

// Begin a log; return 0 where its file cannot be written, or the fields are not those of a row: `parent` (BL_U32) first,
// then the others in their order. `header` is the inside of a JSON object, or NULL. `fields` and what they name must
// live as long as the log. `buffer` is how many bytes may wait in memory: 1 << 20 is fast; with 0 each row is written
// by the next call. Nodes below `max_level` (the root is at level 0; -1 is no limit) get no rows: one `unlogged` row
// says how many they were.
static inline int bl_open(bl_log *log, const char *path, const char *header, const bl_field *fields, size_t row_size,
                          size_t buffer, int max_level) {
    FILE *file = bl_are_fields(fields, row_size) ? fopen(path, "wb") : NULL;
    memset(log, 0, sizeof *log);
    return file && bl_begin(log, file, header, fields, row_size, buffer, max_level);
}

// Log that a node is entered below the one entered last and not left. Return its row, to be filled in before the next
// call: it states nothing but its parent.
static inline void *bl_enter(bl_log *log) {
    unsigned char *row;
    if (!log->n_open) log->thread = &errno;
    bl_expect(log, 1, "");
    if (log->is_full) bl_flush(log);
    if (log->n_hidden || log->is_outside || log->n_open > log->max_level ||
        (log->n_open > 1 && log->next_id >= log->most_rows)) {
        row = log->unlogged[log->n_hidden > 0];
        ++log->n_unlogged, ++log->n_hidden;
        if (log->n_unlogged % BL_MAX_STEP == 0) bl_look(log);
        return memcpy(row, log->blank, log->row_size);
    }
    row = bl_put_node(log);
    log->path[log->n_open++] = log->next_id - 1;
    if (log->n_open == 1) {
        char iteration[32];
        snprintf(iteration, sizeof iteration, log->iteration < 0 ? "\"iteration\": null" : "\"iteration\": %d",
                 log->iteration);
        bl_json(log, log->next_id - 1, iteration);
    }
    return row;
}

// The same by a ply, the number of its name, which the row gets; BL_NONE at a root.
static inline void *bl_enter_by(bl_log *log, uint32_t ply) {
    int level = log->n_open;
    void *row;
    log->is_outside = level > 0 && level <= log->n_below && ply != log->below[level - 1];
    row = bl_enter(log);
    log->is_outside = 0;
    if (log->ply) bl_state(row, log->ply, ply);
    return row;
}

// From now on log nothing but the way by these `n` plies from the root, numbers of their names, and what is below its
// end: of nodes that are entered by bl_enter_by. The numbers are not copied.
static inline void bl_only_below(bl_log *log, const uint32_t *plies, int n) { log->below = plies, log->n_below = n; }

// Give only the root and its plies rows once there are so many; the rest is counted.
static inline void bl_max_rows(bl_log *log, uint32_t n_rows) { log->most_rows = n_rows; }

// The id of the node entered last and not left (BL_NONE where it gets no row), to keep in the table entry that it
// stores: the field `tt.from` of where that entry is used.
static inline uint32_t bl_id(const bl_log *log) {
    return log->n_hidden || !log->n_open ? BL_NONE : log->path[log->n_open - 1];
}

// Leave the node entered last. Return its row, to be completed before the next call: it has what it had on entry,
// or, where that was written, states nothing.
static inline void *bl_leave(bl_log *log) {
    uint32_t id;
    bl_expect(log, log->n_open, "bl_leave without bl_enter: each node is entered once and left once");
    if (log->is_full) bl_flush(log);
    if (log->n_hidden) {
        if (--log->n_hidden) return log->unlogged[1];
        bl_count_unlogged(log);
        return log->unlogged[0];
    }
    if (log->n_unlogged) bl_put_unlogged(log);
    id = log->path[--log->n_open];
    if (id >= log->first_id) return log->nodes.bytes + 16 + (size_t)(id - log->first_id) * log->row_size;
    bl_put(log, &log->late, log->blank, log->row_size);
    if (log->has_failed) return log->unlogged[1];
    return memcpy(log->late.bytes + log->late.size - log->row_size, &id, 4);
}

// Log the `n` siblings that the node entered last will not search, as one row. `plies` are the numbers of their names,
// NULL where they are not known; `n` is -1 where it is not known either.
static inline void bl_cut(bl_log *log, const uint32_t *plies, int n, int why) {
    bl_list_of_texts list = {BL_NONE, BL_NONE};
    if (log->is_full) bl_flush(log);
    if (log->n_hidden || n == 0) return;
    bl_expect(log, log->n_open, "bl_cut without bl_enter: it belongs into a node");
    if (log->n_unlogged) bl_put_unlogged(log);
    if (plies && n > 0 && log->plies) list = bl_list(log, plies, n);
    bl_put_stub(log, why, n, list, 0);
}

// Log the node entered last as stopped, and leave it: for a `return` without a score to nodes that may search on.
static inline void bl_stop(bl_log *log) {
    void *row = bl_leave(log);
    if (log->outcome) bl_state(row, log->outcome, BL_STOPPED);
}

// Log the nodes that are still open as stopped: the next one entered is a root.
static inline void bl_abandon(bl_log *log) {
    log->thread = &errno;
    while (log->n_open || log->n_hidden) bl_stop(log);
    bl_flush(log);
}

// Begin a search from the root.
static inline void bl_search(bl_log *log, int iteration) {
    bl_abandon(log);
    log->iteration = iteration;
}

// Log the choice: the inside of a JSON object, or NULL. Nothing may follow.
static inline void bl_done(bl_log *log, const char *chosen) {
    bl_abandon(log);
    bl_put(log, &log->json, chosen ? "{" : "null", chosen ? 1 : 4);
    if (chosen) bl_put_text(log, &log->json, chosen, 0), bl_put(log, &log->json, "}", 1);
    bl_put_chunk(log, &log->json, "DONE", -1);
    log->is_done = 1;
}

// End the log; return 0 where something could not be written.
static inline int bl_close(bl_log *log) {
    int is_written;
    if (log->n_replaced) fprintf(stderr, "search log: %lu bytes were no UTF-8: U+FFFD stands for each\n", log->n_replaced);
    if (!log->is_done) bl_flush(log);
    is_written = fclose(log->file) == 0 && !log->has_failed;
    free(log->nodes.bytes), free(log->late.bytes), free(log->json.bytes), free(log->texts.bytes);
    free(log->lists.bytes), free(log->known), free(log->text_at), free(log->hashed);
    free(log->blank), free(log->unlogged[0]), free(log->unlogged[1]);
    return is_written;
}
#endif
