// A search log for Plyscope, one JSON line a node: copy this file beside your engine. C++17, no dependencies.
//
//   plyscope::SearchLog log("search.jsonl", R"("game": "nim", "search": {"perspective": "mover"})");
//   auto search = log.search(iteration);                     // around each search from the root
//   log.enter(ply, Fields().set("depth", depth).set("alpha", alpha).set("beta", beta));  // first thing in a node
//   log.cut(plies_not_searched);                             // where beta was reached
//   log.score(best, Fields().set("outcome", "searched").set("bound", "exact"));  // last thing, whatever it returns
//   log.done(Fields().set("ply", chosen).set("score", best));  // after all searches
//
// log.only_below({"e2e4", "e7e5"}), log.only_at(key) and log.max_rows(100000) keep a large search small.
// A log belongs to one thread; each may have its own. Texts are UTF-8, with U+FFFD for each byte that is not; the
// end of the log says on stderr how many these were. The root's ply is empty. Nodes that an exception leaves open are logged as `stopped`.
#pragma once
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace plyscope {

// The id of a node's row, to be kept in a table entry: it is null until it is set, and where a node gets no row.
struct Row {
    long long id = -1;
};

// Throws. A program that is compiled without exceptions ends here, and its last words are the same.
template <class Error> [[noreturn]] void fail(const std::string& reason) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    throw Error(reason);
#else
    std::fprintf(stderr, "%s\n", reason.c_str()), std::abort();
#endif
}

struct Fields;
inline std::string json(const Fields& fields);

// Null (nullptr), numbers, truth values, texts, rows, Fields (an object) and containers (a list) as JSON.
template <class T> std::string json(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_null_pointer_v<T>) {
        return "null";
    } else if constexpr (std::is_same_v<T, Row>) {
        return value.id < 0 ? "null" : std::to_string(value.id);
    } else if constexpr (std::is_arithmetic_v<T>) {
        if (!std::isfinite(double(value)))  // JSON has no infinities: they are texts
            return std::isnan(double(value)) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
        char digits[64];
        return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    } else if constexpr (std::is_convertible_v<T, std::string>) {
        std::string text = "\"";
        for (unsigned char c : std::string(value)) {
            char code[8];
            if (c == '"' || c == '\\') text += '\\';
            if (c < 0x20) std::snprintf(code, sizeof code, "\\u%04x", c), text += code;
            else text += char(c);
        }
        return text + '"';
    } else {
        std::string list;
        for (const auto& each : value) list += (list.empty() ? "" : ", ") + json(typename T::value_type(each));
        return '[' + list + ']';
    }
}

struct Fields {
    std::string text = {};  // each with a comma before it
    template <class T> Fields& set(const char* name, const T& value) {
        text += ", " + json(name) + ": " + json(value);
        return *this;
    }
    bool has(const char* field) const { return text.find(field) != std::string::npos; }
};

inline std::string json(const Fields& fields) {
    return '{' + fields.text.substr(fields.text.empty() ? 0 : 2) + '}';
}

class SearchLog {
public:
    // `header` is the inside of a JSON object. `buffer` is how many bytes may wait in memory. With 0 each line is
    // written at once, so a crash loses nothing; 65536 is faster, and a killed process loses up to that much. Nodes
    // below the level `deepest` (the root is at level 0) get no rows: one `unlogged` row below their last logged
    // ancestor says how many they were. A file that cannot be written throws.
    explicit SearchLog(const char* name, const std::string& header = "", size_t buffer = 0, size_t deepest = SIZE_MAX)
        : SearchLog(std::fopen(name, "wb"), header, buffer, deepest, std::string(name) + " cannot be written") {}
    SearchLog(const SearchLog&) = delete;
    virtual ~SearchLog() {
        std::fclose(file);
        if (n_replaced) std::fprintf(stderr, "search log: %zu bytes were no UTF-8: U+FFFD stands for each\n", n_replaced);
    }

    // From now on log nothing but the way by these plies from the root, and what is below its end.
    void only_below(std::vector<std::string> plies) { below = std::move(plies); }

    // From now on log nothing but the nodes whose field `key` is this one (a text or a number, as it is set there),
    // the way there, and what is below.
    template <class T> void only_at(const T& key) { at = Fields().set("key", key).text + ","; }

    // Give only the root and its plies rows once there are so many; the rest is counted.
    void max_rows(long long n_rows) { most_rows = n_rows; }

    // Log that a node is entered below the one entered last and not left. The row that it returns is for the field
    // `tt`, set("tt", Fields().set("from", row)), where the table entry that this node stores is used later.
    Row enter(const std::string& ply, const Fields& fields = {}) {
        own();
        bool is_at = !at.empty() && (fields.text + ",").find(at) != std::string::npos;
        if (is_at && !above.empty() && above.size() == n_hidden) show_above();
        if (hides(ply, fields, is_at)) {
            ++n_unlogged;
            bool is_aside = fields.has("\"purpose\": \"null\"") || fields.has("\"purpose\": \"probe\"");
            if (++n_hidden == 1 && !is_aside) is_new = unlogged_plies.insert(ply).second;  // once, if searched again
            return {};
        }
        print_unlogged();
        std::string root = path.empty() && !fields.has("\"iteration\": ") ? ", \"iteration\": " + iteration : "";
        Row row = {next_id};
        print(born() + root + (ply.empty() ? "" : ", \"ply\": " + json(ply)) + fields.text);
        path.push_back(row.id);
        return row;
    }

    // Log what the node entered last came to, and leave it. Where it has no score: score(nullptr, …).
    template <class T> void score(T score, const Fields& fields = {}) {
        own();
        if (n_hidden) return above.resize(std::min(above.size(), --n_hidden));
        if (path.empty()) fail<std::logic_error>("score() without enter(): each node is entered once and scored once");
        print_unlogged();
        print("\"id\": " + json(path.back()) + ", \"score\": " + json(score) + fields.text);
        pop();
    }

    // Log the siblings that the node entered last will not search, as one row: their names, or how many they are,
    // or -1 where not even that is known.
    void cut(const std::vector<std::string>& plies, const char* outcome = "pruned") {
        own(), stub(plies.size(), outcome, Fields().set("count", plies.size()).set("plies", plies));
    }
    void cut(int count = -1, const char* outcome = "pruned") {
        own(), stub(count, outcome, count < 0 ? Fields() : Fields().set("count", count));
    }

    // Log the nodes that are still open as stopped: the next one entered is a root.
    void abandon() {
        leave_to(0);
        check(std::fflush(file) == 0);
    }

    // Leaves what was entered since as stopped, when it goes out of scope: keep it in a variable.
    class [[nodiscard]] Scope {
    public:
        Scope(const Scope&) = delete;
        ~Scope() { log.may_fail = false, log.leave_to(height), log.may_fail = true; }
    protected:
        friend class SearchLog;
        explicit Scope(SearchLog& owner) : log(owner), height(log.path.size() + log.n_hidden) {}
        SearchLog& log;
        const size_t height;
    };

    // One search from the root. However its scope is left, the next one begins at the root again.
    Scope search(int number) {
        abandon();
        iteration = json(number);
        return Scope(*this);
    }

    // A node that is stopped where its scope is left without a score.
    class [[nodiscard]] Node : public Scope {
    public:
        const Row row;
        template <class T> void score(T score, const Fields& fields = {}) {
            log.leave_to(height + 1);  // what is still open below was stopped
            log.score(score, fields);
        }
    private:
        friend class SearchLog;
        Node(SearchLog& owner, const std::string& ply, const Fields& fields)
            : Scope(owner), row(owner.enter(ply, fields)) {}
    };
    Node node(const std::string& ply, const Fields& fields = {}) { return Node(*this, ply, fields); }

    // Log the choice, and write what waits in the buffer.
    void done(const Fields& result = {}) {
        abandon();
        print("\"result\": " + json(result));
        check(std::fflush(file) == 0);
    }

protected:
    std::FILE* file;
    std::vector<long long> path;  // the ids of the nodes entered and not left

    SearchLog(std::FILE* opened, const std::string& header, size_t buffer, size_t deepest, const std::string& reason)
        : file(opened), waiting(buffer), max_level(deepest) {
        if (!file) fail<std::runtime_error>(reason);
        if (buffer) std::setvbuf(file, waiting.data(), _IOFBF, buffer);
        print("\"plyscope\": 1" + (header.empty() ? "" : ", " + header));
    }
    virtual void lost() { fail<std::runtime_error>("the search log cannot be written"); }
    void check(bool is_written) { if (!is_written && may_fail) lost(); }
    void print(const std::string& fields) {
        std::string line = '{' + utf8(fields) + "}\n";
        check(std::fwrite(line.data(), 1, line.size(), file) == line.size());
        if (waiting.empty()) check(std::fflush(file) == 0);
    }

private:
    std::vector<char> waiting;
    size_t max_level;
    long long next_id = 0;
    std::string iteration = "null";
    size_t n_hidden = 0;    // how many nodes below `path` are entered and not left
    size_t n_unlogged = 0;  // how many nodes the next `unlogged` row stands for
    std::set<std::string> unlogged_plies;
    std::vector<std::string> below;  // the plies that lead to what is wanted
    std::string at;                  // its key, as a field
    size_t inside = SIZE_MAX;        // the height of the node of this key that is open
    std::vector<std::pair<std::string, std::string>> above;  // hidden nodes on the way to such a node
    bool is_new = false;             // whether the first of them gave `unlogged_plies` its ply
    long long most_rows = INT64_MAX;
    bool may_fail = true;  // but while a scope ends: another exception may be on its way

    size_t n_replaced = 0;           // bytes that were no UTF-8
    const void* thread = nullptr;    // that entered the root

    void own() {
        if (path.empty() && n_hidden == 0) thread = &errno;  // which each thread has for itself
        if (thread != &errno) fail<std::logic_error>("a search log belongs to one thread: open one for each");
    }
    // The text with U+FFFD for each byte that is no UTF-8.
    std::string utf8(const std::string& text) {
        std::string clean;
        auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
        for (size_t i = 0, n, k; i < text.size(); i += n ? n : 1) {
            unsigned c = byte(i), d = byte(i + 1);
            n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
            for (k = 1; k < n; ++k)
                if ((byte(i + k) & 0xC0) != 0x80) n = 0;
            if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d > 0x9F) || (c == 0xF0 && d < 0x90) || (c == 0xF4 && d > 0x8F)) n = 0;
            if (n) clean.append(text, i, n);
            else clean += "\xEF\xBF\xBD", ++n_replaced;
        }
        return clean;
    }
    std::string born() {
        return "\"id\": " + json(next_id++) + (path.empty() ? "" : ", \"parent\": " + json(path.back()));
    }
    void pop() {
        path.pop_back();
        if (path.size() <= inside) inside = SIZE_MAX;
    }

    // Whether the node that is entered gets no row.
    bool hides(const std::string& ply, const Fields& fields, bool is_at) {
        size_t level = path.size() + n_hidden;
        if (n_hidden != above.size() || level > max_level || (level > 1 && next_id >= most_rows)) return true;
        if (level > 0 && level <= below.size() && ply != below[level - 1]) return true;
        if (at.empty() || inside != SIZE_MAX) return false;
        if (is_at) inside = level;
        else if (level > 0) above.push_back({ply, fields.text});
        return !above.empty();
    }

    // Print the hidden nodes on the way to the one that is entered, as if they had been wanted.
    void show_above() {
        auto shown = std::move(above);
        above.clear(), n_hidden = 0, n_unlogged -= shown.size();
        if (is_new) unlogged_plies.erase(shown[0].first);
        for (const auto& [ply, fields] : shown) {
            print_unlogged();
            long long id = next_id;
            print(born() + ", \"ply\": " + json(ply) + fields);
            path.push_back(id);
        }
    }
    void stub(long long count, const char* outcome, const Fields& known) {
        if (n_hidden || count == 0) return;
        if (path.empty()) fail<std::logic_error>("cut() without enter(): it belongs into a node");
        print_unlogged();
        print(born() + ", \"outcome\": " + json(outcome) + known.text);
    }
    void print_unlogged() {
        if (n_unlogged == 0) return;
        Fields known = Fields().set("count", unlogged_plies.size()).set("nodes", n_unlogged);
        n_unlogged = 0, unlogged_plies.clear();
        stub(1, "unlogged", known);
    }
    void leave_to(size_t height) {
        n_hidden = std::min(n_hidden, height > path.size() ? height - path.size() : 0);
        above.resize(std::min(above.size(), n_hidden));
        for (; path.size() > height; pop()) {
            print_unlogged();
            print("\"id\": " + json(path.back()) + ", \"outcome\": \"stopped\"");
        }
    }
};

}  // namespace plyscope
