package joshua.ssh;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;

/**
 * A part of a MAD's live state that {@code mad-state} shows.
 *
 * @param name the word after {@code mad-state}
 * @param sentence its description
 * @param json an object or a list of objects of one shape, built now; its size is bounded by the
 *     supplier
 */
public record StateView(String name, String sentence, Supplier<JsonNode> json) {}
