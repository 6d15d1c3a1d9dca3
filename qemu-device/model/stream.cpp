// SPDX-License-Identifier: GPL-2.0-or-later
#include "stream.hpp"

#include <algorithm>

namespace eoe {

StreamFifo::StreamFifo(std::size_t bytes) : bytes_(bytes) {}

bool StreamFifo::has_room(std::size_t bytes, std::size_t packets) const {
    return bytes <= bytes_.size() - used_ && packets <= kMaxPackets - tail_;
}

bool StreamFifo::holds(unsigned tdest) const {
    return std::any_of(entries_.begin() + head_, entries_.begin() + tail_,
                       [tdest](const Entry &entry) { return entry.meta.tdest == tdest; });
}

bool StreamFifo::push(const StreamMeta &meta, std::span<const std::uint8_t> data) {
    if (!has_room(data.size(), 1)) {
        return false;
    }
    entries_[tail_++] = {meta, used_, static_cast<std::uint32_t>(data.size())};
    std::copy(data.begin(), data.end(), bytes_.begin() + used_);
    used_ += static_cast<std::uint32_t>(data.size());
    return true;
}

std::span<const std::uint8_t> StreamFifo::front_data() const {
    const Entry &entry = entries_[head_];
    return std::span{bytes_}.subspan(entry.offset, entry.bytes);
}

void StreamFifo::pop() {
    if (!empty()) {
        ++head_;
    }
    if (empty()) {
        clear();
    }
}

void StreamFifo::clear() {
    head_ = 0;
    tail_ = 0;
    used_ = 0;
}

} // namespace eoe
