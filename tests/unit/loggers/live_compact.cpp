// Logs a root and a child in the compact form, and is held at the child: over the socket of a viewer, or with 0 for the
// port into a file.
//
// live_compact PORT LOG

#include "live_binary_log.h"
#include "binary_log.hpp"

struct Row {
    uint32_t parent;
    int16_t score;
    plyscope::Text8 ply;
};
using Log = plyscope::BinaryLog<Row>;

static void log_search(Log& log) {
    const uint32_t ply = log.text("a1");
    {
        auto search = log.search(1);
        log.enter();
        log.enter().ply = ply;
        log.breakpoint("at \"a1\"");
        log.leave().score = 2;
        log.leave().score = 2;
    }
    log.done();
}

int main(int, char** arguments) {
    const int port = std::atoi(arguments[1]);
    const char* header = R"("search": {"engine": "in compact cpp"})";
    std::initializer_list<Log::Field> fields = {{"score", &Row::score}, {"ply", &Row::ply}};
    bool is_connected = false;
    try {
        if (port) {
            Log log(port, header, fields);
            is_connected = true;
            log_search(log);
        } else {
            Log log(arguments[2], header, fields);
            log_search(log);
        }
    } catch (const std::runtime_error&) {
        return is_connected ? 0 : 3;  // what a viewer that was closed did not get is no failure
    }
}
