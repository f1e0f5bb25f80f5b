package joshua.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.RandomAccessFile;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import joshua.integration.FrameClient;
import joshua.kernel.Json;
import joshua.program.Program.Run;
import joshua.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands that a person types, on the built program. */
class GroupProgramTest extends ProgramTest {
  /** More than a log may have. */
  private static final int LARGE = 11 << 20;

  private static final String TO_DAN = "\"channel\":\"mad.direct.dan\",\"payload\":{\"text\":";

  @Override
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(Program.FREE_PORTS);
    environment.put("JOSHUA_AS", "dan");
    return environment;
  }

  /** Takes in files of which some are none, or too large, and an export of more than a call has. */
  private void takeIn(Path folder) throws Exception {
    ObjectNode export = Json.object();
    export.putObject("project_state").put("a", 1);
    export.putArray("decisions");
    for (String path : List.of("a.md", "b.md", "c.md", "d.md", "e.md")) {
      ObjectNode document = export.withObject("/joshua/documents").putObject(path);
      document.put("format", "markdown").put("content", "x".repeat(1_000_000));
    }
    Files.createDirectory(folder);
    Files.writeString(folder.resolve("export.json"), export.toString());
    Files.writeString(folder.resolve("huge.txt"), "x".repeat(5_000_000));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("export.json"));
    assertThat(program.run("import", folder.toString()).said().lines())
        .containsExactly(
            "skipped huge.txt: it is larger than 4000000 bytes, as JSON",
            "skipped link: it is no file, but a link or such",
            "took in documents=5, state=1; unchanged 0");
    assertThat(program.run("import", folder.toString()).said()).endsWith("nothing; unchanged 6\n");
    assertThat(
            Json.parse(program.run("export", "default", "--json").said()).at("/joshua/documents"))
        .isEqualTo(export.at("/joshua/documents"));
  }

  @Test
  void twoProgramsTalk() throws Exception {
    Run up = program.start("up");
    up.awaitSaid("./joshua stop");
    assertThat(up.said().lines()).allMatch(line -> line.length() <= 80);

    Run tail = program.start("tail", "mad.topic.news", "-n", "2");
    tail.awaitSaid("Following [\"mad.topic.news\"].");
    assertThat(program.run("clients").said())
        .containsPattern("client +state +waiting +wakes +last poll +topics\n")
        .containsPattern("tail-[0-9a-f]{8} +present +0 +- +[0-9:]{8}Z, .* ago +mad.topic.news\n");
    assertThat(program.run("drop", "nobody").said()).isEqualTo("nobody has no queue here.\n");
    Run sent = program.run("send", "mad.topic.news", "hello\nworld", "--as", "ann");
    assertThat(sent.complained()).isEmpty();
    assertThat(sent.said()).as("a tail isn't counted").endsWith(": nobody receives it.\n");
    Run json = program.run("send", "mad.topic.news", "{\"n\":1}", "-o", "json");
    assertThat(json.json().path("queues").asInt()).isZero();
    assertThat(tail.exitStatus()).isZero();
    assertThat(tail.said())
        .containsPattern("^[0-9:]{8}Z ann > mad.topic.news: hello\n  world\n")
        .endsWith(" dan > mad.topic.news: {\"n\":1}\n");

    Run nobody = program.run("request", "nobody", "hi");
    assertThat(nobody.exitStatus()).isEqualTo(1);
    assertThat(nobody.complained())
        .matches(
            "No reply came: nobody of that name was heard since this relay started, .* ago; it is kept until somebody has it\\.\n");

    Run second = program.run("up");
    assertThat(second.exitStatus()).isEqualTo(1);
    assertThat(second.complained()).contains("A group runs in", "already (process ");
    try (FrameClient ann = grace()) {
      ann.succeed("grace_subscribe", "{\"client_id\":\"ann\",\"topics\":[\"mad.topic.news\"]}");
    }
    takeIn(directory.resolve("folder"));
    Run chat = program.start("chat", "bob");
    chat.awaitSaid("You are dan.");
    talk(chat);
    Run near = program.run("send", "mad.topic.newt", "hi");
    assertThat(near.said())
        .isEqualTo("Sent to mad.topic.newt: nobody receives it.\nDid you mean mad.topic.news?\n");
    assertThat(program.run("send", "mad.topic.news", "bye").said()).endsWith(": 1 receives it.\n");
    Run stop = program.run("stop");
    assertThat(stop.complained()).isEmpty();
    assertThat(stop.said())
        .startsWith("1 message waits unread for ann; lost if this relay stops.\nStopped process ");
    up.exitStatus();
    assertThat(up.said() + up.complained())
        .contains("1 message waits unread for ann; lost by this stop");
    assertThat(program.data().resolve("run.json")).doesNotExist();
    assertThat(program.run("stop").said()).startsWith("No group runs in ");
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    assertThat(program.run("losses", "ann").said())
        .startsWith("Yes: clients missed messages 1 time, 1 in all.")
        .contains("restart, as grace told it");
    assertThat(program.run("losses").said()).contains("  Rogers was stopped\n");
    assertThat(program.run("problems").said()).contains("missed").doesNotContain("not seen");
    chat.awaitSaid("The relay is back.\nMissed here: some of the messages since ");
    talk(chat);
    chat.process().getOutputStream().close();
    assertThat(chat.exitStatus()).isZero();
    try (FrameClient bob = bob()) {
      bob.succeed("grace_send_message", "{\"client_id\":\"bob\",%s\"Later\"}}".formatted(TO_DAN));
    }
    assertThat(program.run("inbox").said()).containsPattern("bob +mad.direct.dan .* ago +Later\n");
    program.run("send", "mad.direct.eve", "See you");
    Await.until(
        "what is kept for eve, who has no queue",
        () -> program.run("inbox", "eve").said().contains(" See you\n"));
  }

  private FrameClient grace() {
    return new FrameClient(program.port("grace"));
  }

  private FrameClient bob() {
    FrameClient bob = grace();
    bob.succeed("grace_subscribe", "{\"client_id\":\"bob\",\"topics\":[\"mad.direct.bob\"]}");
    return bob;
  }

  /** A line of dan's, and an answer of bob's. */
  private void talk(Run chat) throws Exception {
    try (FrameClient bob = bob()) {
      chat.process().getOutputStream().write("Grüße\n".getBytes(UTF_8));
      chat.process().getOutputStream().flush();
      JsonNode message =
          bob.succeed("grace_poll_messages", "{\"client_id\":\"bob\",\"wait_ms\":60000}")
              .at("/messages/0");
      assertThat(message.path("sender_id").asText()).isEqualTo("dan");
      assertThat(message.at("/payload/text").asText()).isEqualTo("Grüße");
      String answer = UUID.randomUUID().toString();
      bob.succeed(
          "grace_send_message", "{\"client_id\":\"bob\",%s\"Hi\\n%s\"}}".formatted(TO_DAN, answer));
      chat.awaitSaid("Z bob: Hi\n" + answer + "\n");
    }
  }

  @Test
  void aGroupInTheBackgroundOutlivesItsStartAndItsRedisEndsWithIt() throws Exception {
    Run up = program.run("up", "-d", "--log-level", "debug");
    assertThat(up.complained()).isEmpty();
    up.exitStatus();
    assertThat(up.said()).contains("Grace    http://127.0.0.1:").contains("Its log: ");
    assertThat(program.run("up", "-d").said()).startsWith("A group runs already, process ");

    Path log = program.data().resolve("logs").resolve("joshua.log");
    Object open = Files.getAttribute(log, "unix:ino");
    grow(log);
    Await.until(
        "its log is rotated",
        () -> {
          program.run("send", "bob", "hi"); // which it logs
          return Files.size(log) < LARGE;
        });
    assertThat(Files.getAttribute(log, "unix:ino")).as("the JVM's output").isEqualTo(open);
    assertThat(Files.size(log.resolveSibling("joshua.log.1"))).isGreaterThanOrEqualTo(LARGE);
    Path runFile = program.data().resolve("run.json");
    String run = Files.readString(runFile);
    Files.writeString(
        runFile, run.replaceFirst("\"version\" : \".*?\"", "\"version\" : \"0.1.9\""));
    assertThat(program.run("clients").complained())
        .matches("The group runs version 0.1.9, and this command is of .*\n");

    ProcessHandle group = process(up.said().replaceAll("(?s).*process ([0-9]+).*", "$1"));
    ProcessHandle redis =
        group
            .descendants()
            // Debian's redis-server is a link to redis-check-rdb.
            .filter(each -> each.info().command().orElse("").contains("redis-"))
            .findFirst()
            .orElseThrow();
    group.destroyForcibly();
    group.onExit().join();
    redis.onExit().join();

    Run orphan = program.run("send", "bob", "hi");
    assertThat(orphan.exitStatus()).isEqualTo(69);
    assertThat(orphan.complained()).contains("No group runs in", "Start one: ./joshua up");
    grow(log);
    assertThat(program.run("up", "-d").exitStatus()).as("again").isZero();
    assertThat(Files.size(log)).as("rotated by the start").isLessThan(LARGE);
    assertThat(program.run("stop").exitStatus()).isZero();
  }

  private static void grow(Path log) throws Exception {
    try (var file = new RandomAccessFile(log.toFile(), "rw")) {
      file.setLength(LARGE);
    }
  }

  @Tag("slow")
  @Test
  void commandsAreServedAgainWhenFilesCanBeOpenedAgain() throws Exception {
    Run up = program.start("up");
    up.awaitSaid("./joshua stop");
    JsonNode run = program.runFile();
    String group = run.path("pid").asText();
    limitFiles(group, "32:"); // it has more open than that
    try (SocketChannel client =
        SocketChannel.open(UnixDomainSocketAddress.of(run.path("socket").asText()))) {
      assertThat(client.isConnected()).isTrue();
      up.awaitSaid("commands on this machine aren't served at present");
    }
    limitFiles(group, "4096:");
    assertThat(program.run("clients").exitStatus()).isZero();
  }

  private static void limitFiles(String process, String limit) throws Exception {
    var prlimit = new ProcessBuilder("prlimit", "--pid", process, "--nofile=" + limit);
    assertThat(prlimit.inheritIO().start().waitFor()).isZero();
  }

  private static ProcessHandle process(String id) {
    return ProcessHandle.of(Long.parseLong(id)).orElseThrow();
  }

  @Test
  void whatWasMeantIsSaid() {
    Run unknown = program.run("sned", "bob", "hi");
    assertThat(unknown.exitStatus()).isEqualTo(2);
    assertThat(unknown.complained())
        .isEqualTo("There is no command sned (did you mean send?).\nTry joshua --help.\n");
    assertThat(program.run("send", "bob").complained())
        .isEqualTo("Missing required parameter: 'MESSAGE'\nTry joshua send --help.\n");
    try (Program misconfigured =
        new Program(directory, Map.of("JOSHUA_GRACE_PROT", "1", "JOSHUA_FIEDLER_DB", "x"))) {
      Run run = misconfigured.run("up");
      assertThat(run.exitStatus()).isEqualTo(2);
      assertThat(run.complained())
          .startsWith("There is no setting JOSHUA_GRACE_PROT; did you mean JOSHUA_GRACE_PORT?");
    }
    Run open = program.run("up", "--bind", "0.0.0.0");
    assertThat(open.exitStatus()).isEqualTo(2);
    assertThat(open.complained()).contains("that needs JOSHUA_TOKENS_FILE");
    Run wrong = program.run("up", "--grace-port", "x");
    assertThat(wrong.exitStatus()).isEqualTo(2);
    assertThat(program.run("up", "grce").complained())
        .startsWith("There is no service grce; there are grace, fiedler, ");
  }

  @Test
  void aPortThatIsTakenIsNamedAndNothingIsLeftRunning() throws Exception {
    try (var taken = new java.net.ServerSocket(0)) {
      String port = Integer.toString(taken.getLocalPort());
      Run up = program.run("up", "--grace-port", port);
      assertThat(up.exitStatus()).isEqualTo(1);
      assertThat(up.complained())
          .as("one sentence")
          .matches(
              "Can't listen on 127.0.0.1:%s.* set JOSHUA_GRACE_PORT to another\\.\n"
                  .formatted(port));
    }
    Await.until("its directory is free", () -> program.run("stop").exitStatus() == 0);
  }
}
