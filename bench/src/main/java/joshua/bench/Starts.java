package joshua.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import joshua.app.Services;

/** The benchmark of the time for {@code up}, for a command, and for {@code stop}. */
final class Starts {
  private static final double NANOS_IN_SECOND = 1e9;

  private Starts() {}

  static void measure(int rounds, Report report) throws IOException, InterruptedException {
    Path directory = Files.createDirectories(MeasuredGroup.TARGET.resolve("starts"));
    List<Double> up = new ArrayList<>();
    List<Double> send = new ArrayList<>();
    List<Double> stop = new ArrayList<>();
    List<String> words = new ArrayList<>(List.of("up", "--redis-port=0"));
    Services.ALL.forEach(service -> words.add("--%s-port=0".formatted(service.name())));
    for (int round = 0; round <= rounds; round++) {
      long began = System.nanoTime();
      Process group = command(directory, words.toArray(String[]::new));
      String line = group.inputReader().readLine();
      double seconds = (System.nanoTime() - began) / NANOS_IN_SECOND;
      if (line == null) {
        throw new IOException("The group ended at once.");
      }
      double sent = seconds(directory, "send", "nobody", "hello");
      double stopped = seconds(directory, "stop");
      group.waitFor();
      if (round > 0) { // the first creates the class archive
        up.add(seconds);
        send.add(sent);
        stop.add(stopped);
      }
    }
    report.add(Figure.alone("up, seconds until it is ready", up, "<= 1.5", ""));
    report.add(Figure.alone("send, seconds", send, "<= 0.5", ""));
    report.add(Figure.alone("stop, seconds", stop, "<= 0.5", ""));
  }

  private static double seconds(Path directory, String... words)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    int status = command(directory, words).waitFor();
    double seconds = (System.nanoTime() - began) / NANOS_IN_SECOND;
    if (status != 0) {
      throw new IOException("%s ended with %d.".formatted(words[0], status));
    }
    return seconds;
  }

  private static Process command(Path directory, String... words) throws IOException {
    String joshua = MeasuredGroup.HOME.resolve("joshua").toString();
    return Peer.start(directory, joshua, words).process();
  }
}
