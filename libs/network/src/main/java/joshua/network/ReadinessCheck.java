package joshua.network;

import java.util.Optional;
import java.util.function.Supplier;

/** Whether a part that a service needs is usable; the problem is a sentence while it isn't. */
public record ReadinessCheck(String name, Supplier<Optional<String>> problem) {}
