package joshua.e2e;

import java.util.List;

/** How an admin and a viewer use the verbs of an attacked group. */
interface AttackVerbs {
  /** Runs a command as an admin; returns its output, whatever its exit status. */
  String admin(String mad, List<String> words);

  /** Runs a command as a viewer; returns its output, empty if viewers can't run commands. */
  String viewer(String mad, List<String> words);
}
