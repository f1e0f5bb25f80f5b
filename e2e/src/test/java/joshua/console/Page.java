package joshua.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import joshua.testing.Await;
import joshua.testing.Chromium;

/** A page in a browser, for somebody with a keyboard and a mouse; 1280 × 800 and light at first. */
final class Page implements AutoCloseable {
  private static final Map<String, Integer> MODIFIERS =
      Map.of("", 0, "Alt+", 1, "Control+", 2, "Meta+", 4, "Shift+", 8);
  private static final Map<String, Integer> KEY_CODES =
      Map.ofEntries(
          Map.entry("Backspace", 8),
          Map.entry("Tab", 9),
          Map.entry("Enter", 13),
          Map.entry("Escape", 27),
          Map.entry("ArrowLeft", 37),
          Map.entry("ArrowUp", 38),
          Map.entry("ArrowRight", 39),
          Map.entry("ArrowDown", 40));

  private final Set<String> loaded = ConcurrentHashMap.newKeySet();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final Chromium.Session session;

  Page(Chromium chromium) {
    session = chromium.openPage(this::hear);
    for (String domain : List.of("Page", "Runtime", "Log", "Inspector")) {
      session.call(domain + ".enable", "{}");
    }
    session.call("Page.setLifecycleEventsEnabled", "{enabled: true}");
    session.call("Emulation.setFocusEmulationEnabled", "{enabled: true}");
    viewport(1280, 800, false);
  }

  private void hear(String event, JsonNode said) {
    boolean error =
        switch (event) {
          case "Log.entryAdded" -> said.at("/entry/level").asText().equals("error");
          case "Runtime.consoleAPICalled" -> said.path("type").asText().equals("error");
          case "Runtime.exceptionThrown", "Inspector.targetCrashed" -> true;
          default -> false;
        };
    if (error) {
      problems.add(event + " " + said);
    } else if (event.equals("Page.lifecycleEvent") && said.path("name").asText().equals("load")) {
      loaded.add(said.path("loaderId").asText());
    }
  }

  /** Goes to an address, and returns when it has loaded. */
  void open(String url) {
    JsonNode navigated = session.call("Page.navigate", "{url: %s}", url);
    if (navigated.has("errorText")) {
      throw new AssertionError(url + ": " + navigated.path("errorText").asText());
    }
    String loader = navigated.path("loaderId").asText(); // none if only the fragment is another
    Await.until(url + " has loaded", () -> loader.isEmpty() || loaded.contains(loader));
  }

  /** The value of an expression, or of its promise; what it throws is an {@link AssertionError}. */
  JsonNode evaluate(String js) {
    String parameters = "{expression: %s, awaitPromise: true, returnByValue: true}";
    JsonNode answer = session.call("Runtime.evaluate", parameters, js);
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(js + ": " + answer.path("exceptionDetails"));
    }
    return answer.at("/result/value");
  }

  /**
   * Waits until an expression has a value that JavaScript takes for true, and returns it, or its
   * text if it is an element. Until then it may throw, and the page may be another.
   */
  JsonNode until(String js) {
    String asked = "(v => [!!v, v instanceof Node ? v.textContent : v])(%s)".formatted(js);
    return Await.value(js, () -> answer(asked), answer -> answer.path(0).asBoolean()).path(1);
  }

  private JsonNode answer(String js) {
    try {
      return evaluate(js);
    } catch (AssertionError | IllegalStateException e) {
      return TextNode.valueOf(e.getMessage());
    }
  }

  /** Presses a key: a character, or one of {@link #KEY_CODES}; {@code Shift+Tab} for instance. */
  void key(String name) {
    String key = name.substring(name.lastIndexOf('+', name.length() - 2) + 1);
    int modifiers = MODIFIERS.get(name.substring(0, name.length() - key.length()));
    boolean character = key.codePointCount(0, key.length()) == 1;
    int code = character ? 0 : KEY_CODES.get(key);
    String text = character ? key : key.equals("Enter") ? "\r" : "";
    String event = "{type: %s, key: %s, text: %s, modifiers: %s, windowsVirtualKeyCode: %s}";
    String down = text.isEmpty() ? "rawKeyDown" : "keyDown";
    session.call("Input.dispatchKeyEvent", event, down, key, text, modifiers, code);
    session.call("Input.dispatchKeyEvent", event, "keyUp", key, "", modifiers, code);
  }

  /** Presses the key of each character. */
  void type(String text) {
    text.codePoints().forEach(each -> key(Character.toString(each)));
  }

  /** Clicks into the middle of an element, as soon as it is there and nothing covers it. */
  void click(String selector) {
    JsonNode middle =
        until(
            """
            (e => {
              e.scrollIntoView({block: 'center', behavior: 'instant'});
              const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
              return e.contains(document.elementFromPoint(x, y)) && [x, y];
            })(document.querySelector(%s))\
            """
                .formatted(TextNode.valueOf(selector)));
    String event = "{type: %s, x: %s, y: %s, button: 'left', clickCount: 1}";
    session.call("Input.dispatchMouseEvent", event, "mousePressed", middle.get(0), middle.get(1));
    session.call("Input.dispatchMouseEvent", event, "mouseReleased", middle.get(0), middle.get(1));
  }

  void viewport(int width, int height, boolean dark) {
    String size = "{width: %s, height: %s, deviceScaleFactor: 1, mobile: false}";
    session.call("Emulation.setDeviceMetricsOverride", size, width, height);
    String media = "{features: [{name: 'prefers-color-scheme', value: %s}]}";
    session.call("Emulation.setEmulatedMedia", media, dark ? "dark" : "light");
  }

  /** Writes what is in the viewport, as PNG. */
  void picture(Path file) throws IOException {
    Files.write(file, session.call("Page.captureScreenshot", "{}").path("data").binaryValue());
  }

  /** Errors since the start: in the console, uncaught, or of the content security policy. */
  List<String> problems() {
    evaluate("0"); // what the page said before comes before this answer
    return List.copyOf(problems);
  }

  @Override
  public void close() {
    session.close();
  }
}
