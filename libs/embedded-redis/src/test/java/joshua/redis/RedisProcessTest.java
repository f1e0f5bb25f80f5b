package joshua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/** The output of a Redis that ends at once; a script with that output stands in for its binary. */
class RedisProcessTest {
  @TempDir Path directory;

  /** It was read by a thread that could be late: a busy binary then wasn't tried again. */
  @RepeatedTest(40)
  void whatItSaidIsKnownOnceItIsStopped() throws Exception {
    Path binary = directory.resolve("says-it-is-busy");
    Files.writeString(binary, "#!/bin/sh\necho 'redis-server: Text file busy'\n");
    Files.setPosixFilePermissions(binary, PosixFilePermissions.fromString("rwx------"));
    RedisProcess process = RedisProcess.start(binary, directory.resolve("none"), directory, 8_192);
    process.awaitExit();

    process.stop();

    assertThat(process.binaryWasBusy()).isTrue();
  }
}
