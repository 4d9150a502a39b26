// Nim with one heap in the compact form, the same search as examples/loggers/nim.cpp; then one that an exception ends.
#include <cmath>
#include <limits>

#include "binary_log.hpp"

struct Row {
    uint32_t parent;
    plyscope::Text32 player;
    double score;
    float alpha, beta;
    plyscope::Key key;
    plyscope::ListOfTexts plies;
    std::array<int16_t, 2> factors;
    uint16_t count;
    plyscope::Text16 ply;
    plyscope::Text8 why;
    plyscope::Word outcome, bound, ending;
    plyscope::Flag in_check;
    int8_t depth;
    uint8_t tt_depth;
};
using Log = plyscope::BinaryLog<Row>;

static double search(Log& log, int heap, int level, int depth, float alpha, float beta, int taken, int& chosen) {
    static const char* const names[] = {"", "take 1", "take 2", "take 3"};
    uint32_t player = log.text(level % 2 ? "second" : "first"), ply = taken ? log.text(names[taken]) : BL_NONE;
    Row& node = log.enter();
    node.player = player, node.ply = ply, node.depth = static_cast<int8_t>(depth), node.alpha = alpha, node.beta = beta;
    if (heap == 0 || depth == 0) {
        double score = heap ? 0 : level - 100;
        Row& left = log.leave();
        left.score = score, left.bound = BL_EXACT, left.outcome = heap ? BL_LEAF : BL_TERMINAL;
        if (!heap) left.ending = BL_LOSS;
        return score;
    }
    double best = -INFINITY;
    int takes = heap < 3 ? heap : 3, reply;
    for (int take = 1; take <= takes && best < beta; ++take) {
        float window = best > alpha ? static_cast<float>(best) : alpha;
        double value = -search(log, heap - take, level + 1, depth - 1, -beta, -window, take, reply);
        if (value > best) best = value, chosen = take;
        if (best >= beta) {
            std::vector<uint32_t> rest;
            for (int other = take + 1; other <= takes; ++other) rest.push_back(log.text(names[other]));
            log.cut(rest);
        }
    }
    Row& left = log.leave();
    left.score = best, left.outcome = best >= beta ? BL_CUTOFF : BL_SEARCHED;
    left.bound = best >= beta ? BL_LOWER : best <= alpha ? BL_UPPER : BL_EXACT;
    return best;
}

int main(int count, char** arguments) {
    const float open = std::numeric_limits<float>::infinity();
    if (count < 3) return 2;
    try {
        Log log(arguments[1],
                R"("game": "nim", "players": ["first", "second"], )"
                R"("search": {"depth": 6, "perspective": "mover", "fail": "soft"})",
                {{"score", &Row::score}, {"player", &Row::player}, {"alpha", &Row::alpha}, {"beta", &Row::beta},
                 {"key", &Row::key}, {"plies", &Row::plies}, {"mine", &Row::factors}, {"count", &Row::count},
                 {"ply", &Row::ply}, {"why", &Row::why}, {"outcome", &Row::outcome}, {"bound", &Row::bound},
                 {"ending", &Row::ending}, {"in_check", &Row::in_check}, {"depth", &Row::depth},
                 {"tt.depth", &Row::tt_depth}},
                static_cast<size_t>(std::atol(arguments[2])));
        int chosen = 0;
        double score = 0;
        {
            auto tree = log.search(6);
            score = search(log, 7, 0, 6, -open, open, 0, chosen);
        }
        if (count > 3) {
            try {
                auto tree = log.search(7);
                uint32_t why = log.text("thrown");
                Row& root = log.enter();
                root.key = 7u, root.in_check = true, root.factors = {1, -2}, root.why = why, root.tt_depth = 3;
                log.json(log.id(), R"("note": [1])");
                log.enter();
                throw std::logic_error("out of time");
            } catch (const std::logic_error&) {
            }
        }
        log.done("\"ply\": \"take " + std::to_string(chosen) + "\", \"score\": " + std::to_string(static_cast<int>(score)));
    } catch (const std::runtime_error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
