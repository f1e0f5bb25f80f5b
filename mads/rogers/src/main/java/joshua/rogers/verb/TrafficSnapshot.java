package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * Rogers' counts at one moment; all rows have {@code messages} and {@code bytes}.
 *
 * @param at by the monotonic clock of this process
 * @param all one row: everything
 * @param channels a row for each of the busiest
 * @param senders a row for each of the busiest
 */
record TrafficSnapshot(Duration at, JsonNode all, JsonNode channels, JsonNode senders) {}
