// Logs a root and its children, during whose search the engine ends: in a crash, by a way out, or by misuse.
//
// dying LOG FOLDER_OF_LOGGERS BUFFER crash|exit|score|cut|threads|done PLY

#include <math.h>
#include <pthread.h>

#include "search_log.h"

static sl_log search_log;

static void *other(void *none) {
    sl_enter(&search_log, "b", NULL);
    return none;
}

int main(int count, char **arguments) {
    if (count < 6 || !sl_open(&search_log, arguments[1], "\"note\": \"dies\"", strtoul(arguments[3], NULL, 10), -1)) return 1;
    const char *const limited[] = {"x", arguments[5]};
    sl_enter(&search_log, NULL, SL_FIELDS(sl_number("alpha", -INFINITY), sl_text("n\"\\", arguments[5]), sl_object(
        "nested", SL_FIELDS(sl_numbers("list", (double[]){NAN, 1.5}, 2)))));
    sl_enter(&search_log, arguments[5], NULL);
    sl_score(&search_log, INFINITY, NULL);
    long long b = sl_enter(&search_log, "b", SL_FIELDS(sl_bool("quiescence", 1)));
    sl_score(&search_log, NAN, NULL);
    sl_cut(&search_log, NULL, 0, "pruned");
    sl_cut(&search_log, limited, 2, "limited");
    sl_enter(&search_log, "c", SL_FIELDS(sl_number("depth", 0.1)));
    sl_score(&search_log, 1, SL_FIELDS(
        sl_object("tt", SL_FIELDS(sl_text("use", "cut"), sl_number("score", 1), sl_row("from", b), sl_row("ply", -1))),
        sl_numbers("factors", (double[]){2, NAN, -0.5}, 3)));
    sl_cut(&search_log, NULL, 12, "pruned");
    sl_cut(&search_log, NULL, -1, "pruned");
    sl_enter(&search_log, "n", NULL);
    sl_leave(&search_log, SL_FIELDS(sl_text("outcome", "open")));
    sl_enter(&search_log, "o", NULL);
    sl_leave(&search_log, NULL);
    sl_enter(&search_log, "d", NULL);
    if (!strcmp(arguments[4], "exit")) exit(3);
    if (!strcmp(arguments[4], "done")) {
        sl_done(&search_log, NULL);
        return !sl_close(&search_log);
    }
    if (!strcmp(arguments[4], "threads")) {
        pthread_t thread;
        pthread_create(&thread, NULL, other, NULL);
        pthread_join(thread, NULL);
    }
    if (strcmp(arguments[4], "crash")) {  // leave both nodes, and do something that only an open node can have
        sl_score(&search_log, 0, NULL);
        sl_score(&search_log, 0, NULL);
        if (!strcmp(arguments[4], "score")) sl_score(&search_log, 0, NULL);
        else sl_cut(&search_log, NULL, 1, "pruned");
    }
    _Exit(3);
}
