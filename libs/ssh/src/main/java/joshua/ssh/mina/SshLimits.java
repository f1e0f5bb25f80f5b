package joshua.ssh.mina;

import static joshua.kernel.ResourceLimit.count;
import static joshua.kernel.ResourceLimit.measure;
import static joshua.kernel.ResourceLimit.memory;

import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.HeapPlan;
import joshua.kernel.ResourceLimit;
import joshua.ssh.AuthorizedKeys;

/** The resource limits of SSH at each service (REQ-JS-05). */
public final class SshLimits {
  /** A connection that hasn't logged in: its key exchange and its packets. */
  private static final long OF_A_CONNECTION = 32 * 1024;

  /** Type-ahead, unread input and a terminal's state. */
  private static final long OF_A_CHANNEL = ListeningSocket.WINDOW + KeyBuffer.ROOM;

  private SshLimits() {}

  /** The limits for the services in this process. */
  public static List<ResourceLimit> list(HeapPlan plan) {
    return Stream.of(loginRows(plan), sessionRows(plan)).flatMap(List::stream).toList();
  }

  private static List<ResourceLimit> loginRows(HeapPlan plan) {
    int services = plan.services();
    return List.of(
        count(
            "ssh.logging-in",
            "connections that haven't logged in, of each service",
            SshConnections.NOT_LOGGED_IN,
            services * OF_A_CONNECTION,
            "one of the address that has the most is closed for it, or it is closed itself"),
        count(
            "ssh.logging-in-of-an-address",
            "connections of one address that haven't logged in",
            SshConnections.NOT_LOGGED_IN_OF_AN_ADDRESS,
            0,
            "one that hasn't agreed on keys within 0.5 s is closed for it, or it is closed itself"),
        memory(
            "ssh.unread",
            "answers that a client which hasn't logged in doesn't read",
            SshAdminSession.MOST_UNREAD_BEFORE_LOGIN,
            (long) services
                * SshConnections.NOT_LOGGED_IN
                * SshAdminSession.MOST_UNREAD_BEFORE_LOGIN,
            "the connection is cut off"),
        measure(
            "ssh.login-time",
            "logging in",
            SshListener.LOGIN_GRACE.toSeconds() + " s",
            "the connection is closed"));
  }

  private static List<ResourceLimit> sessionRows(HeapPlan plan) {
    int services = plan.services();
    return List.of(
        count(
            "ssh.sessions",
            "sessions of each service",
            SshConnections.SESSIONS,
            (long) services * ChannelService.CHANNELS * OF_A_CHANNEL,
            "refused with the reason"),
        count(
            "ssh.sessions-of-a-key",
            "sessions of one key",
            SshConnections.SESSIONS_OF_A_KEY,
            0,
            "refused with the reason"),
        count(
            "ssh.channels",
            "channels of one session",
            ChannelService.CHANNELS,
            0,
            "refused with the reason"),
        measure(
            "ssh.idle",
            "a session in which nothing is done",
            SshListener.IDLE.toMinutes() + " min",
            "closed with the reason"),
        memory(
            "ssh.typed",
            "input at one prompt",
            KeyBuffer.MOST_AT_ONE_PROMPT,
            0,
            "the session is closed with the reason"),
        count(
            "ssh.keys",
            "keys in the file",
            AuthorizedKeys.MAX_KEYS,
            0,
            "further lines are not taken"),
        count(
            "ssh.addresses",
            "addresses whose failed logins are remembered, of each service",
            FailedLogins.ADDRESSES,
            services * 200L,
            "the oldest is forgotten"));
  }
}
