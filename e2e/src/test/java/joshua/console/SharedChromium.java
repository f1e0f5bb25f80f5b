package joshua.console;

import joshua.testing.Chromium;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test a page of its own, in the browser that all tests share. Without a browser they are
 * left out, but not where CI is true.
 */
public final class SharedChromium implements ExecutionCondition, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(SharedChromium.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return Chromium.isInstalled() || "true".equals(System.getenv("CI"))
        ? ConditionEvaluationResult.enabled(null)
        : ConditionEvaluationResult.disabled("Chromium isn't installed");
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Page.class;
  }

  @Override
  public Page resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Chromium chromium =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .computeIfAbsent(Chromium.class, key -> new Chromium(), Chromium.class);
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(parameter, key -> new Page(chromium), Page.class);
  }
}
