// Nim with one heap, the last to take wins: a negamax alpha-beta with the logger in its four places.
//
// c++ -std=c++17 nim.cpp -o nim && ./nim nim.jsonl && plyscope view nim.jsonl

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "search_log.hpp"

using plyscope::Fields;

const double INF = std::numeric_limits<double>::infinity();

struct Found {
    double score;
    std::string ply;
};

Found search(plyscope::SearchLog& log, int heap, int level, int depth, double alpha, double beta,
             const std::string& ply = "") {
    log.enter(ply, Fields().set("player", level % 2 ? "second" : "first").set("depth", depth)  // 1. enter
                       .set("alpha", alpha).set("beta", beta));
    if (heap == 0) {  // the other player took the last one
        log.score(level - 100, Fields().set("outcome", "terminal").set("ending", "loss").set("bound", "exact"));  // 2. score
        return {level - 100.0, ""};
    }
    if (depth == 0) {
        log.score(0, Fields().set("outcome", "leaf").set("bound", "exact"));
        return {0, ""};
    }
    Found best = {-INF, ""};
    double window = alpha;
    for (int take = 1; take <= std::min(3, heap); ++take) {
        std::string name = "take " + std::to_string(take);
        double value = -search(log, heap - take, level + 1, depth - 1, -beta, -window, name).score;
        if (value > best.score) best = {value, name};
        window = std::max(window, best.score);
        if (window >= beta) {
            std::vector<std::string> rest;
            for (int other = take + 1; other <= std::min(3, heap); ++other) rest.push_back("take " + std::to_string(other));
            log.cut(rest);  // 3. cut
            break;
        }
    }
    const char* bound = best.score >= beta ? "lower" : best.score <= alpha ? "upper" : "exact";
    log.score(best.score, Fields().set("outcome", best.score >= beta ? "cutoff" : "searched").set("bound", bound));
    return best;
}

int main(int, char** arguments) {
    plyscope::SearchLog log(arguments[1], R"("game": "nim", "players": ["first", "second"], )"
                                          R"("search": {"depth": 6, "perspective": "mover", "fail": "soft"})");
    Found found = search(log, 7, 0, 6, -INF, INF);
    log.done(Fields().set("ply", found.ply).set("score", found.score));  // 4. done
}
