package joshua.bench;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Compares what was accepted with what arrived, by id: everything accepted must arrive exactly
 * once, and nothing else may arrive. For several threads.
 */
final class DeliveryCheck {
  private final ConcurrentMap<String, Integer> accepted = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Integer> received = new ConcurrentHashMap<>();

  void accept(String id) {
    accepted.merge(id, 1, Integer::sum);
  }

  void receive(String id) {
    received.merge(id, 1, Integer::sum);
  }

  /**
   * Throws if anything differs.
   *
   * @throws BenchmarkException with a sentence about the first kind of difference
   */
  void verify() {
    fault()
        .ifPresent(fault -> {
          throw new BenchmarkException(fault);
        });
  }

  private Optional<String> fault() {
    return describe("never came", differing(id -> !received.containsKey(id)))
        .or(() ->
            describe("came more than once", differing(id -> received.getOrDefault(id, 0) > 1)))
        .or(() -> describe("came although never accepted", strangers()))
        .or(() ->
            describe("were accepted twice", differing(id -> accepted.getOrDefault(id, 0) > 1)));
  }

  private Optional<String> describe(String difference, List<String> ids) {
    return ids.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "of %d accepted, %d %s; the first of them is %s"
                .formatted(accepted.size(), ids.size(), difference, ids.getFirst()));
  }

  private List<String> differing(Predicate<String> differs) {
    return accepted.keySet().stream().filter(differs).sorted().toList();
  }

  private List<String> strangers() {
    Stream<String> came = received.keySet().stream();
    return came.filter(id -> !accepted.containsKey(id)).sorted().toList();
  }
}
