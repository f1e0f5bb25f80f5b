package joshua.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The browser of these tests, on two pages under a strict content security policy. */
@ExtendWith(SharedChromium.class)
class ChromiumTest {
  private static final Path PAGES = Path.of("src", "test", "resources", "joshua", "console");
  private static final HttpServer SERVER =
      SimpleFileServer.createFileServer(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
          PAGES.toAbsolutePath(),
          OutputLevel.NONE);
  private static final String URL = "http://127.0.0.1:%d/".formatted(SERVER.getAddress().getPort());

  @TempDir private Path directory;

  @BeforeAll
  static void serve() {
    SERVER.start();
  }

  @AfterAll
  static void stop() {
    SERVER.stop(0);
  }

  @Test
  void aPageIsUsedByKeysAndMouse(Page page) throws IOException {
    page.open(URL + "greeting.html");
    page.key("Tab");
    page.type("Ann + 😀");
    page.key("Tab");
    page.key("Enter");
    page.until("document.querySelector('p').textContent === 'Hello Ann + 😀. '");
    page.key("Shift+Tab");
    page.key("Backspace");
    page.key("!");
    page.click("button");
    page.until("document.querySelector('p').textContent.endsWith('. Hello !. ')");
    assertThat(page.problems()).isEmpty();
    assertThat(Axe.violations(page)).isEmpty();

    page.viewport(390, 844, true);
    page.until("innerWidth === 390 && matchMedia('(prefers-color-scheme: dark)').matches");
    Path picture = directory.resolve("picture.png");
    page.picture(picture);
    assertThat(Files.readString(picture, ISO_8859_1)).startsWith("\u0089PNG\r\n");
  }

  @Test
  void whatIsWrongWithAPageIsTold(Page page) throws IOException {
    page.open(URL + "faults.html");
    assertThat(page.problems())
        .satisfiesExactlyInAnyOrder(
            problem -> assertThat(problem).contains("Content Security Policy"),
            problem -> assertThat(problem).contains("said"),
            problem -> assertThat(problem).contains("Error: thrown"));
    assertThat(Axe.violations(page)).singleElement().asString().startsWith("image-alt: ");
    assertThatThrownBy(() -> page.evaluate("nothing.there"))
        .hasMessageContaining("nothing is not defined");
  }
}
