// Logs a root and its children, during whose search the engine ends: in a crash, by a way out, or by misuse.
//
// dying LOG FOLDER_OF_LOGGERS BUFFER crash|exit|score|cut|threads|done PLY

#include <cstdlib>
#include <limits>
#include <thread>

#include "search_log.hpp"

using plyscope::Fields;

int main(int, char** arguments) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const std::string end = arguments[4], odd_ply = arguments[5];
    plyscope::SearchLog log(arguments[1], R"("note": "dies")", std::stoul(arguments[3]));
    log.enter("", Fields().set("alpha", -inf).set("n\"\\", odd_ply)
                      .set("nested", Fields().set("list", std::vector<double>{nan, 1.5})));
    log.enter(odd_ply);
    log.score(inf);
    plyscope::Row b = log.enter("b", Fields().set("quiescence", true));
    log.score(nan);
    log.cut({});
    log.cut({"x", odd_ply}, "limited");
    log.enter("c", Fields().set("depth", 0.1));
    Fields entry = Fields().set("use", "cut").set("score", 1).set("from", b).set("ply", plyscope::Row());
    log.score(1, Fields().set("tt", entry).set("factors", std::vector<double>{2, nan, -0.5}));
    log.cut(0);
    log.cut(12);
    log.cut();
    log.enter("n");
    log.score(nullptr, Fields().set("outcome", "open"));
    log.node("o").score(nullptr);
    log.enter("d");
    if (end == "exit") std::exit(3);
    if (end == "done") {
        log.done();
        return 0;
    }
    if (end == "threads") std::thread([&] { log.enter("b"); }).join();
    if (end != "crash") {  // leave both nodes, and do something that only an open node can have
        log.score(0);
        log.score(0);
        if (end == "score") log.score(0);
        else log.cut(1);
    }
    std::_Exit(3);
}
