// With binary_log.h: a search that `plyscope view --listen 5015` shows while it runs, and that can be held there.
// Copy both files beside your engine. POSIX; include this one first, in place of binary_log.h, in C++ before
// binary_log.hpp, whose BinaryLog then takes a port in place of a file's name, and has `breakpoint`.
//
//   if (!bl_connect(&log, 5015, header, FIELDS, sizeof(row), 1 << 20, -1))  // in place of bl_open
//       bl_open(&log, "search.plyb", …);
//   if (score < before - 100) bl_breakpoint(&log, "the score fell");  // wherever a condition of your own holds
#ifndef LIVE_BINARY_LOG_H
#define LIVE_BINARY_LOG_H
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200112L
#endif
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
#include "binary_log.h"

// Of POSIX, which strict C99 has not declared where <stdio.h> was included before this file.
#ifndef __cplusplus
FILE *fdopen(int, const char *);
int fileno(FILE *);
#endif

// Begin a log on a port of this machine. Where nobody listens there, say so on stderr and return 0. What waits is
// written by bl_breakpoint, too. Once the viewer is closed, what is written is dropped.
static inline int bl_connect(bl_log *log, int port, const char *header, const bl_field *fields, size_t row_size,
                             size_t buffer, int max_level) {
    struct sockaddr_in viewer;
    FILE *file = NULL;
    int engine = bl_are_fields(fields, row_size) ? socket(AF_INET, SOCK_STREAM, 0) : -1;
    memset(&viewer, 0, sizeof viewer);
    viewer.sin_family = AF_INET;
    viewer.sin_port = htons((uint16_t)port);
    viewer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (engine >= 0 && !connect(engine, (struct sockaddr *)&viewer, sizeof viewer)) file = fdopen(engine, "wb");
    if (!file) {
        fprintf(stderr, "nobody listens on port %d: start `plyscope view --listen %d` first\n", port, port);
        if (engine >= 0) close(engine);
        return 0;
    }
    signal(SIGPIPE, SIG_IGN);  // a viewer that is closed does not end the engine
    return bl_begin(log, file, header, fields, row_size, buffer, max_level);
}

// Hold the search here until the page says go on. A log that is no socket's goes on at once.
static inline void bl_breakpoint(bl_log *log, const char *why) {
    struct sockaddr_in viewer;
    int engine = fileno(log->file);
    socklen_t size = sizeof viewer;
    char text[32], reply = 0;
    if (log->has_failed || getpeername(engine, (struct sockaddr *)&viewer, &size)) return;
    bl_flush(log);
    bl_put(log, &log->json, "{\"hold\": \"", 10);
    for (; why && *why; ++why) {
        int is_plain = (unsigned char)*why >= 0x20 && *why != '"' && *why != '\\';
        snprintf(text, sizeof text, is_plain ? "%c" : "\\u%04x", is_plain ? *why : (unsigned char)*why);
        bl_put(log, &log->json, text, strlen(text));
    }
    snprintf(text, sizeof text, log->n_open ? "\", \"node\": %lu}" : "\"}",
             log->n_open ? (unsigned long)log->path[log->n_open - 1] : 0);
    bl_put(log, &log->json, text, strlen(text)), bl_put_chunk(log, &log->json, "hold", -1);
    if (!log->has_failed && read(engine, &reply, 1) == 1 && reply == 'g') {
        while (read(engine, &reply, 1) == 1 && reply != '\n') {}
    } else {
        log->has_failed = 1;
        fprintf(stderr, "the viewer on port %d takes no more of this log: it was closed, or shows another engine; "
                "what is logged from here on is dropped\n", ntohs(viewer.sin_port));
    }
}
#endif
