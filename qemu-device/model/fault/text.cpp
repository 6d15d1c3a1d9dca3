// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rules as text. One table says which fields a kind takes and which it needs.
#include "fault/rule.hpp"

#include "capi.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <string_view>

namespace eoe::fault {

namespace {

using std::string_view;

enum Field : std::uint32_t {
    f_kind,
    f_dir,
    f_channel,
    f_port,
    f_error,
    f_checksum,
    f_bytes,
    f_min_bytes,
    f_count,
    f_probability,
    f_seed,
    f_after,
    f_for,
    f_hold,
    f_every,
    f_count_of_fields
};

constexpr std::array<string_view, f_count_of_fields> kFieldNames = {
    "kind",  "dir",         "channel", "port",  "error", "checksum", "bytes", "min-bytes",
    "count", "probability", "seed",    "after", "for",   "hold",     "every",
};

constexpr std::uint32_t bit(Field field) {
    return 1U << field;
}

/// Every kind takes these.
constexpr std::uint32_t kCommon =
    bit(f_kind) | bit(f_count) | bit(f_probability) | bit(f_seed) | bit(f_after) | bit(f_for);
constexpr std::uint32_t kFrame = kCommon | bit(f_dir) | bit(f_min_bytes);
constexpr std::uint32_t kChannel = kCommon | bit(f_dir) | bit(f_channel);

struct KindFields {
    string_view name;
    std::uint32_t takes = 0;
    std::uint32_t needs = 0;
};

/// In the order of Kind.
constexpr auto kKinds = std::to_array<KindFields>({
    {"drop", kFrame, bit(f_dir)},
    {"corrupt-payload", kFrame, bit(f_dir)},
    {"corrupt-checksum", kFrame | bit(f_checksum), bit(f_dir)},
    {"truncate", kFrame | bit(f_bytes), bit(f_dir)},
    {"duplicate", kFrame, bit(f_dir)},
    {"bad-fcs", kFrame & ~bit(f_dir), 0},
    {"bd-error", kChannel | bit(f_error), bit(f_dir) | bit(f_error)},
    {"irq-lost", kChannel, bit(f_dir)},
    {"irq-late", kChannel | bit(f_hold), bit(f_dir) | bit(f_hold)},
    {"irq-spurious", kChannel | bit(f_hold) | bit(f_every), bit(f_dir) | bit(f_channel)},
    {"stall", kChannel | bit(f_hold), bit(f_dir)},
    {"sync", kChannel, bit(f_dir)},
    {"block-lock", kCommon | bit(f_hold) | bit(f_every), 0},
    {"dma-reset", kCommon | bit(f_hold), 0},
    {"gt-reset", kCommon | bit(f_hold), 0},
    {"gro-busy", kCommon | bit(f_port) | bit(f_hold), 0},
    {"gone", kCommon | bit(f_hold) | bit(f_every), 0},
});

/// In the order of BdError.
constexpr auto kErrors = std::to_array<string_view>(
    {"dma-internal", "dma-slave", "dma-decode", "sg-internal", "sg-slave", "sg-decode"});
/// In the order of Checksum.
constexpr auto kChecksums = std::to_array<string_view>({"l4", "ip"});
/// In the order of Dir; the second pair is what the cable calls them.
constexpr auto kDirs = std::to_array<string_view>({"mm2s", "s2mm", "tx", "rx"});

struct Unit {
    string_view name;
    std::int64_t nanos = 1;
};
constexpr auto kUnits = std::to_array<Unit>(
    {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}, {"", 1}});

/// In ns; anything faster would only keep the machine from its work.
constexpr std::int64_t kShortestPeriod = 1000;

/// Frames go out and come in; mm2s and s2mm are the engine's words.
constexpr bool speaks_of_frames(Kind kind) {
    return kind <= Kind::bad_fcs;
}

[[gnu::format(printf, 2, 3)]] bool refuse(std::span<char> error, const char *format, ...) {
    std::va_list args;
    va_start(args, format);
    (void)std::vsnprintf(error.data(), error.size(), format, args);
    va_end(args);
    return false;
}

constexpr int width(string_view text) {
    // What a rule's author mistyped is quoted, but not at any length.
    return static_cast<int>(std::min<std::size_t>(text.size(), 40));
}

template <std::size_t N>
bool find_name(const std::array<string_view, N> &names, string_view name, std::size_t &index) {
    index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    return index < N;
}

/// Refuse a word and list those that would do.
template <std::size_t N>
bool refuse_word(string_view field, string_view word, const std::array<string_view, N> &names,
                 std::span<char> error) {
    std::array<char, kTextBytes> list{};
    std::size_t used = 0;
    for (const string_view name : names) {
        used += static_cast<std::size_t>(std::snprintf(list.data() + used, list.size() - used,
                                                       "%s%.*s", used == 0 ? "" : ", ", width(name),
                                                       name.data()));
    }
    return refuse(error, "%.*s is '%.*s' but must be one of %s", width(field), field.data(),
                  width(word), word.data(), list.data());
}

bool read_number(string_view text, std::uint64_t &value) {
    const auto end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, value);
    return problem == std::errc{} && stop == end;
}

template <typename T>
bool read_into(string_view field, string_view text, std::uint64_t low, std::uint64_t high, T &to,
               std::span<char> error) {
    std::uint64_t value = 0;
    if (!read_number(text, value) || value < low || value > high) {
        return refuse(error, "%.*s is '%.*s' but must be a number between %" PRIu64 " and %" PRIu64,
                      width(field), field.data(), width(text), text.data(), low, high);
    }
    to = static_cast<T>(value);
    return true;
}

bool read_time(string_view field, string_view text, std::int64_t low, Nanos &to,
               std::span<char> error) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const string_view unit = text.substr(digits);
    const auto known = std::find_if(kUnits.begin(), kUnits.end(),
                                    [unit](const Unit &u) { return u.name == unit; });
    std::uint64_t value = 0;
    if (known == kUnits.end() || !read_number(text.substr(0, digits), value) ||
        value > static_cast<std::uint64_t>(kMaxTime / known->nanos) ||
        static_cast<std::int64_t>(value) * known->nanos < low) {
        return refuse(error,
                      "%.*s is '%.*s' but must be a number of ns, us, ms or s (\"5ms\") between "
                      "%" PRId64 " ns and %" PRId64 " s",
                      width(field), field.data(), width(text), text.data(), low,
                      kMaxTime / 1'000'000'000);
    }
    to = Nanos{static_cast<std::int64_t>(value) * known->nanos};
    return true;
}

/// "0.25", in parts of kCertain; above 0, up to 1, nine digits.
bool read_probability(string_view text, std::uint32_t &to, std::span<char> error) {
    constexpr std::size_t digits = 9;
    const std::size_t dot = std::min(text.find('.'), text.size());
    const string_view whole = text.substr(0, dot);
    string_view part = text.substr(std::min(dot + 1, text.size()));
    std::uint64_t parts = 0;
    bool good = (whole == "0" || whole == "1") && part.size() <= digits &&
                part.find_first_not_of("0123456789") == string_view::npos &&
                (dot == text.size() || !part.empty());
    if (good) {
        for (std::size_t i = 0; i < digits; ++i) {
            parts = parts * 10 + (i < part.size() ? static_cast<std::uint64_t>(part[i] - '0') : 0);
        }
        parts += whole == "1" ? kCertain : 0;
        good = parts > 0 && parts <= kCertain;
    }
    if (!good) {
        return refuse(error,
                      "probability is '%.*s' but must be above 0 and up to 1, with at most nine "
                      "digits behind the point",
                      width(text), text.data());
    }
    to = static_cast<std::uint32_t>(parts);
    return true;
}

template <typename E, std::size_t N>
bool read_word(string_view field, string_view text, const std::array<string_view, N> &names, E &to,
               std::span<char> error) {
    std::size_t index = 0;
    if (!find_name(names, text, index)) {
        return refuse_word(field, text, names, error);
    }
    to = static_cast<E>(index);
    return true;
}

bool read_kind(string_view text, Kind &kind, std::span<char> error) {
    std::array<string_view, kKinds.size()> names{};
    std::transform(kKinds.begin(), kKinds.end(), names.begin(),
                   [](const KindFields &k) { return k.name; });
    return read_word("kind", text, names, kind, error);
}

bool read_dir(string_view text, Dir &dir, std::span<char> error) {
    std::size_t index = 0;
    if (!read_word("dir", text, kDirs, index, error)) {
        return false;
    }
    dir = static_cast<Dir>(index % 2);
    return true;
}

bool read_field(Field field, string_view text, Rule &rule, std::span<char> error) {
    constexpr std::uint64_t kMaxWord = 0xFFFFFFFF;
    const string_view name = kFieldNames[field];
    switch (field) {
    case f_kind:
        return read_kind(text, rule.kind, error);
    case f_dir:
        return read_dir(text, rule.dir, error);
    case f_channel:
        return read_into(name, text, 1, XEOE_MAX_CHANNELS, rule.channel, error);
    case f_port:
        return read_into(name, text, 1, XEOE_MAX_GRO_PORTS, rule.port, error);
    case f_error:
        return read_word(name, text, kErrors, rule.error, error);
    case f_checksum:
        return read_word(name, text, kChecksums, rule.checksum, error);
    case f_bytes:
        return read_into(name, text, 1, XEOE_MAX_FRAME, rule.bytes, error);
    case f_min_bytes:
        return read_into(name, text, 1, XEOE_MAX_FRAME, rule.min_bytes, error);
    case f_count:
        return read_into(name, text, 1, kMaxWord, rule.count, error);
    case f_probability:
        return read_probability(text, rule.probability, error);
    case f_seed:
        return read_into(name, text, 0, ~std::uint64_t{0}, rule.seed, error);
    case f_after:
        return read_time(name, text, 0, rule.after, error);
    case f_for:
        return read_time(name, text, 1, rule.span, error);
    case f_hold:
        return read_time(name, text, 1, rule.hold, error);
    case f_every:
        return read_time(name, text, kShortestPeriod, rule.every, error);
    case f_count_of_fields:
        break;
    }
    return false;
}

bool read_pair(string_view pair, Rule &rule, std::uint32_t &given, std::span<char> error) {
    const std::size_t equals = pair.find('=');
    if (equals == string_view::npos) {
        return refuse(error, "'%.*s' is not of the form field=value", width(pair), pair.data());
    }
    const string_view name = pair.substr(0, equals);
    std::size_t index = 0;
    if (!find_name(kFieldNames, name, index)) {
        return refuse_word("a field", name, kFieldNames, error);
    }
    if ((given >> index & 1) != 0) {
        return refuse(error, "%.*s is given twice", width(name), name.data());
    }
    given |= 1U << index;
    return read_field(static_cast<Field>(index), pair.substr(equals + 1), rule, error);
}

/// Do the fields that were given belong together?
bool check_fields(const Rule &rule, std::uint32_t given, std::span<char> error) {
    if ((given & bit(f_kind)) == 0) {
        return refuse(error, "kind is missing");
    }
    const KindFields &kind = kKinds[static_cast<std::size_t>(rule.kind)];
    for (std::size_t i = 0; i < kFieldNames.size(); ++i) {
        const string_view name = kFieldNames[i];
        if ((given & ~kind.takes) >> i & 1) {
            return refuse(error, "%.*s does not go with kind=%.*s", width(name), name.data(),
                          width(kind.name), kind.name.data());
        }
        if ((kind.needs & ~given) >> i & 1) {
            return refuse(error, "%.*s is missing, which kind=%.*s needs", width(name), name.data(),
                          width(kind.name), kind.name.data());
        }
    }
    if ((kind.takes & bit(f_every)) != 0 && rule.count > 1 && rule.every == kUnset) {
        return refuse(error,
                      "every is missing: count is %" PRIu32 " and kind=%.*s waits for "
                      "nothing else in between",
                      rule.count, width(kind.name), kind.name.data());
    }
    return true;
}

class Printer {
public:
    explicit Printer(std::span<char> to) : to_(to) {}
    [[gnu::format(printf, 2, 3)]] void add(const char *format, ...) {
        std::va_list args;
        va_start(args, format);
        const int wanted = std::vsnprintf(to_.data() + used_, to_.size() - used_, format, args);
        va_end(args);
        used_ = std::min(used_ + static_cast<std::size_t>(std::max(wanted, 0)),
                         to_.empty() ? 0 : to_.size() - 1);
    }
    void word(const char *field, string_view value) {
        add(",%s=%.*s", field, width(value), value.data());
    }
    void number(const char *field, std::uint64_t value, std::uint64_t unless) {
        if (value != unless) {
            add(",%s=%" PRIu64, field, value);
        }
    }
    void time(const char *field, Nanos value) {
        if (value == kUnset) {
            return;
        }
        const Unit *best = kUnits.begin();
        for (const Unit &unit : kUnits) {
            best = unit.nanos > best->nanos && value.count() % unit.nanos == 0 ? &unit : best;
        }
        add(",%s=%" PRId64 "%.*s", field, static_cast<std::int64_t>(value.count()) / best->nanos,
            width(best->name), best->name.data());
    }
    void probability(std::uint32_t value) {
        if (value == kCertain) {
            return;
        }
        std::array<char, 16> digits{};
        int length = std::snprintf(digits.data(), digits.size(), "%09" PRIu32, value);
        while (length > 1 && digits[static_cast<std::size_t>(length - 1)] == '0') {
            --length;
        }
        add(",probability=0.%.*s", length, digits.data());
    }
    [[nodiscard]] std::size_t used() const { return used_; }

private:
    std::span<char> to_;
    std::size_t used_ = 0;
};

} // namespace

bool parse(const char *text, Rule &rule, std::span<char> error) {
    rule = Rule{};
    std::uint32_t given = 0;
    string_view rest(text);
    while (true) {
        const std::size_t comma = rest.find(',');
        if (!read_pair(rest.substr(0, comma), rule, given, error)) {
            return false;
        }
        if (comma == string_view::npos) {
            break;
        }
        rest.remove_prefix(comma + 1);
    }
    if (rule.kind == Kind::bad_fcs) {
        rule.dir = Dir::s2mm; // a wrong FCS is a matter of what comes in
    }
    return check_fields(rule, given, error);
}

const char *name_of(Kind kind) {
    return kKinds[static_cast<std::size_t>(kind)].name.data();
}

std::size_t print(const Rule &rule, std::span<char> to) {
    Printer out(to);
    const KindFields &kind = kKinds[static_cast<std::size_t>(rule.kind)];
    out.add("kind=%.*s", width(kind.name), kind.name.data());
    if ((kind.takes & bit(f_dir)) != 0) {
        out.word(
            "dir",
            kDirs[static_cast<std::size_t>(rule.dir) + (speaks_of_frames(rule.kind) ? 2U : 0U)]);
    }
    out.number("channel", rule.channel, 0);
    out.number("port", rule.port, 0);
    if (rule.kind == Kind::bd_error) {
        out.word("error", kErrors[static_cast<std::size_t>(rule.error)]);
    }
    if (rule.checksum != Checksum::l4) {
        out.word("checksum", kChecksums[static_cast<std::size_t>(rule.checksum)]);
    }
    out.number("bytes", rule.bytes, 0);
    out.number("min-bytes", rule.min_bytes, 0);
    out.number("count", rule.count, 0);
    out.probability(rule.probability);
    out.number("seed", rule.seed, 1);
    out.time("after", rule.after);
    out.time("for", rule.span);
    out.time("hold", rule.hold);
    out.time("every", rule.every);
    return out.used();
}

} // namespace eoe::fault
