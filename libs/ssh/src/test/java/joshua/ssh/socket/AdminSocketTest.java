package joshua.ssh.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminConsole;
import joshua.ssh.NotedConsole;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class AdminSocketTest {
  private static final int CLIENTS = 100;

  @TempDir Path directory;

  private final TestVerbs verbs = new TestVerbs();
  private final CountDownLatch patience = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private Path file;
  private AdminSocket socket;

  @BeforeEach
  void open() throws Exception {
    file = directory.resolve("grace/admin.sock");
    socket = AdminSocket.open(file, verbs.host(), this::pause);
  }

  /** The request timeout lasts until the test ends it; other waits are real. */
  private void pause(java.time.Duration duration) throws InterruptedException {
    if (duration.equals(SocketAdminSession.REQUEST_WITHIN)) {
      patience.await();
    } else {
      TimedWait.system().pause(duration);
    }
  }

  @AfterEach
  void close() throws Exception {
    socket.close();
    threads.shutdownNow();
  }

  private int run(NotedConsole console, String... words) throws Exception {
    return AdminSocketClient.run(file, List.of(words), console);
  }

  @Test
  void runsAVerbWithItsWordsAsTheyAreForTheOwnerOfTheDirectory() throws Exception {
    NotedConsole console = NotedConsole.program();
    assertThat(run(console, "say", "a b", "'", "--", "-x", "ü\n\033[2J")).isZero();
    assertThat(console.out())
        .isEqualTo(System.getProperty("user.name") + ": a b|'|-x|ü\\u000a\\u001b[2J\n");
    assertThat(console.err()).isEqualTo("joshua: not live\n");
  }

  @Test
  void aVerbsExitStatusIsTheClients() throws Exception {
    NotedConsole console = NotedConsole.program();
    assertThat(run(console, "refuse")).isEqualTo(1);
    assertThat(run(console, "refuse", "me")).isEqualTo(2);
    assertThat(run(console)).isEqualTo(2);
    assertThat(console.out()).isEmpty();
    assertThat(console.err()).contains("not today", "one word too many", "no verb was given");
  }

  @Test
  void onATerminalThereAreColoursUnlessTheyArentWanted() throws Exception {
    NotedConsole coloured = NotedConsole.terminal(80, 24);
    run(coloured, "say");
    assertThat(coloured.out()).startsWith("\033[32m");
    NotedConsole plain = NotedConsole.plainTerminal(80, 24);
    run(plain, "say");
    assertThat(plain.out()).doesNotContain("\033");
    assertThat(plain.err()).isEqualTo("joshua: live\n");
  }

  @Test
  void nobodyElseCanReachIt() throws Exception {
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(mode(file.getParent())).isEqualTo("rwx------");
    try (var left = Files.list(file.getParent())) {
      assertThat(left.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder("admin.sock", "admin.lock");
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void onlyItsOwnerAndRootMayCome() {
    assertThat(PeerAccount.mayCome("ann", "ann")).isTrue();
    assertThat(PeerAccount.mayCome("root", "ann")).isTrue();
    assertThat(PeerAccount.mayCome("bob", "ann")).isFalse();
  }

  @Test
  void whatAProcessThatIsGoneHasLeftIsReplaced() throws Exception {
    Path stale = directory.resolve("rogers/admin.sock");
    Files.createDirectories(stale.resolveSibling(".admin"));
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(stale));
    }
    Files.createFile(stale.resolveSibling(".admin").resolve("s"));
    assertThat(Files.exists(stale)).isTrue();
    try (AdminSocket _ = AdminSocket.open(stale, verbs.host())) {
      assertThat(AdminSocketClient.run(stale, List.of("say"), NotedConsole.program())).isZero();
    }
    assertThat(Files.exists(stale, LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void aLivingOneIsLeftAlone() throws Exception {
    assertThatThrownBy(() -> AdminSocket.open(file, verbs.host()))
        .isInstanceOf(AdminSocket.UnusableSocketException.class)
        .hasMessageContaining("is served by another process");
    assertThat(run(NotedConsole.program(), "say")).isZero();
  }

  @Test
  void whatIsNoSocketIsLeftAlone() throws Exception {
    Path other = directory.resolve("admin.sock");
    Files.writeString(other, "precious");
    assertThatThrownBy(() -> AdminSocket.open(other, verbs.host()))
        .isInstanceOf(AdminSocket.UnusableSocketException.class)
        .hasMessageContaining("is in the way");
    assertThat(other).hasContent("precious");
    Files.delete(other);
    AdminSocket.open(other, verbs.host()).close();
  }

  @Test
  void aPathThatIsTooLongIsSaidWithWhatToDo() throws Exception {
    int room = AdminSocket.LONGEST_PATH - (directory + "/" + "/admin.sock").length();
    Path longest = directory.resolve("x".repeat(room)).resolve("admin.sock");
    try (AdminSocket _ = AdminSocket.open(longest, verbs.host())) {
      assertThat(AdminSocketClient.run(longest, List.of("say"), NotedConsole.program())).isZero();
    }
    Path tooLong = directory.resolve("x".repeat(room + 1)).resolve("admin.sock");
    assertThatThrownBy(() -> AdminSocket.open(tooLong, verbs.host()))
        .isInstanceOf(AdminSocket.UnusableSocketException.class)
        .hasMessageContaining("has 103 bytes")
        .hasMessageContaining("JOSHUA_DATA_DIR");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "hello; is not valid JSON",
        "[]; must be a JSON object",
        "{}; words must be a list of strings",
        "{\"words\":[1]}; words must be a list of strings",
        "{\"words\":[],\"terminal\":{\"columns\":0,\"rows\":1}}; terminal.columns and terminal.rows must be 1 to",
      })
  void aRequestThatIsntOneIsRefusedByName(String line, String why) throws Exception {
    assertThat(talk(line + "\n"))
        .hasSize(2)
        .first()
        .asString()
        .contains("the request isn't understood", why);
  }

  @Test
  void aLineHasAnEnd() throws Exception {
    String words = "{\"words\":[\"say\"]";
    String longest = words + " ".repeat(ClientMessage.LONGEST - words.length() - 1) + "}\n";
    assertThat(talk(longest).getLast()).isEqualTo("{\"exit\":0}");
    List<String> answer = talk(" " + longest);
    assertThat(answer.getFirst()).contains("a line has at most 524288 bytes");
    assertThat(answer.getLast()).isEqualTo("{\"exit\":2}");
  }

  /** Sends bytes as they are, and returns the lines that come until the end. */
  private List<String> talk(String bytes) throws Exception {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      Future<?> sent =
          threads.submit(() -> {
            Channels.newOutputStream(channel).write(bytes.getBytes(StandardCharsets.UTF_8));
            return null;
          });
      List<String> lines = lines(channel);
      sent.get();
      return lines;
    }
  }

  private static List<String> lines(SocketChannel channel) {
    return new BufferedReader(
            new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8))
        .lines()
        .collect(Collectors.toList());
  }

  @Test
  void whoSaysNothingIsSentAway() throws Exception {
    try (SocketChannel silent = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      patience.countDown();
      assertThat(silent.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @Test
  void aHundredAtOnceAreServedOrToldToComeAgain() throws Exception {
    List<Callable<Integer>> calls = new ArrayList<>();
    List<NotedConsole> consoles = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      NotedConsole console = NotedConsole.program();
      consoles.add(console);
      calls.add(() -> run(console, "say", "hello"));
    }
    int served = 0;
    List<Future<Integer>> ends = threads.invokeAll(calls);
    for (int i = 0; i < CLIENTS; i++) {
      if (ends.get(i).get() == 0) {
        served++;
        assertThat(consoles.get(i).out()).contains("hello");
      } else {
        assertThat(ends.get(i).get()).isEqualTo(69);
        assertThat(consoles.get(i).err()).contains("16 verbs run already");
      }
    }
    assertThat(served).isGreaterThanOrEqualTo(AdminSocket.MOST_SESSIONS);
    await().until(() -> run(NotedConsole.program(), "say") == 0);
  }

  @Test
  void theSeventeenthIsToldSoAndAPlaceThatIsLeftIsFree() throws Exception {
    List<AdminSocketClient> clients = new ArrayList<>();
    List<NotedConsole> consoles = new ArrayList<>();
    for (int i = 0; i < AdminSocket.MOST_SESSIONS; i++) {
      AdminSocketClient client = AdminSocketClient.connect(file);
      NotedConsole console = NotedConsole.program();
      threads.submit(() -> client.run(List.of("wait"), console));
      clients.add(client);
      consoles.add(console);
    }
    await().until(() -> consoles.stream().allMatch(each -> each.out().equals("waiting\n")));
    NotedConsole oneMore = NotedConsole.program();
    assertThat(run(oneMore, "say")).isEqualTo(69);
    assertThat(oneMore.err())
        .isEqualTo(
            "joshua: 16 verbs run already by this socket of grace; try again when one has ended\n");
    clients.getFirst().close();
    await().until(() -> run(NotedConsole.program(), "say") == 0);
    clients.forEach(AdminSocketClient::close);
  }

  @Test
  void aSlowReaderIsWaitedForAndGetsEverything() throws Exception {
    try (SocketChannel slow = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      slow.write(ByteBuffer.wrap("{\"words\":[\"flood\"]}\n".getBytes(StandardCharsets.UTF_8)));
      await().until(() -> verbs.flooded.get() > 0);
      AtomicInteger before = new AtomicInteger();
      await()
          .during(500, TimeUnit.MILLISECONDS)
          .until(() -> verbs.flooded.get() == before.getAndSet(verbs.flooded.get()));
      assertThat(before).hasValueLessThan(20_000);
      List<String> lines = lines(slow);
      assertThat(lines).hasSize(20_001);
      assertThat(lines.get(19_999)).contains("line 019999");
      assertThat(lines.getLast()).isEqualTo("{\"exit\":0}");
    }
  }

  @Test
  void whoLeavesEndsHisVerb() throws Exception {
    AdminSocketClient client = AdminSocketClient.connect(file);
    NotedConsole console = NotedConsole.program();
    Future<Integer> end = threads.submit(() -> client.run(List.of("wait"), console));
    await().until(() -> console.out().equals("waiting\n"));
    client.close();
    assertThat(verbs.interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(end::get).cause().isInstanceOf(AdminSocketClient.NoServerException.class);
  }

  @Test
  void anInterruptEndsTheVerbAndItsStatusStillComes() throws Exception {
    try (AdminSocketClient client = AdminSocketClient.connect(file)) {
      NotedConsole console = NotedConsole.program();
      Future<Integer> end = threads.submit(() -> client.run(List.of("wait"), console));
      await().until(() -> console.out().equals("waiting\n"));
      client.interrupt();
      assertThat(end.get()).isEqualTo(130);
    }
  }

  @Test
  void aVerbThatWritesToASlowReaderCanBeInterrupted() throws Exception {
    try (SocketChannel slow = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      slow.write(ByteBuffer.wrap("{\"words\":[\"flood\"]}\n".getBytes(StandardCharsets.UTF_8)));
      await().until(() -> verbs.flooded.get() > 0);
      slow.write(ByteBuffer.wrap("{\"interrupt\":true}\n".getBytes(StandardCharsets.UTF_8)));
      List<String> lines = lines(slow);
      assertThat(lines.size()).isLessThan(20_000);
      assertThat(lines.getLast()).startsWith("{\"exit\":");
    }
  }

  @Test
  void theVerbSeesTheTerminalAsItIsNow() throws Exception {
    try (AdminSocketClient client = AdminSocketClient.connect(file)) {
      NotedConsole console = NotedConsole.terminal(80, 24);
      threads.submit(() -> client.run(List.of("wait"), console));
      await().until(() -> console.out().contains("waiting"));
      verbs.waiting.release();
      await().until(() -> console.out().contains("x".repeat(79) + "…"));
      client.resized(new AdminConsole.Size(200, 50));
      await()
          .until(() -> {
            verbs.waiting.release();
            return console.out().contains("x".repeat(199) + "…");
          });
    }
  }

  @Test
  void whenTheMadStopsAVerbEndsAsUnavailable() throws Exception {
    NotedConsole console = NotedConsole.program();
    Future<Integer> end = threads.submit(() -> run(console, "wait"));
    await().until(() -> console.out().equals("waiting\n"));
    socket.close();
    assertThat(end.get()).isEqualTo(69);
    assertThat(console.err()).isEqualTo("joshua: grace is stopping\n");
    assertThatThrownBy(() -> run(console, "say"))
        .isInstanceOfSatisfying(
            AdminSocketClient.NoServerException.class,
            noServerException ->
                assertThat(noServerException.why()).isEqualTo(AdminSocketClient.Cause.NOBODY));
  }

  @Test
  void whereNobodyReadsAnyMoreTheClientEnds() throws Exception {
    NotedConsole console = NotedConsole.program();
    console.leave();
    assertThat(run(console, "wait")).isZero();
    assertThat(verbs.interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }
}
