package joshua.network;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import joshua.kernel.Identifiers;

/** A component that holds the name of a participant of the bus. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@Member(
    pattern = Identifiers.NAME_PATTERN,
    rule = Identifiers.NAME_RULE + ", for example \"claude-1\"")
public @interface Name {
  /** For the model that fills it in. */
  String value() default "";

  /** Whether it may be anybody's, so that an address that has the caller's doesn't fill it. */
  boolean anybody() default false;
}
