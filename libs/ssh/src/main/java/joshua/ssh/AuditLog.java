package joshua.ssh;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import joshua.kernel.Role;
import joshua.kernel.TextExcerpt;

/** Where every login, refusal and command is recorded (+JS-07). */
@FunctionalInterface
public interface AuditLog {

  /**
   * Keeps it; it is on disk when this returns.
   *
   * @throws UnrecordedException if it can't be kept: what changes anything isn't done then
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
   * One record.
   *
   * @param who the name of who it was, or what he called himself where he wasn't let in
   * @param detail the command as it was written, or why somebody wasn't let in; cut when long
   * @param publicDetail the same without what only operators and admins may read: prompts, inputs
   *     of tools, whatever isn't understood
   * @param result {@code ok} or a word for what else it ended in
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
    /** Characters of a command that are kept. */
    public static final int DETAIL = 4_096;

    public Entry {
      detail = TextExcerpt.of(detail, DETAIL);
      publicDetail = TextExcerpt.of(publicDetail, DETAIL);
    }

    /** One with a detail that everybody may read. */
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

  /** It couldn't be kept. */
  final class UnrecordedException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnrecordedException(Throwable cause) {
      super("the audit can't be written", cause);
    }
  }
}
