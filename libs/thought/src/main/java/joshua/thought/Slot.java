package joshua.thought;

import java.util.Map;

/**
 * What some words of a prompt stand for.
 *
 * @param arguments of a query, with their values
 * @param words how many they are
 */
record Slot(Map<String, String> arguments, int words) {}
