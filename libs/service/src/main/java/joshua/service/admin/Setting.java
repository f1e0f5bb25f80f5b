package joshua.service.admin;

/**
 * A setting that a service runs with.
 *
 * @param value as it was given; never a secret
 * @param source of the value: a flag, the environment, the settings file, or the default
 */
public record Setting(String name, String value, String source) {}
