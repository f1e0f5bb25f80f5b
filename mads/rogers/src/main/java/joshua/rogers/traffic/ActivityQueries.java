package joshua.rogers.traffic;

import joshua.rogers.query.RogersQueries;

/**
 * The statements that answer questions about activity: who sends, who fell silent, what happened,
 * and what is wrong. Their parameters are the arguments of {@link RogersQueries}, and {@code :now}.
 * Of the journal they read only what every client may read: topics and broadcasts.
 */
public final class ActivityQueries {
  private ActivityQueries() {}

  public static final String PUBLISHERS =
      """
      select channel, sender_id as sender, count(*) as messages, max(at) as last_at
      from journal
      where at >= coalesce(:since, '') and at < coalesce(:until, '9999')
        and (channel glob 'mad.topic.*' or channel = 'mad.broadcast')
        and (:channel is null or channel = :channel)
        and (:participant is null or sender_id = :participant)
      group by channel, sender_id order by messages desc, channel, sender limit :limit
      """;

  public static final String RECENT =
      """
      select at, sender_id as sender, channel, substr(payload, 1, 300) as payload
      from journal
      where at >= coalesce(:since, '') and at < coalesce(:until, '9999')
        and (channel glob 'mad.topic.*' or channel = 'mad.broadcast')
        and (:channel is null or channel = :channel)
        and (:participant is null or sender_id = :participant)
      order by entry_id desc limit :limit
      """;

  /**
   * Without a time: participants that are quiet now. One that announced its leave didn't go quiet.
   */
  public static final String QUIET =
      """
      with went as (
        select mad_id, status_since as at from connections
        where :since is null and :until is null
          and (status = 'STALE' or (status = 'DISCONNECTED' and why like 'disconnected: silent%'))
        union all
        select mad_id, at from connection_events
        where (:since is not null or :until is not null)
          and at >= coalesce(:since, '') and at < coalesce(:until, '9999')
          and (status = 'STALE' or (status = 'DISCONNECTED' and why like 'disconnected: silent%')))
      select went.mad_id as participant, status, max(went.at) as since,
             last_heartbeat as last_heard, why
      from went left join connections using (mad_id)
      group by went.mad_id order by since desc, participant limit :limit
      """;

  public static final String KINDS =
      """
      select topic_pattern as kind, sum(message_count) as messages,
             round(100.0 * sum(message_count) / sum(sum(message_count)) over (), 1) as percent,
             sum(byte_count) as bytes
      from hourly_metrics
        left join hourly_bytes using (hour_timestamp, sender_id, topic_pattern)
      where hour_timestamp >= coalesce(substr(:since, 1, 13), '')
        and hour_timestamp < coalesce(:until, '9999')
        and (:participant is null or sender_id = :participant)
      group by topic_pattern order by messages desc, kind limit :limit
      """;

  public static final String CONNECTED_SINCE =
      """
      select mad_id as participant, connected_at,
             cast(round((julianday(:now) - julianday(connected_at)) * 86400) as integer) as seconds,
             status
      from connections
      where status <> 'DISCONNECTED' order by connected_at, participant limit :limit
      """;

  /** Two rows: the requested period, and the one that it is compared with. */
  public static final String COMPARE =
      """
      with first as (
        select substr(coalesce(:since, :now), 1, 13) || ':00:00.000Z' as since,
               min(coalesce(:until, :now), :now) as until),
      whole as (
        select since, until, max(1, cast((julianday(until) - julianday(since)) * 24 + 0.999 as integer))
                 as hours
        from first),
      spans as (
        select 1 as place, since, until from whole
        union all
        select 2, coalesce(substr(:than_since, 1, 13) || ':00:00.000Z',
                   strftime('%Y-%m-%dT%H:%M:%fZ', since, '-' || hours || ' hours')),
               min(coalesce(:than_until, iif(:than_since is null, since, :now)), :now)
        from whole),
      counted as (
        select place, since, until,
               (select coalesce(sum(message_count), 0) from hourly_metrics
                where hour_timestamp >= since and hour_timestamp < until) as messages,
               min(julianday(:now), iif(until glob '*:00:00.000Z', julianday(until),
                   julianday(substr(until, 1, 13) || ':00:00.000Z') + 1.0 / 24)) as counted_until
        from spans)
      select since, until, messages,
             round(messages / max(1.0, (counted_until - julianday(since)) * 1440), 1) as per_minute
      from counted order by place limit :limit
      """;

  /**
   * A participant that is silent now is listed no matter when that began, if it ever sent a
   * heartbeat. A message sent to a participant that is known but away isn't listed: either its
   * sender was told so, or it is the end of a task whose requester didn't wait; a message to an
   * unknown name is, since the name may be misspelled.
   */
  public static final String PROBLEMS =
      """
      with span as (
        select coalesce(:since, strftime('%Y-%m-%dT%H:%M:%fZ', :now, '-1 hour')) as since,
               coalesce(:until, '9999') as until)
      select what, subject, at, detail
      from (
        select 'silent' as what, mad_id as subject, status_since as at, why as detail
        from connections, span
        where status_since < span.until and has_beaten
          and (status = 'STALE' or (status_since >= span.since and status = 'DISCONNECTED'
               and why like 'disconnected: silent%'))
        union all
        select 'lost', losses.hop, max(losses.until),
               cast(total(max(expected - actual, 0)) as integer) || ' messages: ' || reason
        from losses, span where losses.until > span.since and losses.since < span.until
        group by hop, reason
        union all
        select 'missed', client_id, max(at), coalesce(sum(missed), 'some') || ' messages: ' || reason
        from losers, span where at >= span.since and at < span.until group by client_id, reason
        union all
        select 'malformed', channel, max(at), sum(messages) || ' messages: ' || reason
        from dead_letters, span where at >= span.since and at < span.until group by channel, reason
        union all
        select 'unheard', channel, max(at),
               sum(messages) || iif(sum(messages) = 1, ' message', ' messages') || ', and nobody listened'
        from unheard, span where at >= span.since and at < span.until and not exists (
            select 1 from connections where channel = 'mad.direct.' || mad_id)
        group by channel
        union all
        select kind, subject, at, detail
        from alarms, span where at >= span.since and at < span.until
        union all
        select 'not watched', 'rogers', not_seen.since, reason
        from not_seen, span
        where not (not_seen.since < '1971') and coalesce(not_seen.until, '9999') > span.since
          and not_seen.since < span.until)
      order by at desc, what, subject limit :limit
      """;

  public static final String EVENTS =
      """
      with span as (
        select coalesce(:since, strftime('%Y-%m-%dT%H:%M:%fZ', :at, '-5 minutes'), '') as since,
               coalesce(:until, strftime('%Y-%m-%dT%H:%M:%fZ', :at, '+5 minutes'), '9999') as until)
      select at, what, subject, detail
      from (
        select at, 'state' as what, mad_id as subject, why as detail
        from connection_events, span where at >= span.since and at < span.until
        union all
        select losses.until, 'lost', hop, max(expected - actual, 0) || ' messages: ' || reason
        from losses, span where losses.until > span.since and losses.since < span.until
        union all
        select at, 'missed', client_id, coalesce(missed, 'some') || ' messages: ' || reason
        from losers, span where at >= span.since and at < span.until
        union all
        select at, 'malformed', channel, messages || ' messages: ' || reason
        from dead_letters, span where at >= span.since and at < span.until
        union all
        select at, 'unheard', channel, messages || ' messages, and nobody listened'
        from unheard, span where at >= span.since and at < span.until
        union all
        select at, kind, subject, detail
        from alarms, span where at >= span.since and at < span.until
        union all
        select hour_timestamp, 'traffic', sender_id, sum(message_count) || ' messages in this hour'
        from hourly_metrics, span
        where hour_timestamp >= substr(span.since, 1, 13) and hour_timestamp < span.until
        group by hour_timestamp, sender_id)
      where :participant is null or subject = :participant
      order by at desc, what, subject limit :limit
      """;
}
