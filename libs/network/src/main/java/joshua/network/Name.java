package joshua.network;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import joshua.kernel.Identifiers;

/** A hint for a component that holds the name of a participant of the bus. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@SchemaHint(
    pattern = Identifiers.NAME_PATTERN,
    rule = Identifiers.NAME_RULE + ", for example \"claude-1\"")
public @interface Name {
  /** The description, for models. */
  String value() default "";

  /** Whether it isn't the caller's own name, which a URL could set. */
  boolean anybody() default false;
}
