// Iterative deepening on Nim that runs out of time by an exception, in three of its iterations.
//
// deepening LOG FOLDER_OF_LOGGERS BUFFER MAX_LEVEL enter|node

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "search_log.hpp"

using plyscope::Fields;
using plyscope::Row;
using plyscope::SearchLog;

const double INF = std::numeric_limits<double>::infinity();
const std::map<int, int> LIMITS = {{3, 7}, {5, 20}, {7, 60}};  // nodes; other iterations have no limit

struct OutOfTime {};
struct Entry {
    double score;
    Row source;
};

struct Engine {
    SearchLog& log;
    bool is_guarded;
    int n_left = 0, n_nodes = 0, n_leaves = 0, n_prune_events = 0, n_pruned = 0, n_hits = 0;
    std::map<std::tuple<int, int, int>, Entry> table = {};
    std::string choice = {};

    double search(int heap, int level, int depth, double alpha, double beta, const std::string& ply = "",
                  const char* purpose = "full") {
        Fields fields = Fields().set("player", level % 2 ? "second" : "first").set("depth", depth)
                            .set("alpha", alpha).set("beta", beta).set("purpose", purpose);
        if (is_guarded) {
            if (level == 0) fields.set("iteration", depth);
            auto node = log.node(ply, fields);
            return search_entered(heap, level, depth, alpha, beta, node, node.row);
        }
        Row row = log.enter(ply, fields);
        return search_entered(heap, level, depth, alpha, beta, log, row);
    }

    template <class Scored>
    double search_entered(int heap, int level, int depth, double alpha, double beta, Scored& node, Row row) {
        ++n_nodes;
        if (--n_left < 0) throw OutOfTime();
        if (heap == 0 || depth == 0) {
            ++n_leaves;
            if (heap == 0) {
                node.score(level - 100, Fields().set("outcome", "terminal").set("ending", "loss")
                                            .set("bound", "exact").set("moves", 0));
                return level - 100;
            }
            node.score(0, Fields().set("outcome", "leaf").set("bound", "exact").set("moves", std::min(3, heap)));
            return 0;
        }
        if (auto found = table.find({heap, level, depth}); found != table.end()) {
            ++n_hits;
            auto [score, source] = found->second;
            Fields entry = Fields().set("use", "cut").set("depth", depth).set("bound", "exact")
                               .set("score", score).set("from", source);
            node.score(score, Fields().set("outcome", "tt").set("bound", "exact").set("tt", entry));
            return score;
        }
        double best = -INF, window = alpha;
        const int n_takes = std::min(3, heap);
        for (int take = 1; take <= n_takes; ++take) {
            const std::string name = "take " + std::to_string(take);
            auto value_of = [&](double high, const char* why) {
                return -search(heap - take, level + 1, depth - 1, -high, -window, name, why);
            };
            double value = take == 1 ? value_of(beta, "full") : value_of(window + 1, "scout");
            if (take > 1 && window < value && value < beta) value = value_of(beta, "research");
            if (value > best) {
                best = value;
                if (level == 0) choice = name;
            }
            window = std::max(window, best);
            if (window >= beta) {
                std::vector<std::string> rest;
                for (int other = take + 1; other <= n_takes; ++other) rest.push_back("take " + std::to_string(other));
                log.cut(rest);
                n_prune_events += !rest.empty();
                n_pruned += int(rest.size());
                break;
            }
        }
        const std::string bound = best >= beta ? "lower" : best <= alpha ? "upper" : "exact";
        if (bound == "exact") table[{heap, level, depth}] = {best, row};
        node.score(best, Fields().set("outcome", best >= beta ? "cutoff" : "searched").set("bound", bound)
                             .set("moves", n_takes));
        return best;
    }
};

int main(int, char** arguments) {
    const int max_level = std::stoi(arguments[4]);
    SearchLog log(arguments[1], R"("game": "nim", "players": ["first", "second"], )"
                                    R"("search": {"perspective": "mover", "fail": "soft", "table": "equal"})",
                  std::stoul(arguments[3]), max_level < 0 ? SIZE_MAX : size_t(max_level));
    Engine engine = {log, std::string(arguments[5]) == "node"};
    std::string ply;
    double score = 0;
    for (int depth = 1; depth < 8; ++depth) {
        auto limit = LIMITS.find(depth);
        engine.n_left = limit == LIMITS.end() ? 1'000'000'000 : limit->second;
        try {
            if (engine.is_guarded) {
                score = engine.search(12, 0, depth, -INF, INF);
            } else {
                auto search = log.search(depth);
                score = engine.search(12, 0, depth, -INF, INF);
            }
            ply = engine.choice;
        } catch (const OutOfTime&) {
        }
    }
    log.done(Fields().set("ply", ply).set("score", score).set("nodes", engine.n_nodes).set("leaves", engine.n_leaves)
                 .set("prune_events", engine.n_prune_events).set("pruned", engine.n_pruned)
                 .set("tt_hits", engine.n_hits));
}
