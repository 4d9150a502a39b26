// A tree of three plies, logged as a trigger says: triggers LOG FOLDER_OF_LOGGERS all|below|at|rows
#include "search_log.h"

static void search(sl_log *log, const char *ply, int level, const char *key) {
    static const char *const replies[] = {"a", "b", "c"};
    char below[8];
    int i;
    sl_enter(log, ply, SL_FIELDS(sl_text("key", key), sl_number("depth", 3 - level)));
    for (i = 0; level < 3 && i < 3; ++i) {
        snprintf(below, sizeof below, "%s%s", key, replies[i]);
        search(log, replies[i], level + 1, below);
    }
    if (level < 3) sl_cut(log, NULL, 2, "pruned");
    sl_score(log, level, NULL);
}

int main(int n, char **arguments) {
    static sl_log log[1];
    const char *const plies[] = {"b", "a"}, *trigger = arguments[n - 1];
    int iteration;
    if (!sl_open(log, arguments[1], NULL, 0, -1)) return 1;
    if (!strcmp(trigger, "below")) sl_only_below(log, plies, 2);
    if (!strcmp(trigger, "at")) sl_only_at(log, "bac");
    if (!strcmp(trigger, "rows")) sl_max_rows(log, 8);
    for (iteration = 1; iteration <= 2; ++iteration) {
        sl_search(log, iteration);
        search(log, NULL, 0, "");
    }
    sl_done(log, SL_FIELDS(sl_text("ply", "a")));
    return !sl_close(log);
}
