// A tree of three plies, logged as a trigger says: triggers LOG FOLDER_OF_LOGGERS all|below|at|rows
#include "search_log.hpp"

using plyscope::Fields;

static void search(plyscope::SearchLog& log, const std::string& ply, int level, const std::string& key) {
    log.enter(ply, Fields().set("key", key).set("depth", 3 - level));
    if (level < 3) {
        for (const char* reply : {"a", "b", "c"}) search(log, reply, level + 1, key + reply);
        log.cut(2);
    }
    log.score(level);
}

int main(int, char** arguments) {
    const std::string trigger = arguments[3];
    plyscope::SearchLog log(arguments[1]);
    if (trigger == "below") log.only_below({"b", "a"});
    if (trigger == "at") log.only_at("bac");
    if (trigger == "rows") log.max_rows(8);
    for (int iteration : {1, 2}) {
        auto scope = log.search(iteration);
        search(log, "", 0, "");
    }
    log.done(Fields().set("ply", "a"));
}
