// A compact search log for Plyscope (.plyb) in C++17: copy this file and binary_log.h beside your engine.
//
//   struct Row {
//       uint32_t parent;  // first; the logger fills it in
//       int16_t alpha, beta, score;
//       int8_t depth;
//       plyscope::Text8 ply;
//       plyscope::Word outcome, bound;
//   };
//   plyscope::BinaryLog<Row> log("search.plyb", R"("game": "nim", "search": {"perspective": "mover"})",
//                                {{"alpha", &Row::alpha}, {"beta", &Row::beta}, {"outcome", &Row::outcome}, ...});
//   auto search = log.search(iteration);          // around each search from the root
//   Row& node = log.enter();                      // first thing in a node: a row that states nothing yet,
//   node.depth = depth, node.ply = names[ply];    // to be filled in before the next call
//   log.cut(plies_not_searched);                  // where beta was reached
//   Row& left = log.leave();                      // last thing, whatever it returns: its row again
//   left.score = best, left.outcome = BL_SEARCHED;
//   log.done(R"("ply": "e4", "score": 12)");      // after all searches
//
// Texts are UTF-8. A log belongs to one thread. Nodes that an exception leaves open are logged as stopped.
#pragma once
#include <algorithm>
#include <array>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "binary_log.h"

namespace plyscope {

// Members of a row that are more than numbers; what is assigned to them is what the row says.
template <class Stored, int type_code> struct Coded {
    static constexpr int type = type_code;
    Stored code;
    template <class Number> Coded& operator=(Number number) {
        code = static_cast<Stored>(number);
        return *this;
    }
};
using Word = Coded<uint8_t, BL_WORD>;       // BL_CUTOFF and the like
using Flag = Coded<uint8_t, BL_FLAG>;       // true or false
using Key = Coded<uint64_t, BL_KEY>;        // of a position
using Text8 = Coded<uint8_t, BL_TEXT8>;     // numbers that text() returned: up to 255 texts,
using Text16 = Coded<uint16_t, BL_TEXT16>;  // 65,535,
using Text32 = Coded<uint32_t, BL_TEXT>;    // or more
using ListOfTexts = bl_list_of_texts;       // what list() returned

template <class T, class = void> struct TypeOf {
    static_assert(std::is_arithmetic_v<T>, "a member is a number, a Word, Flag, Key, Text or ListOfTexts");
    static_assert(!std::is_same_v<T, bool>, "a bool cannot say that nothing is stated: use Flag");
    static constexpr int whole = (sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3);
    static constexpr int code = std::is_floating_point_v<T> ? (sizeof(T) == 4 ? BL_F32 : BL_F64)
                                : std::is_signed_v<T>       ? BL_I8 + whole
                                                            : BL_U8 + whole;
    static constexpr unsigned count = 0;
};
template <class T> struct TypeOf<T, std::void_t<decltype(T::type)>> {
    static constexpr int code = T::type;
    static constexpr unsigned count = 0;
};
template <> struct TypeOf<ListOfTexts> {
    static constexpr int code = BL_LIST_OF_TEXTS;
    static constexpr unsigned count = 0;
};
template <class T, size_t n> struct TypeOf<std::array<T, n>> {  // a list of numbers
    static constexpr int code = TypeOf<T>::code;
    static constexpr unsigned count = n;
};

template <class Row> class BinaryLog {
    static_assert(std::is_trivially_copyable_v<Row> && std::is_standard_layout_v<Row>, "a row is copied byte by byte");
    static_assert(std::is_same_v<decltype(Row::parent), uint32_t> && offsetof(Row, parent) == 0,
                  "a row begins with uint32_t parent");
    static_assert(alignof(Row) <= 16 && sizeof(Row) <= 65536, "a row has at most 65,536 bytes");

public:
    // What a member of the row is called in the log.
    struct Field : bl_field {
        template <class Member> Field(const char* field, Member Row::*member) {
            static const Row sample = {};
            name = field, type = TypeOf<Member>::code, count = TypeOf<Member>::count;
            at = static_cast<size_t>(reinterpret_cast<const char*>(&(sample.*member)) -
                                     reinterpret_cast<const char*>(&sample));
        }
    };

    // `header` is the inside of a JSON object, `buffer` how many bytes may wait in memory. Nodes below the level
    // `deepest` (the root is at level 0; -1 is no limit) get no rows. A file that cannot be written throws.
    BinaryLog(const char* name, const std::string& header, std::initializer_list<Field> members,
              size_t buffer = 1 << 20, int deepest = -1)
        : fields(in_order(members)) {
        if (!bl_open(&log, name, header.empty() ? nullptr : header.c_str(), fields.data(), sizeof(Row), buffer, deepest))
            fail(std::string(name) + " cannot be written");
    }
#ifdef LIVE_BINARY_LOG_H
    // Begin a log on a port of this machine, where `plyscope view --listen` shows it. Nobody there throws.
    BinaryLog(int port, const std::string& header, std::initializer_list<Field> members, size_t buffer = 1 << 20,
              int deepest = -1)
        : fields(in_order(members)) {
        if (!bl_connect(&log, port, header.empty() ? nullptr : header.c_str(), fields.data(), sizeof(Row), buffer,
                        deepest))
            fail("no viewer to log to");
    }

    // Hold the search here until the page says go on. A log that is no socket's goes on at once.
    void breakpoint(const std::string& why = "") { bl_breakpoint(&log, why.c_str()); }
#endif
    ~BinaryLog() { bl_close(&log); }
    BinaryLog(const BinaryLog&) = delete;
    BinaryLog& operator=(const BinaryLog&) = delete;

    // The number of a text, which is written once, and a list of such numbers.
    uint32_t text(std::string_view text) { return bl_text(&log, std::string(text).c_str()); }
    ListOfTexts list(const std::vector<uint32_t>& texts) {
        return bl_list(&log, texts.data(), static_cast<int>(texts.size()));
    }

    Row& enter() { return *static_cast<Row*>(bl_enter(&log)); }
    Row& enter(uint32_t ply) { return *static_cast<Row*>(bl_enter_by(&log, ply)); }  // the number of its name, or BL_NONE
    Row& leave() { return *static_cast<Row*>(bl_leave(&log)); }
    void stop() { bl_stop(&log); }
    void abandon() { bl_abandon(&log); }

    // Log only what is below these plies, where nodes are entered by their plies; only so many rows.
    void only_below(const std::vector<std::string>& plies) {
        below.clear();
        for (const std::string& ply : plies) below.push_back(text(ply));
        bl_only_below(&log, below.data(), static_cast<int>(below.size()));
    }
    void max_rows(uint32_t n_rows) { bl_max_rows(&log, n_rows); }

    // The id of the node entered last, for a field `tt.from`; BL_NONE where it gets no row.
    uint32_t id() const { return bl_id(&log); }

    // State what the row has no field for: `fields` is the inside of a JSON object.
    void json(uint32_t node, const std::string& more) { bl_json(&log, node, more.c_str()); }

    // Log the siblings that will not be searched: by the numbers of their names, or how many (-1: not known).
    void cut(const std::vector<uint32_t>& plies, int why = BL_PRUNED) {
        bl_cut(&log, plies.data(), static_cast<int>(plies.size()), why);
    }
    void cut(int n, int why = BL_PRUNED) { bl_cut(&log, nullptr, n, why); }

    // One search from the root. However its scope is left, the next one begins at the root again.
    class [[nodiscard]] Search {
    public:
        Search(const Search&) = delete;
        Search& operator=(const Search&) = delete;
        ~Search() { bl_abandon(&log); }
    private:
        friend class BinaryLog;
        explicit Search(bl_log& of) : log(of) {}
        bl_log& log;
    };
    Search search(int iteration) {
        bl_search(&log, iteration);
        return Search(log);
    }

    // Log the choice (the inside of a JSON object) and write all that waits. Throws where something was not written.
    void done(const std::string& chosen = "") {
        bl_done(&log, chosen.empty() ? nullptr : chosen.c_str());
        if (log.has_failed) fail("the search log cannot be written");
    }

private:
    bl_log log;
    std::vector<bl_field> fields;
    std::vector<uint32_t> below;

    static std::vector<bl_field> in_order(std::initializer_list<Field> members) {
        std::vector<bl_field> fields(members.begin(), members.end());
        fields.push_back(Field("parent", &Row::parent));
        std::sort(fields.begin(), fields.end(), [](const bl_field& a, const bl_field& b) { return a.at < b.at; });
        fields.push_back(BL_END);
        return fields;
    }

    // Throws. A program that is compiled without exceptions ends here, and its last words are the same.
    [[noreturn]] static void fail(const std::string& reason) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
        throw std::runtime_error(reason);
#else
        std::fprintf(stderr, "%s\n", reason.c_str()), std::abort();
#endif
    }
};

}  // namespace plyscope
