package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.network.Caller;
import joshua.network.TokenFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that what is written is what the services read (+JN-04). */
final class TokenStoreTest {
  @TempDir private Path directory;

  @Test
  void aCreatedTokenIsKnownToTheServicesAndARevokedOneIsNot() throws Exception {
    Path file = directory.resolve("sub/tokens");
    TokenStore store = new TokenStore(file, TimedWait.system());
    String token = store.create("ann", Role.VIEWER);
    store.create("bob", Role.ADMIN);

    Optional<Caller> ann = TokenFile.open(file, System::nanoTime).caller("Bearer " + token, "c");

    assertThat(ann).contains(new Caller(Optional.of("ann"), Role.VIEWER, "c"));
    assertThat(store.list())
        .hasSize(2)
        .first()
        .satisfies(each ->
            assertThat(each).extracting("clientId", "role").containsExactly("ann", "viewer"));
    assertThat(store.revoke("ann")).isEqualTo(1);
    assertThat(TokenFile.open(file, System::nanoTime).caller("Bearer " + token, "c")).isEmpty();
    assertThat(store.revoke("ann")).isZero();
  }

  @Test
  void nobodysChangeIsLostWhenSeveralChangeItAtOnce() throws Exception {
    Path file = directory.resolve("tokens");
    Callable<Void> changes =
        () -> {
          TokenStore store = new TokenStore(file, TimedWait.system());
          for (int i = 0; i < 20; i++) {
            String name = Thread.currentThread().threadId() + "-" + i;
            store.create(name, Role.VIEWER);
            store.create("kept-" + name, Role.VIEWER);
            store.revoke(name);
          }
          return null;
        };
    try (ExecutorService both = Executors.newFixedThreadPool(2)) {
      for (Future<Void> done : both.invokeAll(List.of(changes, changes))) {
        done.get();
      }
    }

    assertThat(new TokenStore(file, TimedWait.system()).list())
        .hasSize(40)
        .allSatisfy(each -> assertThat(each.clientId()).startsWith("kept-"));
  }

  @Test
  void aLinkStaysOneAndWhatItLeadsToIsChanged() throws Exception {
    Path file = Files.createFile(directory.resolve("tokens"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);

    new TokenStore(link, TimedWait.system()).create("ann", Role.VIEWER);

    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(file)).endsWith(" ann viewer\n");
  }

  @Test
  void theFileHoldsNoTokenKeepsItsCommentsAndIsItsOwnersAlone() throws Exception {
    Path file = directory.resolve("tokens");
    Files.write(file, List.of("# who is who", ""));

    String token = new TokenStore(file, TimedWait.system()).create("ann", Role.OPERATOR);

    assertThat(Files.readString(file)).startsWith("# who is who\n").doesNotContain(token);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
