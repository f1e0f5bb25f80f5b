package joshua.ssh;

import joshua.kernel.Role;

/**
 * A command of administrators, on the command line and over SSH: a picocli command with a
 * no-argument constructor. It calls the tools of its service, and shows their results.
 */
public interface Verb {
  /** The role needed to run it; the tools that it calls also check theirs. */
  default Role role() {
    return Role.VIEWER;
  }

  /** Runs it; an interrupt ends it. */
  void run(VerbSession session) throws VerbFailedException, InterruptedException;
}
