package joshua.ssh.mina;

import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.server.session.AbstractServerSession;
import org.apache.sshd.server.session.ServerConnectionService;

/** The channels of one connection: a few sessions, and no other type. */
final class ChannelService extends ServerConnectionService {
  /** The maximum number of channels per connection. */
  static final int CHANNELS = 4;

  ChannelService(AbstractServerSession session) throws SshException {
    super(session);
  }

  @Override
  protected void channelOpen(Buffer buffer) throws Exception {
    if (getChannels().size() >= CHANNELS) {
      buffer.getString();
      long sender = buffer.getUInt();
      sendChannelOpenFailure(
          buffer,
          sender,
          SshConstants.SSH_OPEN_RESOURCE_SHORTAGE,
          "a connection has at most %d channels".formatted(CHANNELS),
          "");
      return;
    }
    super.channelOpen(buffer);
  }
}
