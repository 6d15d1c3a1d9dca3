// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fault rules: how they are written, and when they fire.
#include "harness.hpp"

#include <string>

namespace {

using namespace unit;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// The sentence a bad rule is refused with; "" when it is taken.
std::string refusal(Machine &m, const char *text) {
    std::array<char, 400> error{};
    return m.port->add_fault(text, error) ? "" : std::string(error.data());
}

void add(Machine &m, const char *text) {
    assert_string_equal(refusal(m, text).c_str(), "");
}

std::string list(Machine &m) {
    std::array<char, XEOE_FAULT_LIST_BYTES> text{};
    const std::size_t used = m.port->list_faults(text);
    assert_int_equal(std::string(text.data()).size(), used);
    return text.data();
}

/// How the rule stands in the list, behind "rule=1 fired=0 state=active ".
std::string as_kept(const char *text) {
    Machine m;
    add(m, text);
    const std::string line = list(m);
    return line.substr(line.find("kind="));
}

void rules_are_kept_as_written(void **) {
    for (const char *text : {
             "kind=drop,dir=rx",
             "kind=drop,dir=tx,min-bytes=200,count=3,probability=0.01,seed=7",
             "kind=corrupt-payload,dir=tx",
             "kind=corrupt-checksum,dir=rx,checksum=ip",
             "kind=truncate,dir=rx,bytes=60",
             "kind=duplicate,dir=tx,after=5ms,for=2s",
             "kind=bad-fcs,count=1",
             "kind=bd-error,dir=mm2s,channel=4,error=dma-decode",
             "kind=bd-error,dir=s2mm,error=sg-internal",
             "kind=irq-lost,dir=mm2s,channel=16",
             "kind=irq-late,dir=s2mm,hold=250us",
             "kind=irq-spurious,dir=mm2s,channel=1,count=5,every=10ms",
             "kind=stall,dir=mm2s,channel=2,hold=3s",
             "kind=sync,dir=mm2s",
             "kind=block-lock,hold=1501ns",
             "kind=dma-reset,count=1",
             "kind=gt-reset,hold=20ms",
             "kind=gro-busy,port=15",
             "kind=gone,hold=2s",
         }) {
        assert_string_equal(as_kept(text).c_str(), text);
    }
}

void other_ways_to_write_the_same(void **) {
    assert_string_equal(as_kept("dir=s2mm,kind=drop").c_str(), "kind=drop,dir=rx");
    assert_string_equal(as_kept("kind=stall,dir=tx").c_str(), "kind=stall,dir=mm2s");
    assert_string_equal(as_kept("kind=drop,dir=rx,after=5000000").c_str(),
                        "kind=drop,dir=rx,after=5ms");
    assert_string_equal(as_kept("kind=drop,dir=rx,probability=1.0").c_str(), "kind=drop,dir=rx");
    assert_string_equal(as_kept("kind=drop,dir=rx,probability=0.000000001").c_str(),
                        "kind=drop,dir=rx,probability=0.000000001");
    assert_string_equal(as_kept("kind=drop,dir=rx,seed=18446744073709551615").c_str(),
                        "kind=drop,dir=rx,seed=18446744073709551615");
}

void bad_rules_are_refused_by_field(void **) {
    const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"", "'' is not of the form field=value"},
        {"drop", "'drop' is not of the form field=value"},
        {"kind=drop,", "'' is not of the form field=value"},
        {"dir=rx", "kind is missing"},
        {"kind=melt,dir=rx", "kind is 'melt' but must be one of drop, corrupt-payload, "},
        {"kind=drop", "dir is missing, which kind=drop needs"},
        {"kind=drop,dir=up", "dir is 'up' but must be one of mm2s, s2mm, tx, rx"},
        {"kind=drop,dir=rx,dir=rx", "dir is given twice"},
        {"kind=drop,dir=rx,colour=red", "a field is 'colour' but must be one of kind, dir, "},
        {"kind=drop,dir=rx,channel=1", "channel does not go with kind=drop"},
        {"kind=drop,dir=rx,hold=1ms", "hold does not go with kind=drop"},
        {"kind=bad-fcs,dir=rx", "dir does not go with kind=bad-fcs"},
        {"kind=bd-error,dir=mm2s", "error is missing, which kind=bd-error needs"},
        {"kind=bd-error,dir=mm2s,error=odd", "error is 'odd' but must be one of dma-internal, "},
        {"kind=stall,dir=mm2s,channel=0", "channel is '0' but must be a number between 1 and 16"},
        {"kind=stall,dir=mm2s,channel=17", "channel is '17' but must be a number between 1 and 16"},
        {"kind=gro-busy,port=16", "port is '16' but must be a number between 1 and 15"},
        {"kind=drop,dir=rx,count=0", "count is '0' but must be a number between 1 and 4294967295"},
        {"kind=drop,dir=rx,count=-1", "count is '-1' but must be a number"},
        {"kind=drop,dir=rx,count=3x", "count is '3x' but must be a number"},
        {"kind=drop,dir=rx,count=99999999999999999999", "count is '99999999999999999999' but"},
        {"kind=drop,dir=rx,probability=0", "probability is '0' but must be above 0 and up to 1"},
        {"kind=drop,dir=rx,probability=1.1", "probability is '1.1' but must be above 0"},
        {"kind=drop,dir=rx,probability=.5", "probability is '.5' but must be above 0"},
        {"kind=drop,dir=rx,probability=0.", "probability is '0.' but must be above 0"},
        {"kind=drop,dir=rx,probability=0.0000000001", "probability is '0.0000000001' but"},
        {"kind=drop,dir=rx,probability=", "probability is '' but must be above 0"},
        {"kind=drop,dir=rx,after=5min", "after is '5min' but must be a number of ns, us, ms or s"},
        {"kind=drop,dir=rx,after=ms", "after is 'ms' but must be a number of ns, us, ms or s"},
        {"kind=drop,dir=rx,for=0", "for is '0' but must be a number of ns, us, ms or s"},
        {"kind=drop,dir=rx,after=1000001s", "after is '1000001s' but must be a number"},
        {"kind=irq-late,dir=mm2s", "hold is missing, which kind=irq-late needs"},
        {"kind=irq-spurious,dir=mm2s", "channel is missing, which kind=irq-spurious needs"},
        {"kind=block-lock,every=999", "every is '999' but must be a number of ns, us, ms or s"},
        {"kind=block-lock,count=2", "every is missing: count is 2 and kind=block-lock waits for"},
        {"kind=truncate,dir=rx,bytes=16385", "bytes is '16385' but must be a number between 1 and"},
    };
    Machine m;
    for (const auto &c : cases) {
        const std::string says = refusal(m, c.text);
        if (says.rfind(c.says, 0) != 0) {
            fail_msg("\"%s\" was answered with \"%s\", not \"%s...\"", c.text, says.c_str(),
                     c.says);
        }
    }
    assert_string_equal(list(m).c_str(), "");
    // Anything at all may come, in any room for the answer.
    const std::string noise(5000, '=');
    assert_true(refusal(m, noise.c_str()).size() < 400);
    std::array<char, 1> little{'x'};
    assert_false(m.port->add_fault("kind=melt", little));
    assert_int_equal(little[0], 0);
    assert_false(m.port->add_fault("kind=melt", {}));
}

// Frames received on channel 1, of `frames` offered.
struct Receiver {
    Receiver() : ring(rx_ring(m, 1, 128)) {
        ring.receive();
        start_rx(m, 1, ring, 127);
    }
    bool in(std::size_t bytes = 100) {
        assert_true(deliver(m, plain_frame(bytes)));
        const bool came = (ring.get(next, 0x18) & kDone) != 0;
        next += came ? 1 : 0;
        return came;
    }
    /// One letter per frame: '.' arrived, 'x' did not.
    std::string pattern(unsigned frames) {
        std::string text;
        for (unsigned i = 0; i < frames; ++i) {
            text += in() ? '.' : 'x';
        }
        return text;
    }
    Machine m;
    Ring ring;
    unsigned next = 0;
};

void a_count_is_used_up(void **) {
    Receiver r;
    add(r.m, "kind=drop,dir=rx,count=3");
    assert_string_equal(list(r.m).c_str(), "rule=1 fired=0 state=active kind=drop,dir=rx,count=3");
    assert_string_equal(r.pattern(6).c_str(), "xxx...");
    assert_string_equal(list(r.m).c_str(), "rule=1 fired=3 state=ended kind=drop,dir=rx,count=3");
}

void short_frames_are_no_occasion(void **) {
    Receiver r;
    add(r.m, "kind=drop,dir=rx,min-bytes=200,count=1");
    assert_true(r.in(199));
    assert_false(r.in(200));
    assert_true(r.in(200));
}

void a_seed_decides_what_happens(void **) {
    std::string first;
    for (const char *rule :
         {"kind=drop,dir=rx,probability=0.25,seed=7", "kind=drop,dir=rx,probability=0.25,seed=7",
          "kind=drop,dir=rx,probability=0.25,seed=8"}) {
        Receiver r;
        add(r.m, rule);
        const std::string pattern = r.pattern(100);
        const auto dropped = std::count(pattern.begin(), pattern.end(), 'x');
        assert_in_range(dropped, 12, 40); // 25 +- 3.5 sigma
        if (first.empty()) {
            first = pattern;
        } else if (rule[std::string(rule).size() - 1] == '7') {
            assert_string_equal(pattern.c_str(), first.c_str());
        } else {
            assert_string_not_equal(pattern.c_str(), first.c_str());
        }
    }
    // The generator is part of the interface: a run noted today repeats tomorrow.
    // SplitMix64 from 7, upper halves below a quarter of 2^32.
    assert_string_equal(first.substr(0, 20).c_str(), ".x...x..x.x.........");
}

void a_window_of_virtual_time(void **) {
    Receiver r;
    add(r.m, "kind=drop,dir=rx,after=10ms,for=5ms");
    assert_true(r.in());
    assert_string_equal(list(r.m).c_str(),
                        "rule=1 fired=0 state=waiting kind=drop,dir=rx,after=10ms,for=5ms");
    r.m.time += milliseconds{10} - microseconds{1};
    assert_true(r.in());
    r.m.time += microseconds{1};
    assert_false(r.in());
    r.m.time += milliseconds{5} - microseconds{1};
    assert_false(r.in());
    r.m.time += microseconds{1};
    assert_true(r.in());
    assert_string_equal(list(r.m).c_str(),
                        "rule=1 fired=2 state=ended kind=drop,dir=rx,after=10ms,for=5ms");
}

void rules_are_removed_by_number_or_all(void **) {
    Receiver r;
    add(r.m, "kind=duplicate,dir=tx");
    add(r.m, "kind=drop,dir=rx");
    std::array<char, 200> error{};
    for (const char *which : {"", "3", "-1", "2x", "everything"}) {
        assert_false(r.m.port->clear_faults(which, error));
    }
    assert_string_equal(error.data(), "'everything' is neither \"all\" nor the number of a rule");
    assert_false(r.in());
    assert_true(r.m.port->clear_faults("2", error));
    assert_true(r.in());
    assert_string_equal(list(r.m).c_str(), "rule=1 fired=0 state=active kind=duplicate,dir=tx");
    // Numbers are not used twice.
    add(r.m, "kind=drop,dir=rx");
    assert_string_equal(list(r.m).c_str(), "rule=1 fired=0 state=active kind=duplicate,dir=tx\n"
                                           "rule=3 fired=0 state=active kind=drop,dir=rx");
    assert_true(r.m.port->clear_faults("all", error));
    assert_string_equal(list(r.m).c_str(), "");
    assert_true(r.in());
}

void the_table_is_bounded(void **) {
    Receiver r;
    add(r.m, "kind=drop,dir=rx,count=1");
    for (unsigned i = 1; i < eoe::Faults::kMaxRules; ++i) {
        // As long as text gets: the list must hold 32 of it.
        add(r.m, "kind=irq-spurious,dir=mm2s,channel=16,count=4294967295,probability=0.000000001,"
                 "seed=18446744073709551615,after=999999999999999,for=999999999999999,"
                 "hold=999999999999999,every=999999999999999");
    }
    assert_string_equal(refusal(r.m, "kind=drop,dir=rx").c_str(),
                        "there are 32 rules that can still fire, which is the most");
    assert_false(r.in());
    // The first has ended and makes room.
    add(r.m, "kind=duplicate,dir=rx");
    const std::string text = list(r.m);
    assert_int_equal(std::count(text.begin(), text.end(), '\n'), 31);
    assert_int_equal(text.rfind("rule=2 ", 0), 0);
    assert_true(text.find("\nrule=33 fired=0 state=active kind=duplicate,dir=rx") !=
                std::string::npos);
}

void rules_outlive_a_reset_of_the_port(void **) {
    Receiver r;
    add(r.m, "kind=drop,dir=rx,count=1");
    r.m.port->reset();
    r.ring.receive();
    start_rx(r.m, 1, r.ring, 127);
    assert_string_equal(r.pattern(2).c_str(), "x.");
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_kept_as_written),
        cmocka_unit_test(other_ways_to_write_the_same),
        cmocka_unit_test(bad_rules_are_refused_by_field),
        cmocka_unit_test(a_count_is_used_up),
        cmocka_unit_test(short_frames_are_no_occasion),
        cmocka_unit_test(a_seed_decides_what_happens),
        cmocka_unit_test(a_window_of_virtual_time),
        cmocka_unit_test(rules_are_removed_by_number_or_all),
        cmocka_unit_test(the_table_is_bounded),
        cmocka_unit_test(rules_outlive_a_reset_of_the_port),
    };
    return unit::run_group("fault_rules", tests);
}
