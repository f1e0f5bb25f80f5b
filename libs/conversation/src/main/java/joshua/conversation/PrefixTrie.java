package joshua.conversation;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map of prefixes that finds all keys with which a text begins: a radix tree, so that a look-up
 * costs the length of the text, however many keys there are. Not thread-safe.
 */
final class PrefixTrie<V> {
  private static final class Node<V> {
    /** The label of the edge from the parent; only empty at the root. */
    String edge;

    @Nullable V value;
    final Map<Character, Node<V>> children = new HashMap<>(2);

    Node(String edge) {
      this.edge = edge;
    }

    boolean isOfNoUse() {
      return value == null && children.isEmpty();
    }
  }

  private final Node<V> root = new Node<>("");

  boolean isEmpty() {
    return root.isOfNoUse();
  }

  /** The value of {@code key}; created by {@code fresh} if there is none. */
  V at(String key, Supplier<V> fresh) {
    Node<V> node = root;
    int position = 0;
    while (position < key.length()) {
      Node<V> child = node.children.get(key.charAt(position));
      if (child == null) {
        child = new Node<>(key.substring(position));
        node.children.put(key.charAt(position), child);
      } else if (!key.startsWith(child.edge, position)) {
        child = split(node, child, common(child.edge, key, position));
      }
      position += child.edge.length();
      node = child;
    }
    V value = node.value;
    if (value == null) {
      value = fresh.get();
      node.value = value;
    }
    return value;
  }

  private static int common(String edge, String key, int position) {
    int length = 0;
    while (length < edge.length()
        && position + length < key.length()
        && edge.charAt(length) == key.charAt(position + length)) {
      length++;
    }
    return length;
  }

  private static <V> Node<V> split(Node<V> parent, Node<V> child, int length) {
    Node<V> middle = new Node<>(child.edge.substring(0, length));
    parent.children.put(middle.edge.charAt(0), middle);
    child.edge = child.edge.substring(length);
    middle.children.put(child.edge.charAt(0), child);
    return middle;
  }

  /** The value of {@code key}, if there is one. */
  @Nullable V find(String key) {
    Node<V> node = root;
    int position = 0;
    while (position < key.length()) {
      Node<V> child = node.children.get(key.charAt(position));
      if (child == null || !key.startsWith(child.edge, position)) {
        return null;
      }
      position += child.edge.length();
      node = child;
    }
    return node.value;
  }

  void remove(String key) {
    remove(root, key, 0);
  }

  private static <V> void remove(Node<V> node, String key, int position) {
    if (position == key.length()) {
      node.value = null;
      return;
    }
    Node<V> child = node.children.get(key.charAt(position));
    if (child != null && key.startsWith(child.edge, position)) {
      remove(child, key, position + child.edge.length());
      if (child.isOfNoUse()) {
        node.children.remove(key.charAt(position));
      }
    }
  }

  /** Calls {@code action} with the values of all prefixes of {@code text}, the shortest first. */
  void forEachBeginningOf(String text, Consumer<V> action) {
    Node<V> node = root;
    int position = 0;
    while (true) {
      V value = node.value;
      if (value != null) {
        action.accept(value);
      }
      Node<V> child = position < text.length() ? node.children.get(text.charAt(position)) : null;
      if (child == null || !text.startsWith(child.edge, position)) {
        return;
      }
      position += child.edge.length();
      node = child;
    }
  }
}
