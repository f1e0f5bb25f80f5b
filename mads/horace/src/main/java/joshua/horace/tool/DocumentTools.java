package joshua.horace.tool;

import java.util.List;
import joshua.horace.change.Request;
import joshua.horace.document.Documents;
import joshua.horace.document.Edit;
import joshua.horace.document.Locks;
import joshua.horace.document.Reading;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import org.jspecify.annotations.Nullable;

/** The tools of documents. */
final class DocumentTools {
  private DocumentTools() {}

  record ListInput(
      @SchemaHint("Only paths that begin with this") @Nullable String prefix,
      @SchemaHint("next of the last page") @Nullable String after,
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  record HistoryInput(
      String path,
      @SchemaHint("next of the last page") @Nullable Long before,
      @SchemaHint(value = "100 if left out", min = 1, max = 1_000) @Nullable Integer limit,
      @Nullable String project,
      @Name @Nullable String clientId)
      implements Request.Input {}

  static List<Tool<?>> all(Tools make, Documents documents, Reading reading, Locks locks) {
    return List.of(
        make.reads(
            "document_read",
            "Reads a document, with its version, author and lock.",
            Reading.Read.class,
            reading::read),
        make.changes(
            "document_write",
            "Writes a whole document. If there is one, say which version you read, or overwrite.",
            Documents.Write.class,
            documents::write),
        make.changes(
            "document_edit",
            "Changes a part of a document: appends, replaces a text, or merges members. Others may"
                + " edit it at the same time; nothing is lost.",
            Edit.class,
            documents::edit),
        make.rows(
            "document_list",
            "Lists documents by their paths.",
            ListInput.class,
            "documents",
            "documents"),
        make.reads(
            "document_search",
            "Finds lines of documents that have a text.",
            Reading.Search.class,
            reading::search),
        make.rows(
            "document_history",
            "Lists the kept versions of a document, newest first: who changed it, and why.",
            HistoryInput.class,
            "versions",
            "history"),
        make.changes(
            "document_delete",
            "Deletes a document; its versions stay, and restore_version brings one back.",
            Documents.Delete.class,
            documents::delete),
        make.changes(
            "document_lock",
            "Takes a lock on a document for longer work, or extends it. Only who has its fence"
                + " can write meanwhile. It ends by itself.",
            Locks.Take.class,
            locks::take),
        make.changes("document_unlock", "Ends a lock.", Locks.Release.class, locks::release));
  }
}
