package joshua.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import joshua.testing.RedisServer;
import org.HdrHistogram.Histogram;

/**
 * The benchmark of a thread whose five members post, until the others' polls have that, and of
 * messages to five who are away, until their runners have started a command.
 */
final class Threads {
  private static final int MEMBERS = 5;
  private static final int POSTS_PER_SECOND = 25;
  private static final double MILLI = 1e6;

  private int posts;

  void measure(RedisServer redis, int rounds, int seconds, Report report)
      throws IOException, InterruptedException {
    try (MeasuredGroup group = MeasuredGroup.start(redis);
        FrameSocket dewey = new FrameSocket(group.port("dewey"))) {
      List<Double> visible = new ArrayList<>();
      Latency latency = new Latency();
      String members =
          "{\"client_id\":\"u0\",\"title\":\"t\",\"participants\":[\"u1\",\"u2\",\"u3\",\"u4\"]}";
      String thread =
          dewey
              .call("dewey_create_thread", members)
              .replaceFirst(".*\"thread_id\":\"([^\"]+).*", "$1");
      for (int i = 0; i < MEMBERS; i++) {
        var _ = latency.poller(group, "u" + i, "mad.direct.u" + i);
      }
      FrameSocket poster = latency.sender(group.port("dewey"));
      for (int round = 0; round < rounds; round++) {
        Histogram nanos =
            latency.run(
                at -> poster.send(Frames.call("dewey_post", post(thread, at))),
                POSTS_PER_SECOND,
                seconds,
                MEMBERS - 1);
        visible.add(nanos.getValueAtPercentile(95) / MILLI);
      }
      report.add(Figure.alone("post to members' polls, p95 ms", visible, "<= 2000", ""));
      double woken = woken(group, dewey, rounds).getValueAtPercentile(95) / MILLI;
      report.add(Figure.alone("message to command, p95 ms", List.of(woken), "<= 3000", ""));
    }
  }

  private String post(String thread, long at) {
    return "{\"client_id\":\"u%d\",\"thread_id\":\"%s\",\"body\":{\"at\":%d}}"
        .formatted(posts++ % MEMBERS, thread, at);
  }

  private static Histogram woken(MeasuredGroup group, FrameSocket dewey, int rounds)
      throws IOException {
    Histogram nanos = new Histogram(3);
    Path directory = MeasuredGroup.TARGET.resolve("group");
    String joshua = MeasuredGroup.HOME + "/joshua";
    List<Peer> runners = new ArrayList<>();
    try (FrameSocket grace = new FrameSocket(group.port())) {
      for (int i = 0; i < MEMBERS; i++) {
        runners.add(Peer.start(directory, joshua, "wake", "w" + i, "--", "touch", "woken-" + i));
        var _ = runners.getLast().process().inputReader().readLine(); // it is ready
      }
      for (int i = 0; i < rounds * MEMBERS; i++) {
        int who = i % MEMBERS;
        long began = System.nanoTime();
        grace.call(
            "grace_send_message",
            "{\"client_id\":\"boss\",\"channel\":\"mad.direct.w%d\",\"payload\":{}}"
                .formatted(who));
        Path file = directory.resolve("woken-" + who);
        while (!Files.exists(file)) {
          LockSupport.parkNanos((long) MILLI);
        }
        nanos.recordValue(System.nanoTime() - began);
        Files.delete(file);
        dewey.call("dewey_mail", "{\"client_id\":\"w%d\",\"collect\":true}".formatted(who));
      }
      return nanos;
    } finally {
      runners.forEach(Peer::close);
    }
  }
}
