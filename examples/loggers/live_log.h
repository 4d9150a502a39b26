// With search_log.h: a search that `plyscope view --listen 5015` shows while it runs, and that can be held there.
// Copy both files beside your engine. POSIX; include this one first, in place of search_log.h.
//
//   if (!sl_connect(log, 5015, "\"search\": {\"perspective\": \"mover\"}", -1))  // in place of sl_open
//       sl_open(log, "search.jsonl", …);
//   if (score < before - 100) sl_breakpoint(log, "the score fell");  // wherever a condition of your own holds
#ifndef LIVE_LOG_H
#define LIVE_LOG_H
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200112L
#endif
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
#include "search_log.h"

// Of POSIX, which strict C99 has not declared where <stdio.h> was included before this file.
FILE *fdopen(int, const char *);
int fileno(FILE *);

enum { SL_LIVE_BUFFER = 65536 };

// Begin a log on a port of this machine. Where nobody listens there, say so on stderr and return 0: then all that
// follows logs nothing. What waits in the buffer is written by sl_breakpoint, sl_abandon and sl_done. Once the viewer
// is closed, what is written is dropped.
static inline int sl_connect(sl_log *log, int port, const char *header, int max_level) {
    struct sockaddr_in viewer;
    FILE *file;
    int engine = socket(AF_INET, SOCK_STREAM, 0);
    *log = (sl_log){.iteration = -1, .max_level = -1};
    memset(&viewer, 0, sizeof viewer);
    viewer.sin_family = AF_INET;
    viewer.sin_port = htons((uint16_t)port);
    viewer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (engine < 0 || connect(engine, (struct sockaddr *)&viewer, sizeof viewer) || !(file = fdopen(engine, "wb"))) {
        fprintf(stderr, "nobody listens on port %d: start `plyscope view --listen %d` first\n", port, port);
        if (engine >= 0) close(engine);
        return 0;
    }
    if (!sl_open(log, "/dev/null", NULL, SL_LIVE_BUFFER, max_level)) {
        fclose(file);
        return 0;
    }
    fclose(log->file);
    log->file = file, log->port = port;
    if (log->waiting) setvbuf(file, log->waiting, _IOFBF, SL_LIVE_BUFFER);
    signal(SIGPIPE, SIG_IGN);  // a viewer that is closed does not end the engine
    fprintf(file, "{\"plyscope\": 1%s%s", header ? ", " : "", header ? header : "");
    sl_end_line(log);
    return 1;
}

// Hold the search here until the page says go on. A log that is no socket's goes on at once.
static inline void sl_breakpoint(sl_log *log, const char *why) {
    int kind, engine = log->file ? fileno(log->file) : -1;
    socklen_t size = sizeof kind;
    char reply = 0;
    if (engine < 0 || getsockopt(engine, SOL_SOCKET, SO_TYPE, &kind, &size)) return;
    fputs("{\"hold\": ", log->file), sl_put_text(log, log->file, why ? why : "");
    if (log->n_open) fprintf(log->file, ", \"node\": %lld", log->path[log->n_open - 1]);
    sl_end_line(log);
    if (!fflush(log->file) && read(engine, &reply, 1) == 1 && reply == 'g') {
        while (read(engine, &reply, 1) == 1 && reply != '\n') {}
    } else {
        sl_lose(log);
    }
}
#endif
