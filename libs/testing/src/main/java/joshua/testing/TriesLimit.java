package joshua.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test that exceeds a limit by one, by the limit's id in docs/operating/limits.md. A test
 * of the limit catalog ensures that each limit has one.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.SOURCE)
public @interface TriesLimit {
  /** Ids of limits. */
  String[] value();
}
