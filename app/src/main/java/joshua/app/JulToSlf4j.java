package joshua.app;

import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Configures java.util.logging, which some libraries use, so that all of it goes to SLF4J. Created
 * by java.util.logging itself at its first use, so a start that never uses it pays nothing.
 */
public final class JulToSlf4j {
  public JulToSlf4j() {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }
}
