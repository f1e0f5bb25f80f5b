package joshua.ssh;

import joshua.kernel.Role;

/**
 * What administrators type, on the command line and over SSH: a picocli command that has a
 * constructor without arguments. It calls the tools of its service, and shows what they answer.
 */
public interface Verb {
  /** The least role that may run it; the tools that it calls demand theirs besides. */
  default Role role() {
    return Role.VIEWER;
  }

  /** Runs it; a thread that is interrupted is to end it. */
  void run(VerbSession session) throws VerbFailedException, InterruptedException;
}
