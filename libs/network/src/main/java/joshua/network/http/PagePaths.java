package joshua.network.http;

import static java.time.ZoneOffset.UTC;
import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.UnauthorizedResponse;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Refusal;
import joshua.network.Authenticator;
import joshua.network.Authenticator.Identity;
import joshua.network.Caller;
import joshua.network.Catalog;
import joshua.network.Connection;
import joshua.network.Tool;
import joshua.network.ToolResult;
import joshua.network.WebPage;
import org.jspecify.annotations.Nullable;

/**
 * The paths of a page for people: its files, the sessions of its visitors, and the calls of tools
 * that its scripts make. There are no cookies, since browsers send them to all ports of a host.
 */
final class PagePaths {
  private static final Pattern FILE = Pattern.compile("(vendor/)?[a-z0-9-]+(\\.[a-z0-9-]+)+");
  private static final String SESSION = "Session ";
  private static final String BEARER = "Bearer ";

  /** Nothing of another origin, no inline script or style, no frame around it. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy", POLICY,
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Cache-Control", "no-cache");

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html",
          "js", "text/javascript",
          "css", "text/css",
          "svg", "image/svg+xml");

  private final Catalog catalog;
  private final WebPage page;
  private final Authenticator authenticator;
  private final MessageBudget budget;
  private final int bodyLimit;
  private final PageSessions sessions = new PageSessions(InstantSource.system());

  PagePaths(Catalog catalog, WebPage page, ToolServer.Config config) {
    this.catalog = catalog;
    this.page = page;
    this.authenticator = config.authenticator();
    this.budget = config.budget();
    this.bodyLimit = config.frameLimit();
  }

  void configure(RoutesConfig routes) {
    ToolServer.page(routes, "/", context -> file(context, "index.html"));
    routes.get("/console/config", this::config);
    routes.post("/console/code", this::code);
    routes.post("/console/session", this::open);
    routes.delete("/console/session", this::end);
    routes.post("/console/call", this::call);
    // Scripts tell ages by the time here.
    routes.after(
        "/console/*",
        context -> context.header("Date", RFC_1123_DATE_TIME.format(ZonedDateTime.now(UTC))));
    ToolServer.page(routes, "/console/<name>", context -> file(context, context.pathParam("name")));
  }

  private void file(Context context, String name) {
    byte[] content =
        Optional.of(name)
            .filter(FILE.asMatchPredicate())
            .flatMap(page::file)
            .orElseThrow(NotFoundResponse::new);
    String tag = "\"%s\"".formatted(UUID.nameUUIDFromBytes(content));
    HEADERS.forEach(context::header);
    context.header("ETag", tag);
    if (tag.equals(context.header("If-None-Match"))) {
      context.status(304);
      return;
    }
    String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain");
    context.contentType(type + ";charset=utf-8").result(content);
  }

  /** What a page needs to know first; before a login that is needed, no more than that it is. */
  private void config(Context context) {
    ObjectNode config = Json.object().put("version", catalog.version());
    Optional<Identity> visitor = authenticator.identity(authorization(context));
    config.put("login", visitor.isEmpty());
    visitor.ifPresent(identity -> {
      config.put("identity", identity.name().orElse(null)).put("role", identity.role().word());
      config.putArray("services").add(catalog.name());
      page.services().forEach(config.withArray("services")::add);
    });
    ToolServer.answer(context, 200, config);
  }

  /** A code for the holder of a token, which no page has yet. */
  private void code(Context context) {
    if (context.header("Origin") == null || isOwnOrigin(context)) {
      String token = token(context).orElseThrow(UnauthorizedResponse::new);
      identity(context);
      ToolServer.answer(context, 200, Json.object().put("code", sessions.code(token)));
    }
  }

  private void open(Context context) throws InterruptedException {
    Optional<ObjectNode> body = body(context);
    if (body.isEmpty()) {
      return;
    }
    String token =
        sessions
            .redeem(body.get().path("code").asText())
            .orElse(body.get().path("token").asText().strip());
    if (authenticator.identity(BEARER + token).isEmpty()) {
      throw new UnauthorizedResponse();
    }
    ToolServer.answer(context, 200, Json.object().put("session", sessions.open(token)));
  }

  private void end(Context context) {
    if (isOwnOrigin(context)) {
      shown(context, SESSION).ifPresent(sessions::end);
      context.status(204);
    }
  }

  private void call(Context context) throws InterruptedException {
    Optional<ObjectNode> body = body(context);
    if (body.isEmpty()) {
      return;
    }
    Identity identity = identity(context);
    JsonNode input = body.get().path("input");
    String service = body.get().path("service").asText();
    String tool = body.get().path("tool").asText();
    if (!(input instanceof ObjectNode object)) {
      ToolServer.refuse(
          context, 400, "A call is {\"service\":\"rogers\",\"tool\":\"…\",\"input\":{…}}.");
    } else if (service.equals(catalog.name())) {
      ResetAwareEndPoint end = ResetAwareEndPoint.of(context.req());
      Caller caller = identity.on(new Connection("page", end::isGone));
      answer(context, catalog.tools().begin(tool, object, caller, Tool.Audience.PROGRAM).join());
    } else if (page.services().contains(service)) {
      // It may be deeper than what this program writes by itself.
      ObjectNode answer = page.call(service, tool, object, token(context));
      context.contentType("application/json").result(answer.toString());
    } else {
      String known = catalog.name() + " or one of " + page.services();
      ToolServer.refuse(context, 404, "service must be " + known + "; others need a setting.");
    }
  }

  private static void answer(Context context, ToolResult result) {
    switch (result) {
      case ToolResult.Success success -> {
        context.contentType("application/json").result(success.json().utf8());
        success.written().accept(true);
      }
      case ToolResult.Refused(Refusal refusal) -> ToolServer.answer(context, 200, refusal.tree());
    }
  }

  /** The body of a request by this page; empty where it was refused. */
  private Optional<ObjectNode> body(Context context) throws InterruptedException {
    if (!isOwnOrigin(context)) {
      return Optional.empty();
    }
    if (!ToolServer.isJson(context)) {
      ToolServer.refuse(context, 415, "The Content-Type must be application/json.");
      return Optional.empty();
    }
    try (MessageBudget.Share share = budget.new Share()) {
      ResetAwareEndPoint end = ResetAwareEndPoint.of(context.req());
      byte[] bytes = new RequestBody(share).read(context.req(), end, bodyLimit);
      if (Json.parse(bytes) instanceof ObjectNode object) {
        return Optional.of(object);
      }
    } catch (MalformedJsonException e) {
      // Refused below, as is what is no object.
    }
    ToolServer.refuse(context, 400, Refusal.of(ErrorCode.INVALID_JSON, "The body must be JSON."));
    return Optional.empty();
  }

  /**
   * Whether a request is made by this page, and not by one of another port or host, which the
   * visitor has open beside it. Others are refused.
   */
  private static boolean isOwnOrigin(Context context) {
    if (AllowedHosts.isOwn(context.header("Origin"), context.header("Host"))) {
      return true;
    }
    String rule = "The Origin must be this page's own, that is its Host.";
    ToolServer.refuse(context, 403, Refusal.of(ErrorCode.FORBIDDEN, rule));
    return false;
  }

  private Identity identity(Context context) {
    return authenticator.identity(authorization(context)).orElseThrow(UnauthorizedResponse::new);
  }

  /** What the visitor shows, if by this scheme. */
  private static Optional<String> shown(Context context, String scheme) {
    return Optional.ofNullable(context.header("Authorization"))
        .filter(shown -> shown.startsWith(scheme))
        .map(shown -> shown.substring(scheme.length()));
  }

  /** The token of the visitor's session, or the one that is shown by itself. */
  private Optional<String> token(Context context) {
    return shown(context, SESSION).map(sessions::token).orElseGet(() -> shown(context, BEARER));
  }

  private @Nullable String authorization(Context context) {
    return token(context).map(BEARER::concat).orElse(null);
  }
}
