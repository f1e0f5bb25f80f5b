package joshua.app.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * A record of the audit as it is kept; its members are those of {@link joshua.ssh.Audit.Entry}.
 *
 * @param auditId grows by 1 with each record
 */
public record Kept(
    long auditId,
    String at,
    String from,
    String who,
    @Nullable String fingerprint,
    @Nullable String role,
    String action,
    String detail,
    String result) {

  static Kept of(ResultSet row) throws SQLException {
    return new Kept(
        row.getLong("audit_id"),
        row.getString("at"),
        row.getString("came_from"),
        row.getString("who"),
        row.getString("fingerprint"),
        row.getString("role"),
        row.getString("action"),
        row.getString("detail"),
        row.getString("result"));
  }

  /** {@code {audit_id, at, from, who, fingerprint, role, action, detail, result}}. */
  public ObjectNode json() {
    return Json.object()
        .put("audit_id", auditId)
        .put("at", at)
        .put("from", from)
        .put("who", who)
        .put("fingerprint", fingerprint)
        .put("role", role)
        .put("action", action)
        .put("detail", detail)
        .put("result", result);
  }
}
