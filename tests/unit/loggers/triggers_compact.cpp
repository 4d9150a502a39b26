// The tree of triggers.cpp in the compact form: triggers_compact LOG FOLDER_OF_LOGGERS all|below|rows
#include "binary_log.hpp"

struct Row {
    uint32_t parent;
    int32_t score;
    plyscope::Text16 ply;
    plyscope::Word outcome;
    int8_t depth;
};
using Log = plyscope::BinaryLog<Row>;

static void search(Log& log, uint32_t ply, int level) {
    log.enter(ply).depth = static_cast<int8_t>(3 - level);
    if (level < 3) {
        for (const char* reply : {"a", "b", "c"}) search(log, log.text(reply), level + 1);
        log.cut(2);
    }
    log.leave().score = level;
}

int main(int, char** arguments) {
    const std::string trigger = arguments[3];
    Log log(arguments[1], "",
            {{"score", &Row::score}, {"ply", &Row::ply}, {"outcome", &Row::outcome}, {"depth", &Row::depth}}, 0);
    if (trigger == "below") log.only_below({"b", "a"});
    if (trigger == "rows") log.max_rows(8);
    for (int iteration : {1, 2}) {
        auto scope = log.search(iteration);
        search(log, BL_NONE, 0);
    }
    log.done("\"ply\": \"a\"");
}
