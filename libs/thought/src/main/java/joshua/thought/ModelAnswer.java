package joshua.thought;

import java.util.List;

/** What one model answered to one prompt that was sent to it as it is (REQ-FD-03). */
public record ModelAnswer(String model, String text, AnswerUsage usage, List<String> remarks) {
  public ModelAnswer {
    remarks = List.copyOf(remarks);
  }
}
