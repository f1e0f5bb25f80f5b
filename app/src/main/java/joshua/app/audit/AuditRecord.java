package joshua.app.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/**
 * An audit record as it is stored; its members are those of {@link joshua.ssh.AuditLog.Entry}.
 *
 * @param auditId increases by 1 with each record
 * @param publicDetail null in records that are older than this column
 */
public record AuditRecord(
    long auditId,
    String at,
    String from,
    String who,
    @Nullable String fingerprint,
    @Nullable String role,
    String action,
    String detail,
    @Nullable String publicDetail,
    String result) {
  /** What viewers see of a command recorded before it was known what they may read. */
  private static final String LEFT_OUT = "…";

  /** The record as viewers may read it. */
  public AuditRecord forViewers() {
    String told = publicDetail == null ? LEFT_OUT : publicDetail;
    return new AuditRecord(auditId, at, from, who, fingerprint, role, action, told, told, result);
  }

  static AuditRecord of(ResultSet row) throws SQLException {
    return new AuditRecord(
        row.getLong("audit_id"),
        row.getString("at"),
        row.getString("came_from"),
        row.getString("who"),
        row.getString("fingerprint"),
        row.getString("role"),
        row.getString("action"),
        row.getString("detail"),
        row.getString("public_detail"),
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
