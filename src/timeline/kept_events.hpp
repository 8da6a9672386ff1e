// A sink that keeps the events, for tests and benchmarks that look at them.
#pragma once

#include <vector>

#include "timeline/recorder.hpp"

namespace cuzk::timeline {

class KeptEvents final : public Sink {
 public:
  // events: gets every event; outlives the sink.
  explicit KeptEvents(std::vector<Event>& events) : events_(events) {}
  void write(const Event& event) override { events_.push_back(event); }

 private:
  std::vector<Event>& events_;
};

}  // namespace cuzk::timeline
