package joshua.redis;

/** The configuration of the embedded Redis: a bus on loopback, which stores nothing. */
final class RedisConf {
  private RedisConf() {}

  /**
   * The text of redis.conf.
   *
   * <p>The one user may do what participants of the bus do, on {@code mad.*}, and nothing else: no
   * keys, no scripts, no administration. Redis compares the pattern of a PSUBSCRIBE with the
   * permitted ones letter by letter, so that {@code mad.topic.*} would not be covered by {@code
   * mad.*}; therefore PSUBSCRIBE has a selector of its own in which all patterns are permitted.
   * Nothing can be overheard by that: nobody can publish outside {@code mad.*}.
   */
  static String text(int port, Password password) {
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
    client-output-buffer-limit pubsub 256mb 64mb 60
    user default on #%s resetkeys resetchannels &mad.* -@all \
    +publish +subscribe +unsubscribe +psubscribe +punsubscribe +pubsub \
    +ping +hello +auth +quit +reset \
    +client|setname +client|getname +client|id +command|docs +command|count \
    (&* -@all +psubscribe)
    """
        .formatted(port, password.sha256());
  }
}
