package joshua.e2e;

import java.util.List;

/** How an admin and a viewer use the verbs of an attacked group. */
interface AttackVerbs {
  /** What the verb of an admin printed, whatever its exit status. */
  String admin(String mad, List<String> words);

  /** What the verb of a viewer printed; empty where viewers have no way to verbs. */
  String viewer(String mad, List<String> words);
}
