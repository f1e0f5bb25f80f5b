package joshua.rogers.incident;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has been noticed and isn't stored yet; what is alike is one. Of each kind some subjects are
 * kept apart, and the rest together. Owned by the one thread that looks.
 */
public final class Incidents {
  private static final int MOST_OF_A_KIND = 200;

  private final Map<List<Object>, Incident> noticed = new LinkedHashMap<>();
  private final Map<Incident.Kind, Integer> kinds = new EnumMap<>(Incident.Kind.class);

  /** Notes something. */
  public void add(Incident incident) {
    List<Object> key = List.of(incident.kind(), incident.subject(), incident.detail());
    if (noticed.containsKey(key)
        || kinds.merge(incident.kind(), 1, Integer::sum) <= MOST_OF_A_KIND) {
      noticed.merge(key, incident, Incident::plus);
    } else {
      noticed.merge(List.of(incident.kind()), incident.ofOthers(), Incident::plus);
    }
  }

  /** All that isn't stored. */
  public List<Incident> all() {
    return new ArrayList<>(noticed.values());
  }

  /** It is stored. */
  public void stored() {
    noticed.clear();
    kinds.clear();
  }

  /** Notes an incident that others should do something about. */
  void problem(Incident.Kind kind, Instant at, String subject, long messages, String detail) {
    add(new Incident(kind, at, subject, messages, detail, true, null));
  }
}
