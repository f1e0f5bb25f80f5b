package joshua.network.http;

/**
 * A page that never changes and reveals nothing about this installation: it is served without a
 * token.
 *
 * @param path where it is, {@code /schema/envelope.json} for instance
 */
public record PublicPage(String path, String contentType, String text) {}
