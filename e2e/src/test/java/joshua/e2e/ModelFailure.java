package joshua.e2e;

import joshua.kernel.TimedWait;
import joshua.testing.ModelDialect;
import joshua.testing.ScriptedModelServer;

/** The ways in which a model server fails a prompt, and the task's error for each. */
enum ModelFailure {
  /** Nothing listens; the test closes the server. */
  REFUSES("can't be reached", exchange -> {}),
  UNAUTHENTICATED(
      "HTTP 401",
      exchange ->
          exchange.status(
              "401 Unauthorized",
              "",
              "{\"error\":{\"message\":\"not %s\"}}".formatted(ModelServer.KEY))),
  RATE_LIMITED(
      "HTTP 429",
      exchange -> exchange.status("429 Too Many Requests", "Retry-After: 3600\r\n", "{}")),
  IN_TROUBLE(
      "HTTP 500", exchange -> exchange.status("500 Internal Server Error", "", "it is on fire")),
  SILENT("no first token within", ScriptedModelServer.Exchange::untilCut),
  FALLS_SILENT(
      "fell silent",
      exchange -> {
        begin(exchange);
        exchange.untilCut();
      }),
  CUT_IN_MID_TOKEN(
      "in the middle of its answer",
      exchange -> {
        begin(exchange);
        String token = ModelDialect.OPENAI.token("lo, world");
        exchange.chunk(token.substring(0, token.length() / 2));
      }),
  GARBLED(
      "gpt-test",
      exchange -> {
        begin(exchange);
        exchange.chunk("data: {\"choices\": oh no\n\ndata: [[[\n\n");
        exchange.end();
      }),
  NO_HTTP("gpt-test", exchange -> exchange.raw("SSH-2.0-OpenSSH_9.2p1\r\n\r\n")),
  ENDLESS(
      "tokens",
      exchange -> {
        begin(exchange);
        while (true) {
          exchange.chunk(ModelDialect.OPENAI.token("round and round "));
        }
      }),
  ENDLESS_AND_SLOW(
      "for the whole answer",
      exchange -> {
        begin(exchange);
        while (true) {
          exchange.chunk(ModelDialect.OPENAI.token("a"));
          TimedWait.system().pause(java.time.Duration.ofMillis(100));
        }
      });

  final String said;
  final ScriptedModelServer.Act act;

  ModelFailure(String said, ScriptedModelServer.Act act) {
    this.said = said;
    this.act = act;
  }

  private static void begin(ScriptedModelServer.Exchange exchange) throws java.io.IOException {
    exchange.open(ModelDialect.OPENAI.contentType);
    exchange.chunk(ModelDialect.OPENAI.begin() + ModelDialect.OPENAI.token("Hel"));
  }
}
