package joshua.conversation.redis;

import io.lettuce.core.protocol.CommandHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import joshua.conversation.ByteRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handler that takes messages off the tap's connection before Lettuce would make objects of them;
 * replies go on to Lettuce, in order with the messages. Runs on the connection's I/O thread.
 */
final class TapReader extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(TapReader.class);

  /** A consumer of the messages. */
  interface Sink {
    void message(ByteRange channel, ByteRange body);

    void oversized(ByteRange channel, ByteRange head, long size);

    /** Something has arrived, whatever it was. */
    void heard();
  }

  private final Resp2Parser frames;
  private final Sink sink;

  private TapReader(Resp2Parser frames, Sink sink) {
    this.frames = frames;
    this.sink = sink;
  }

  /** Installs a reader before Lettuce's own handler on a new connection. */
  static void on(Channel connection, long limit, Sink sink) {
    ChannelHandlerContext lettuce = connection.pipeline().context(CommandHandler.class);
    connection
        .pipeline()
        .addBefore(lettuce.name(), "tap", new TapReader(new Resp2Parser(limit), sink));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    try {
      int length = bytes.readableBytes();
      byte[] room = frames.room(length);
      bytes.readBytes(room, frames.filled(), length);
      frames.fill(length);
    } finally {
      bytes.release();
    }
    sink.heard();
    try {
      pass(context);
    } catch (IllegalStateException e) {
      log.error("the tap can't read what Redis sends; it connects anew", e);
      var _ = context.close();
    }
  }

  private void pass(ChannelHandlerContext context) {
    while (true) {
      switch (frames.next()) {
        case MESSAGE -> sink.message(frames.channel(), frames.body());
        case OVERSIZED -> sink.oversized(frames.channel(), frames.body(), frames.size());
        case OTHER -> {
          ByteRange other = frames.body();
          ByteBuf copy = context.alloc().buffer(other.length());
          copy.writeBytes(other.array(), other.start(), other.length());
          context.fireChannelRead(copy);
        }
        case PART -> {
          return;
        }
      }
    }
  }
}
