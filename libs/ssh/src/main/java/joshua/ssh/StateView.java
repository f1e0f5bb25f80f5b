package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;

/**
 * A part of a MAD's live state that {@code mad-state} shows.
 *
 * @param name what follows {@code mad-state}
 * @param sentence what it is
 * @param json an object or a list of objects of one shape, taken now; bounded by whoever gives it
 */
public record StateView(String name, String sentence, Supplier<JsonNode> json) {}
