package joshua.e2e;

import java.util.List;

/** Runs commands of an attacked group as an admin and as a viewer. */
interface AttackVerbs {
  /** Runs a command as an admin; returns its output, whatever its exit status. */
  String admin(String mad, List<String> words);

  /** Runs a command as a viewer; returns its output, empty if viewers can't run commands. */
  String viewer(String mad, List<String> words);
}
