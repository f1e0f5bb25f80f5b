package joshua.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GraceSettingsTest {
  private static List<String> read(String text) {
    return GraceSettings.URLS.reader().read(text, Path.of("/"));
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:8000, ws://127.0.0.1:8000/mcp",
    "http://Grace-1:8000/, ws://grace-1:8000/mcp",
    "https://bus.example.org, wss://bus.example.org:443/mcp",
    "http://bus.example.org/two/mcp, ws://bus.example.org:80/two/mcp",
    "WSS://[::1]:8000/mcp, wss://[::1]:8000/mcp"
  })
  void eachIsTheWebSocketEndpointOfAGrace(String url, String endpoint) {
    assertThat(read(url)).containsExactly(url);
    assertThat(GraceSettings.endpoint(url)).hasToString(endpoint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "127.0.0.1:8000",
        "ftp://host:1",
        "http://",
        "http://host:99999",
        "http://host:0",
        "http://ann:secret@host:8000",
        "http://host:8000?x=1",
        "http://host:8000,ws://HOST:8000/mcp",
        "http://host:8000,http://two hosts"
      })
  void whatIsNoneOrTwiceThereIsRefused(String text) {
    assertThatThrownBy(() -> read(text)).hasMessageStartingWith("must be at most 16 URLs");
  }

  @Test
  void oneMoreThanTheMostIsRefused() {
    assertThat(read(urls(GraceSettings.MAX_URLS))).hasSize(GraceSettings.MAX_URLS);
    assertThatThrownBy(() -> read(urls(GraceSettings.MAX_URLS + 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String urls(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> "http://grace-%d:8000".formatted(number))
        .collect(Collectors.joining(","));
  }
}
