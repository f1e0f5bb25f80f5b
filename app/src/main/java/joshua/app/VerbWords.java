package joshua.app;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a MAD's command with its arguments, as it is sent; what wasn't given isn't sent. */
final class VerbWords {
  private final List<String> words = new ArrayList<>();
  private final List<String> parameters = new ArrayList<>();

  VerbWords(String verb) {
    words.add(verb);
  }

  VerbWords option(String name, @Nullable Object value) {
    if (value != null) {
      words.add(name);
      words.add(value.toString());
    }
    return this;
  }

  VerbWords flag(String name, boolean given) {
    if (given) {
      words.add(name);
    }
    return this;
  }

  /** Adds an argument that isn't an option, whatever it begins with. */
  VerbWords parameter(String word) {
    parameters.add(word);
    return this;
  }

  List<String> list() {
    List<String> all = new ArrayList<>(words);
    if (!parameters.isEmpty()) {
      all.add("--");
      all.addAll(parameters);
    }
    return List.copyOf(all);
  }
}
