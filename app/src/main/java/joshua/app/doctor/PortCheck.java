package joshua.app.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether a port can be listened on: it is free, or one of our processes has it.
 *
 * @param name what listens there
 * @param setting that defines it
 * @param port where it listens, or would; 0: any free one
 * @param movable whether the next free one is taken instead
 * @param owner the MAD it would belong to; empty if none
 */
public record PortCheck(
    String name,
    String setting,
    InetAddress bind,
    int port,
    boolean movable,
    Optional<Owner> owner,
    Optional<RunningGroup> group,
    HttpPages pages)
    implements HealthCheck {
  private static final String CHECK = "port";

  /**
   * A MAD that listens.
   *
   * @param port where it serves HTTP, and so can be identified
   */
  public record Owner(String mad, InetAddress address, int port) {}

  @Override
  public List<CheckFinding> look() throws InterruptedException {
    if (port == 0) {
      return List.of(CheckFinding.ok(CHECK, name + " takes any free one"));
    }
    Optional<String> obstacle = obstacle();
    if (obstacle.isEmpty()) {
      return List.of(CheckFinding.ok(CHECK, "%d for %s is free".formatted(port, name)));
    }
    return List.of(held(obstacle.get()));
  }

  private CheckFinding held(String obstacle) throws InterruptedException {
    Optional<Long> holder = PortHolder.of(port);
    Optional<String> ours = ours(holder);
    if (ours.isPresent()) {
      return CheckFinding.ok(CHECK, "%d for %s is held by %s".formatted(port, name, ours.get()));
    }
    String found =
        "%d for %s isn't to be had: %s."
            .formatted(
                port,
                name,
                holder.map(pid -> PortHolder.text(pid) + " listens there").orElse(obstacle));
    return movable
        ? CheckFinding.warning(
            CHECK, found, "Nothing, the next free one is taken; or set %s.".formatted(setting))
        : CheckFinding.bad(
            CHECK, found, "End that process, or set %s to another port.".formatted(setting));
  }

  private Optional<String> ours(Optional<Long> holder) throws InterruptedException {
    Optional<String> own =
        holder
            .filter(pid -> group.filter(each -> each.pids().containsValue(pid)).isPresent())
            .map(pid -> "our own group, " + PortHolder.text(pid));
    if (own.isPresent() || owner.isEmpty()) {
      return own;
    }
    Owner of = owner.get();
    boolean same =
        of.port() == port || (holder.isPresent() && holder.equals(PortHolder.of(of.port())));
    if (!same) {
      return own;
    }
    return new MadPages(pages, HostAddresses.reachable(of.address()), of.port())
        .alive()
        .filter(alive -> of.mad().equals(alive.mad()))
        .map(alive -> "a " + alive.mad() + " of Joshua " + alive.version());
  }

  /** Why the port can't be listened on now; empty if it can. */
  private Optional<String> obstacle() {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(bind, port));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
