package joshua.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test that takes one more than a limit allows, by the limit's id in docs/operating/limits.md. A
 * test of the catalog of limits sees to it that each has one.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.SOURCE)
public @interface TriesLimit {
  /** Ids of limits. */
  String[] value();
}
