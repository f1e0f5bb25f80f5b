package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;

class PayloadValidatorTest {
  private static ObjectNode nested(int depth) {
    ObjectNode payload = Json.object();
    if (depth > 1) {
      ArrayNode at = payload.putArray("a");
      for (int level = 2; level < depth; level++) {
        at = at.addArray();
      }
    }
    return payload;
  }

  /** A payload called legible must be readable in an envelope, and any other must not. */
  private static boolean canBeRead(ObjectNode payload) {
    try {
      Json.parse(Json.bytes(Json.object().set("payload", payload)));
      return true;
    } catch (Json.MalformedJsonException e) {
      return false;
    }
  }

  @Test
  void depthIsLegibleUpToTheLimitOfReaders() {
    assertThat(PayloadValidator.fault(nested(63))).isEmpty();
    assertThat(canBeRead(nested(63))).isTrue();
    assertThat(PayloadValidator.fault(nested(64)))
        .contains("must be nested at most 63 levels deep");
    assertThat(canBeRead(nested(64))).isFalse();
  }

  @Test
  void numbersAreLegibleUpToTheLimitOfReaders() {
    ObjectNode longest = Json.object().put("n", new BigInteger("9".repeat(100)));
    ObjectNode tooLong = Json.object().put("n", new BigInteger("9".repeat(101)));
    assertThat(PayloadValidator.fault(longest)).isEmpty();
    assertThat(canBeRead(longest)).isTrue();
    assertThat(PayloadValidator.fault(tooLong))
        .contains("must have no number of more than 100 characters");
    assertThat(canBeRead(tooLong)).isFalse();
  }

  @Test
  void halfASurrogatePairIsNotLegible() {
    String rule = "must have no half of a surrogate pair in its text";
    assertThat(PayloadValidator.fault(Json.object().put("t", "\ud83d\ude00"))).isEmpty();
    assertThat(PayloadValidator.fault(Json.object().put("t", "\ud83d"))).contains(rule);
    assertThat(PayloadValidator.fault(Json.object().put("\ude00", 1))).contains(rule);
    ObjectNode inside = Json.object();
    inside.putArray("list").addObject().put("t", "x\ude00");
    assertThat(PayloadValidator.fault(inside)).contains(rule);
  }

  @Test
  void namesAreLegibleUpToTheirLimit() {
    assertThat(PayloadValidator.fault(Json.object().put("n".repeat(10_000), 1))).isEmpty();
    assertThat(PayloadValidator.fault(Json.object().put("n".repeat(10_001), 1)))
        .contains("must have no member name of more than 10000 characters");
    assertThat(canBeRead(Json.object().put("n".repeat(10_000), 1))).isTrue();
  }
}
