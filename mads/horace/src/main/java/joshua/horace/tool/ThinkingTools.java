package joshua.horace.tool;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.function.UnaryOperator;
import joshua.horace.thinking.Archive;
import joshua.horace.thinking.Input;
import joshua.horace.thinking.Sessions;
import joshua.horace.thinking.Thoughts;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import org.jspecify.annotations.Nullable;

/**
 * The tools of thinking, by the names of MAXential's. Those that only read are queries of the same
 * names.
 */
record ThinkingTools(Tools make, Sessions sessions) {
  record Whole(@JsonUnwrapped Whose whose) implements Input {}

  record OfBranch(String branchId, @JsonUnwrapped Whose whose) implements Input {}

  record OfThought(int thoughtNumber, @JsonUnwrapped Whose whose) implements Input {}

  record History(
      @Nullable String branchId,
      @SchemaHint(value = "Only the last", min = 1) @Nullable Integer limit,
      @JsonUnwrapped Whose whose)
      implements Input {}

  record Search(
      @Nullable String query,
      @Nullable List<String> tags,
      @Nullable String branchId,
      @JsonUnwrapped Whose whose)
      implements Input {}

  enum Status {
    ACTIVE,
    COMPLETE,
    ARCHIVED
  }

  record Listing(
      @Nullable Status status,
      @SchemaHint(value = "20 if left out", min = 1, max = 100) @Nullable Integer limit,
      @JsonUnwrapped Whose whose)
      implements Input {}

  record Summary(
      String id,
      @SchemaHint(value = "2000 if left out", min = 100, max = 20_000) @Nullable Integer maxLength,
      @JsonUnwrapped Whose whose)
      implements Input {}

  private <I extends Record & Input> Tool<I> changes(
      String name, Class<I> input, Sessions.Work<I> work) {
    return make.changes(name, input, (by, given) -> sessions.change(by, given, work));
  }

  private <I extends Record & Input> Tool<I> reads(String name, Class<I> input) {
    return make.reads(
        name, input, (by, given) -> sessions.read(by, given, name, UnaryOperator.identity()));
  }

  private <I extends Record & Input> Tool<I> finds(String name, Class<I> input) {
    return make.reads(name, input, (by, given) -> sessions.find(by, given, name));
  }

  List<Tool<?>> all() {
    Archive archive = new Archive(sessions);
    return List.of(
        changes("think", Thoughts.Think.class, Thoughts::think),
        changes("revise", Thoughts.Revise.class, Thoughts::revise),
        changes("complete", Thoughts.Complete.class, Thoughts::complete),
        changes("reset", Archive.Reset.class, Archive::reset),
        changes("branch", Thoughts.Begin.class, Thoughts::begin),
        changes("switch_branch", Thoughts.Switch.class, Thoughts::switchTo),
        reads("list_branches", Whole.class),
        reads("get_branch", OfBranch.class),
        changes("close_branch", Thoughts.Close.class, Thoughts::close),
        changes("merge_branch", Thoughts.Merge.class, Thoughts::merge),
        reads("get_thought", OfThought.class),
        reads("get_history", History.class),
        changes("tag", Thoughts.Tag.class, Thoughts::tag),
        reads("search", Search.class),
        make.reads("export", Archive.Export.class, archive::export),
        make.reads("visualize", Archive.Visualize.class, archive::visualize),
        changes("session_save", Archive.Save.class, Archive::save),
        make.changes("session_load", Archive.Load.class, archive::load),
        finds("session_list", Listing.class),
        finds("session_summary", Summary.class));
  }
}
