package joshua.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A crash matrix of any size, in lanes that run in parallel; {@code e2e/crash-matrix/run}. */
final class CrashMatrixRun {
  private CrashMatrixRun() {}

  /** Arguments: the number of kills, the seed, the number of lanes. */
  public static void main(String[] arguments) throws Exception {
    int kills = Integer.parseInt(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    int lanes = Integer.parseInt(arguments[2]);
    System.out.printf("%d kills in %d lanes, seed %d%n%n", kills, lanes, seed);
    long begun = System.nanoTime();
    CrashReport all = new CrashReport();
    try (ExecutorService threads = Executors.newFixedThreadPool(lanes)) {
      List<Future<CrashReport>> reports = new ArrayList<>();
      for (int lane = 0; lane < lanes; lane++) {
        int share = kills / lanes + (lane < kills % lanes ? 1 : 0);
        long own = seed + lane;
        reports.add(threads.submit(() -> lane(own, share)));
      }
      for (Future<CrashReport> report : reports) {
        all.add(report.get());
      }
    }
    System.out.println(all);
    System.out.printf("%d s%n", (System.nanoTime() - begun) / 1_000_000_000L);
    System.exit(all.faults().isEmpty() && all.hits().size() == PointLog.POINTS.size() ? 0 : 1);
  }

  private static CrashReport lane(long seed, int kills) throws InterruptedException {
    try (TestEnvironment environment = new TestEnvironment()) {
      return new CrashMatrix(environment, seed).run(kills);
    }
  }
}
