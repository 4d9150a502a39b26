// With search_log.hpp: a search that `plyscope view --listen 5015` shows while it runs, and that can be held there.
// Copy both files beside your engine. POSIX.
//
//   plyscope::LiveLog log(5015, R"("search": {"perspective": "mover"})");  // in place of plyscope::SearchLog
//   if (score < before - 100) log.breakpoint("the score fell");  // wherever a condition of your own holds
#pragma once
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include "search_log.hpp"

namespace plyscope {

class LiveLog : public SearchLog {
public:
    using SearchLog::SearchLog;  // a log in a file, whose breakpoints never wait

    // Begin a log on a port of this machine; throws where nobody listens there. What waits in the buffer is written by
    // breakpoint, abandon and done. Once the viewer is closed, stderr says so, and what is written is dropped.
    explicit LiveLog(int number, const std::string& header = "", size_t deepest = SIZE_MAX)
        : SearchLog(connected(number), header, 65536, deepest, "no stream can be had of the socket"), port(number) {}

    // Hold the search here until the page says go on. A log that is no socket's goes on at once.
    void breakpoint(const std::string& why = "") {
        if (port < 0 || is_lost) return;
        std::string reply;
        char byte = 0;
        print("\"hold\": " + json(why) + (path.empty() ? "" : ", \"node\": " + json(path.back())));
        check(std::fflush(file) == 0);
        while (!is_lost && byte != '\n') {
            ssize_t got = read(fileno(file), &byte, 1);
            if (got == 1) reply += byte;
            else if (got == 0 || errno != EINTR) break;
        }
        check(reply == "go\n");
    }

protected:
    void lost() override {
        if (port < 0) return SearchLog::lost();
        const char* reason = "it was closed, or shows another engine; what is logged from here on is dropped";
        if (!is_lost) std::fprintf(stderr, "the viewer on port %d takes no more of this log: %s\n", port, reason);
        is_lost = true;
    }

private:
    int port = -1;
    bool is_lost = false;

    static std::FILE* connected(int number) {
        sockaddr_in viewer = {};
        int engine = socket(AF_INET, SOCK_STREAM, 0);
        viewer.sin_family = AF_INET;
        viewer.sin_port = htons(uint16_t(number));
        viewer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        std::string digits = std::to_string(number);
        if (engine < 0 || connect(engine, reinterpret_cast<sockaddr*>(&viewer), sizeof viewer)) {
            if (engine >= 0) close(engine);
            fail<std::runtime_error>("nobody listens on port " + digits + ": start `plyscope view --listen " + digits +
                                     "` first");
        }
        std::signal(SIGPIPE, SIG_IGN);  // a viewer that is closed does not end the engine
        return fdopen(engine, "wb");
    }
};

}  // namespace plyscope
