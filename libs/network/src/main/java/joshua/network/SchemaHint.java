package joshua.network;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The description and the constraints of a record component in a tool's schema. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.ANNOTATION_TYPE})
@SchemaHint
public @interface SchemaHint {
  /** The hint of a component without one. */
  SchemaHint NONE = SchemaHint.class.getAnnotation(SchemaHint.class);

  /** The description, for models. */
  String value() default "";

  /** A valid value as JSON, shown in the refusal of an invalid one. */
  String example() default "";

  /** The minimum of a number, of the length of a text, or of the number of elements. */
  long min() default Long.MIN_VALUE;

  /** The maximum of a number, of the length of a text, or of the number of elements. */
  long max() default Long.MAX_VALUE;

  /** A regular expression for the whole text, from ^ to $. */
  String pattern() default "";

  /** The pattern as the end of a sentence: "must be …". */
  String rule() default "";
}
