package joshua.network;

import java.util.Optional;
import java.util.function.Supplier;

/** A check of a part that a service needs; the problem is a sentence while it is unusable. */
public record ReadinessCheck(String name, Supplier<Optional<String>> problem) {}
