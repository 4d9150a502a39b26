// A search log for Plyscope, one JSON line a node: copy this file beside your engine. C++17, no dependencies.
//   plyscope::SearchLog log("search.jsonl", R"("game": "nim", "search": {"perspective": "mover"})");
//   log.enter(ply, plyscope::Fields().set("depth", depth).set("alpha", alpha).set("beta", beta));
//   log.score(best, plyscope::Fields().set("outcome", "searched").set("bound", "exact"));
//   log.cut(plies_not_searched), log.done(plyscope::Fields().set("ply", chosen).set("score", best));
// Texts are UTF-8, the root's ply is empty. Lines are flushed one by one, so a crash leaves a log that opens.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>
namespace plyscope {
template <class T> std::string json(const T& value) {
    if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
    else if constexpr (std::is_arithmetic_v<T>) {  // JSON has no infinities: they are texts
        if (!std::isfinite(double(value))) return std::isnan(double(value)) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
        char digits[64];
        return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    } else {
        std::string text; char one[8];
        for (unsigned char c : std::string(value))
            std::snprintf(one, sizeof one, c < 0x20 ? "\\u%04x" : c == '"' || c == '\\' ? "\\%c" : "%c", c), text += one;
        return '"' + text + '"';
    }
}
struct Fields {
    std::string text = {};
    template <class T> Fields& set(const char* name, const T& value) {
        return text += ", " + json(name) + ": " + json(value), *this; }
};
class SearchLog {
    std::ofstream file;
    std::vector<long long> path;
    long long next_id = 0;
    void write(const std::string& fields) { file << '{' << fields << '}' << std::endl; }
    std::string born() { return "\"id\": " + json(next_id++) + (path.empty() ? "" : ", \"parent\": " + json(path.back())); }
public:
    explicit SearchLog(const char* name, const std::string& header = "") {
        file.exceptions(std::ios::failbit | std::ios::badbit), file.open(name);  // a file that fails throws
        write("\"plyscope\": 1" + (header.empty() ? "" : ", " + header));
    }
    void enter(const std::string& ply, Fields fields = {}) {
        write(born() + (ply.empty() ? "" : ", \"ply\": " + json(ply)) + fields.text), path.push_back(next_id - 1);
    }
    template <class T> void score(T score, Fields fields = {}) {
        write("\"id\": " + json(path.at(path.size() - 1)) + ", \"score\": " + json(score) + fields.text), path.pop_back();
    }
    void cut(const std::vector<std::string>& plies, const char* outcome = "pruned") {
        if (plies.empty()) return;
        std::string names;
        for (const auto& ply : plies) names += (names.empty() ? "" : ", ") + json(ply);
        write(born() + Fields().set("outcome", outcome).set("count", plies.size()).text + ", \"plies\": [" + names + "]");
    }
    void done(Fields result = {}) { write("\"result\": {" + result.text.erase(0, 2) + "}"); }
};
}  // namespace plyscope
