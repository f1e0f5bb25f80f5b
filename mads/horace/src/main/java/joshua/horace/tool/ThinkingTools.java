package joshua.horace.tool;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.function.UnaryOperator;
import joshua.horace.thinking.Archive;
import joshua.horace.thinking.Branches;
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

  @JsonNaming(LowerCamelCaseStrategy.class)
  record OfBranch(String branchId, @JsonUnwrapped Whose whose) implements Input {}

  @JsonNaming(LowerCamelCaseStrategy.class)
  record OfThought(int thoughtNumber, @JsonUnwrapped Whose whose) implements Input {}

  @JsonNaming(LowerCamelCaseStrategy.class)
  record History(
      @Nullable String branchId,
      @SchemaHint(value = "Only the last", min = 1) @Nullable Integer limit,
      @JsonUnwrapped Whose whose)
      implements Input {}

  @JsonNaming(LowerCamelCaseStrategy.class)
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

  @JsonNaming(LowerCamelCaseStrategy.class)
  record Summary(
      String id,
      @SchemaHint(value = "2000 if left out", min = 100, max = 20_000) @Nullable Integer maxLength,
      @JsonUnwrapped Whose whose)
      implements Input {}

  private <I extends Record & Input> Tool<I> changes(
      String name, String description, Class<I> input, Sessions.Work<I> work) {
    return make.changes(name, description, input, (by, given) -> sessions.change(by, given, work));
  }

  private <I extends Record & Input> Tool<I> reads(
      String name, String description, Class<I> input) {
    return make.reads(
        name,
        description,
        input,
        (by, given) -> sessions.read(by, given, name, UnaryOperator.identity()));
  }

  private <I extends Record & Input> Tool<I> finds(
      String name, String description, Class<I> input) {
    return make.reads(name, description, input, (by, given) -> sessions.find(by, given, name));
  }

  List<Tool<?>> all() {
    Archive archive = new Archive(sessions);
    return List.of(
        changes("think", "Adds a thought.", Thoughts.Think.class, Thoughts::think),
        changes(
            "revise", "Corrects a thought, which stays.", Thoughts.Revise.class, Thoughts::revise),
        changes("complete", "Ends the session.", Thoughts.Complete.class, Thoughts::complete),
        changes(
            "reset",
            "Leaves the session, which is kept, for a new one.",
            Archive.Reset.class,
            Archive::reset),
        changes(
            "branch",
            "Begins a branch: another way to think on.",
            Branches.Begin.class,
            Branches::begin),
        changes("switch_branch", "Goes to a branch.", Branches.Switch.class, Branches::switchTo),
        reads("list_branches", "Lists the branches.", Whole.class),
        reads("get_branch", "Shows a branch, with its last thoughts.", OfBranch.class),
        changes("close_branch", "Ends a branch.", Branches.Close.class, Branches::close),
        changes(
            "merge_branch",
            "Ends a branch, with a thought on main.",
            Branches.Merge.class,
            Branches::merge),
        reads("get_thought", "Shows a thought.", OfThought.class),
        reads("get_history", "Shows the last thoughts.", History.class),
        changes("tag", "Tags a thought.", Thoughts.Tag.class, Thoughts::tag),
        reads("search", "Finds thoughts by a text, in any case, or by tags.", Search.class),
        make.reads("export", "Writes the session out.", Archive.Export.class, archive::export),
        make.reads("visualize", "Draws the session.", Archive.Visualize.class, archive::visualize),
        changes(
            "session_save",
            "Names the session, which is kept anyway.",
            Archive.Save.class,
            Archive::save),
        make.changes(
            "session_load",
            "Goes on with a session, of anybody.",
            Archive.Load.class,
            archive::load),
        finds("session_list", "Lists the sessions.", Listing.class),
        finds("session_summary", "Sums a session up.", Summary.class));
  }
}
