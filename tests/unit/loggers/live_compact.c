// Logs a root and a child in the compact form, and is held at the child: over the socket of a viewer, or with 0 for the
// port into a file.
//
// live_compact PORT LOG

#include "live_binary_log.h"

typedef struct {
    uint32_t parent;
    int16_t score;
    uint8_t ply;
} row;

static const bl_field FIELDS[] = {
    BL_FIELD(row, parent, BL_U32), BL_FIELD(row, score, BL_I16), BL_FIELD(row, ply, BL_TEXT8), BL_END};

int main(int count, char **arguments) {
    static bl_log log;
    (void)count;
    const char *header = "\"search\": {\"engine\": \"in compact c\"}";
    int port = atoi(arguments[1]);
    if (port ? !bl_connect(&log, port, header, FIELDS, sizeof(row), 65536, -1)
             : !bl_open(&log, arguments[2], header, FIELDS, sizeof(row), 65536, -1)) return 3;
    uint32_t ply = bl_text(&log, "a1");
    bl_search(&log, 1);
    bl_enter(&log);
    row *node = bl_enter(&log);
    node->ply = (uint8_t)ply;
    bl_breakpoint(&log, "at \"a1\"");
    node = bl_leave(&log), node->score = 2;
    node = bl_leave(&log), node->score = 2;
    bl_done(&log, NULL);
    return !bl_close(&log) && !port;  // what a viewer that was closed did not get is no failure
}
