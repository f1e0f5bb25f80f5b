package joshua.ssh.mina;

import static org.jline.keymap.KeyMap.alt;
import static org.jline.keymap.KeyMap.ctrl;
import static org.jline.keymap.KeyMap.del;
import static org.jline.keymap.KeyMap.range;

import java.util.HashMap;
import java.util.Map;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.Reference;
import org.jline.reader.impl.LineReaderImpl;

/**
 * JLine's line editor, for one terminal. It has its own list of key bindings, because JLine's
 * offers more than an admin of a MAD may use: an editor for files of the MAD's machine, and counts
 * that repeat the next command a billion times.
 */
final class ShellReader extends LineReaderImpl {
  /** The maximum length of a line that is typed. */
  static final int LONGEST_LINE = 8_192;

  private final KeyBuffer keyBuffer;
  private boolean ending;

  ShellReader(PersonTerminal terminal, KeyBuffer keyBuffer, String mad) {
    super(terminal, mad, new HashMap<>(Map.of(BIND_TTY_SPECIAL_CHARS, false)));
    this.keyBuffer = keyBuffer;
    KeyMap<Binding> menu = keyMaps.get(MENU);
    keyMaps.clear();
    keyMaps.put(MENU, menu);
    keyMaps.put(MAIN, keys());
    keyMaps.put(DUMB, keys());
    widgets.remove(EDIT_AND_EXECUTE_COMMAND);
    option(Option.DISABLE_EVENT_EXPANSION, true);
    option(Option.DISABLE_UNDO, true);
    option(Option.INSERT_TAB, false);
    option(Option.COMPLETE_MATCHER_TYPO, false);
    option(Option.COMPLETE_MATCHER_CAMELCASE, false);
  }

  @Override
  protected boolean selfInsert() {
    return buf.length() < LONGEST_LINE && super.selfInsert();
  }

  @Override
  public boolean yank() {
    return buf.length() < LONGEST_LINE && super.yank();
  }

  /** Redraws the line once all available keys have been read, not for each of them. */
  @Override
  protected void redisplay(boolean flush) {
    if (ending || keyBuffer.available() == 0) {
      super.redisplay(flush);
    }
  }

  @Override
  protected void cleanup() {
    ending = true;
    try {
      super.cleanup();
    } finally {
      ending = false;
    }
  }

  private static KeyMap<Binding> keys() {
    KeyMap<Binding> keys = new KeyMap<>();
    keys.setUnicode(new Reference(SELF_INSERT));
    keys.bind(new Reference(SELF_INSERT), range(" -~"));
    bind(keys, ACCEPT_LINE, ctrl('M'), ctrl('J'));
    bind(keys, INTERRUPT, ctrl('C'));
    bind(keys, DELETE_CHAR, ctrl('D'), "\033[3~");
    bind(keys, BACKWARD_DELETE_CHAR, ctrl('H'), del());
    bind(keys, EXPAND_OR_COMPLETE, ctrl('I'));
    bind(keys, CLEAR_SCREEN, ctrl('L'));
    bind(keys, SEND_BREAK, ctrl('G'));
    bind(keys, UP_LINE_OR_HISTORY, ctrl('P'), "\033[A", "\033OA");
    bind(keys, DOWN_LINE_OR_HISTORY, ctrl('N'), "\033[B", "\033OB");
    bind(keys, HISTORY_INCREMENTAL_SEARCH_BACKWARD, ctrl('R'));
    bind(keys, HISTORY_INCREMENTAL_SEARCH_FORWARD, ctrl('S'));
    bind(keys, FORWARD_CHAR, ctrl('F'), "\033[C", "\033OC");
    bind(keys, BACKWARD_CHAR, ctrl('B'), "\033[D", "\033OD");
    bind(keys, BEGINNING_OF_LINE, ctrl('A'), "\033[H", "\033OH", "\033[1~");
    bind(keys, END_OF_LINE, ctrl('E'), "\033[F", "\033OF", "\033[4~");
    bind(keys, BACKWARD_WORD, alt('b'), "\033[1;5D");
    bind(keys, FORWARD_WORD, alt('f'), "\033[1;5C");
    bind(keys, KILL_LINE, ctrl('K'));
    bind(keys, BACKWARD_KILL_LINE, ctrl('U'));
    bind(keys, BACKWARD_KILL_WORD, ctrl('W'), alt(del()));
    bind(keys, KILL_WORD, alt('d'));
    bind(keys, YANK, ctrl('Y'));
    bind(keys, BEGIN_PASTE, "\033[200~");
    return keys;
  }

  private static void bind(KeyMap<Binding> keys, String widget, String... sequences) {
    keys.bind(new Reference(widget), sequences);
  }
}
