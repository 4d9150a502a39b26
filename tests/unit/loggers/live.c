// Logs a root and a child, at which it is held: over the socket of a viewer, or with 0 for the port into a file.
//
// live PORT LOG

#include "live_log.h"
int main(int count, char **arguments) {
    static sl_log log;
    (void)count;
    const char *header = "\"search\": {\"engine\": \"in c\"}";
    int port = atoi(arguments[1]);
    if (port ? !sl_connect(&log, port, header, -1) : !sl_open(&log, arguments[2], header, 0, -1)) return 3;
    sl_search(&log, 1);
    sl_enter(&log, NULL, NULL);
    sl_enter(&log, "a1", NULL);
    sl_breakpoint(&log, "at \"a1\"");
    sl_score(&log, 2, NULL);
    sl_score(&log, 2, NULL);
    sl_done(&log, NULL);
    return !sl_close(&log) && !port;  // what a viewer that was closed did not get is no failure
}
