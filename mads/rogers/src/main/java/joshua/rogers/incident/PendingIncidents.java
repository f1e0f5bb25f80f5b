package joshua.rogers.incident;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The incidents that aren't stored yet, equal ones merged. Of each kind, {@value #MAX_PER_KIND} at
 * most are kept apart, and the rest together. Owned by the monitor's thread.
 */
public final class PendingIncidents {
  private static final int MAX_PER_KIND = 200;

  private final Map<List<Object>, Incident> pending = new LinkedHashMap<>();
  private final Map<Incident.Kind, Integer> perKind = new EnumMap<>(Incident.Kind.class);

  /** Adds an incident, or merges it into an equal one. */
  public void add(Incident incident) {
    List<Object> key = List.of(incident.kind(), incident.subject(), incident.detail());
    if (pending.containsKey(key)
        || perKind.merge(incident.kind(), 1, Integer::sum) <= MAX_PER_KIND) {
      pending.merge(key, incident, Incident::plus);
    } else {
      pending.merge(List.of(incident.kind()), incident.forOtherSubjects(), Incident::plus);
    }
  }

  /** The incidents, in the order of their addition. */
  public List<Incident> all() {
    return new ArrayList<>(pending.values());
  }

  /** Forgets the incidents, which are stored. */
  public void clear() {
    pending.clear();
    perKind.clear();
  }

  /** Adds an incident that needs attention. */
  void addProblem(Incident.Kind kind, Instant at, String subject, long messages, String detail) {
    add(new Incident(kind, at, subject, messages, detail, true, null));
  }
}
