package joshua.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The actions and findings of a crash matrix. Not for several threads. */
final class CrashReport {
  private final Map<String, Integer> aimed = new TreeMap<>();
  private final Map<String, Integer> hits = new TreeMap<>();
  private final Map<String, Integer> standing = new TreeMap<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();

  /** A kill that was aimed at a point; {@code stood}: where every task was then. */
  void killed(String point, boolean hit, Map<String, String> stood) {
    aimed.merge(point, 1, Integer::sum);
    if (hit) {
      hits.merge(point, 1, Integer::sum);
    }
    stood.values().forEach(each -> standing.merge(each, 1, Integer::sum));
  }

  void asked(CrashRequest request, boolean there) {
    count("requests by " + request.way().name().toLowerCase(java.util.Locale.ROOT));
    if (request.times() > 1) {
      count("requests asked again");
    }
    String answered =
        request.task().isPresent() ? "requests answered" : "requests never answered, ";
    count(request.task().isPresent() ? answered : answered + (there ? "a whole task" : "absent"));
  }

  void ended(String status, boolean abandoned, TaskStream taskStream, int told) {
    count(
        status.equals("FAILED")
            ? abandoned
                ? "tasks FAILED, left in their last attempt"
                : "tasks FAILED, refused by the model"
            : "tasks " + status);
    if (taskStream.attempt() > 1) {
      count("tasks begun again");
    }
    counts.merge("voided texts heard", taskStream.voided().size(), Integer::sum);
    counts.merge("frames heard again", taskStream.repeats(), Integer::sum);
    counts.merge("notifications heard again", told - 1, Integer::sum);
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  void fault(String what) {
    faults.add(what);
  }

  List<String> faults() {
    return faults;
  }

  /** How many kills hit each point. */
  Map<String, Integer> hits() {
    return hits;
  }

  int count(Map<String, Integer> of) {
    return of.values().stream().mapToInt(Integer::intValue).sum();
  }

  int kills() {
    return count(aimed);
  }

  /** Merges the actions and findings of another lane. */
  void add(CrashReport other) {
    other.aimed.forEach((point, n) -> aimed.merge(point, n, Integer::sum));
    other.hits.forEach((point, n) -> hits.merge(point, n, Integer::sum));
    other.standing.forEach((point, n) -> standing.merge(point, n, Integer::sum));
    other.counts.forEach((what, n) -> counts.merge(what, n, Integer::sum));
    faults.addAll(other.faults);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("| point | kills aimed at it | that hit it | tasks that stood there at a kill |\n");
    text.append("|---|---|---|---|\n");
    for (String point : PointLog.POINTS) {
      text.append(
          "| `%s` | %d | %d | %d |%n"
              .formatted(
                  point,
                  aimed.getOrDefault(point, 0),
                  hits.getOrDefault(point, 0),
                  standing.getOrDefault(point, 0)));
    }
    text.append("\n| | |\n|---|---|\n| kills | %d |%n".formatted(kills()));
    counts.forEach((what, n) -> text.append("| %s | %d |%n".formatted(what, n)));
    text.append("| faults | %d |%n".formatted(faults.size()));
    faults.forEach(fault -> text.append("FAULT ").append(fault).append('\n'));
    return text.toString();
  }
}
