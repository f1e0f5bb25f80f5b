package joshua.network;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a tool's schema says about a component of its record, and what is checked of it. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.ANNOTATION_TYPE})
@Member
public @interface Member {
  /** What is said of a component that has none. */
  Member PLAIN = Member.class.getAnnotation(Member.class);

  /** For the model that fills it in. */
  String value() default "";

  /** A right form as JSON, shown where a wrong one was sent. */
  String example() default "";

  /** The least number, length of a text, or number of elements. */
  long min() default Long.MIN_VALUE;

  /** The greatest number, length of a text, or number of elements. */
  long max() default Long.MAX_VALUE;

  /** A regular expression that the whole text matches; it begins with ^ and ends with $. */
  String pattern() default "";

  /** The pattern as the end of a sentence: "must be …". */
  String rule() default "";
}
