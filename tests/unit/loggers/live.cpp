// Logs a root and a child, at which it is held: over the socket of a viewer, or with 0 for the port into a file.
//
// live PORT LOG

#include "live_log.hpp"

using plyscope::LiveLog;

int main(int, char** arguments) {
    const int port = std::atoi(arguments[1]);
    const char* header = R"("search": {"engine": "in cpp"})";
    try {
        LiveLog log = port ? LiveLog(port, header) : LiveLog(arguments[2], header);
        {
            auto search = log.search(1);
            log.enter("");
            log.enter("a1");
            log.breakpoint("at \"a1\"");
            log.score(2);
            log.score(2);
        }
        log.done();
    } catch (const std::runtime_error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
