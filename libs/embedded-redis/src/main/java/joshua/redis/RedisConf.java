package joshua.redis;

/**
 * The configuration of an embedded Redis: a bus on loopback, which stores nothing.
 *
 * @param port where it listens
 * @param password of its one user
 * @param limits what its clients may cost
 * @param setInfo whether the program knows {@code CLIENT SETINFO}, and so whether it is permitted
 */
record RedisConf(int port, RedisPassword password, Limits limits, boolean setInfo) {
  /** Connections at once; one more is refused by Redis. */
  static final int MOST_CLIENTS = 4_096;

  private static final long MIB = 1024 * 1024;

  /**
   * What clients may cost Redis, in bytes.
   *
   * @param command the largest word of a command; a larger one ends its connection
   * @param answers how much may wait for a client that publishes or hasn't logged in; beyond it,
   *     and after 10 s beyond a quarter of it, its connection is closed
   * @param clients how much all connections may hold together; beyond it, those that hold most are
   *     closed, subscribers too
   */
  record Limits(long command, long answers, long clients) {
    static final long ANSWERS = 16 * MIB;
    static final long CLIENTS = 1024 * MIB;

    /** A message of four times the limit still comes as far as the dead letters. */
    private static final int ENVELOPES = 4;

    private static final long SMALLEST_COMMAND = 4 * MIB;

    static Limits forEnvelopes(long envelopeLimit) {
      return new Limits(Math.max(SMALLEST_COMMAND, ENVELOPES * envelopeLimit), ANSWERS, CLIENTS);
    }
  }

  /**
   * The text of redis.conf.
   *
   * <p>The one user may do what participants of the bus do, on {@code mad.*}, and nothing else: no
   * keys, no scripts, no administration. Redis compares the pattern of a PSUBSCRIBE with the
   * permitted ones letter by letter, so that {@code mad.topic.*} would not be covered by {@code
   * mad.*}; therefore PSUBSCRIBE has a selector of its own in which all patterns are permitted.
   * That lets the user overhear nothing: no client can publish outside {@code mad.*}.
   */
  String text() {
    return """
    bind 127.0.0.1
    port %d
    protected-mode yes
    daemonize no
    save ""
    appendonly no
    databases 1
    loglevel notice
    always-show-logo no
    tcp-keepalive 60
    timeout 0
    proto-max-bulk-len %d
    client-query-buffer-limit %d
    maxclients %d
    client-output-buffer-limit normal %d %d 10
    client-output-buffer-limit pubsub 256mb 64mb 60
    maxmemory-clients %d
    user default on #%s resetkeys resetchannels &mad.* -@all \
    +publish +subscribe +unsubscribe +psubscribe +punsubscribe +pubsub \
    +ping +echo +info +hello +auth +quit +reset \
    +client|setname +client|getname +client|id%s +command|docs +command|count \
    (&* -@all +psubscribe)
    """
        .formatted(
            port,
            limits.command(),
            2 * limits.command(),
            MOST_CLIENTS,
            limits.answers(),
            limits.answers() / 4,
            limits.clients(),
            password.sha256(),
            setInfo ? " +client|setinfo" : "");
  }
}
