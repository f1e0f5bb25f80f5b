package joshua.ssh;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import joshua.kernel.Role;
import joshua.kernel.TextExcerpt;

/** The audit log of every login, refusal and command (+JS-07). */
@FunctionalInterface
public interface AuditLog {

  /**
   * Records the entry; it is on disk when this returns.
   *
   * @throws UnrecordedException if it can't be stored; a command that changes anything then doesn't
   *     run
   */
  void record(Entry entry) throws UnrecordedException, InterruptedException;

  /** What happened. */
  enum Action {
    LOGIN,
    LOGIN_REFUSED,
    /** A command that changes something is about to run. */
    BEGIN,
    /** A command has ended, or was refused. */
    COMMAND;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One audit record.
   *
   * @param who the caller's name, or the claimed login name if the login failed
   * @param detail the command as written, or why the login failed; truncated when long
   * @param publicDetail the same without what only operators and admins may read: prompts, inputs
   *     of tools, anything that couldn't be parsed
   * @param result {@code ok} or a word for the failure
   */
  record Entry(
      Instant at,
      String from,
      String who,
      Optional<String> fingerprint,
      Optional<Role> role,
      Action action,
      String detail,
      String publicDetail,
      String result) {
    /** The maximum number of characters kept of a command. */
    public static final int DETAIL = 4_096;

    public Entry {
      detail = TextExcerpt.of(detail, DETAIL);
      publicDetail = TextExcerpt.of(publicDetail, DETAIL);
    }

    /** An entry whose detail everyone may read. */
    public Entry(
        Instant at,
        String from,
        String who,
        Optional<String> fingerprint,
        Optional<Role> role,
        Action action,
        String detail,
        String result) {
      this(at, from, who, fingerprint, role, action, detail, detail, result);
    }
  }

  /** The entry couldn't be stored. */
  final class UnrecordedException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnrecordedException(Throwable cause) {
      super("the audit can't be written", cause);
    }
  }
}
