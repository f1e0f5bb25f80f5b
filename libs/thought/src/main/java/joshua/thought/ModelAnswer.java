package joshua.thought;

import java.util.List;

/** One model's answer to a prompt that was sent without additions (REQ-FD-03). */
public record ModelAnswer(String model, String text, AnswerUsage usage, List<String> remarks) {
  public ModelAnswer {
    remarks = List.copyOf(remarks);
  }
}
