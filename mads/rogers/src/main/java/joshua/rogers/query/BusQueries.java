package joshua.rogers.query;

import java.time.InstantSource;
import java.util.List;
import joshua.rogers.loss.LossQueries;
import joshua.rogers.store.NamedSql;
import joshua.rogers.traffic.ActivityQueries;
import joshua.state.Database;
import joshua.thought.Query;
import joshua.thought.QuerySpec;
import joshua.thought.QueryWhitelist;

/**
 * The queries about the bus, each with its statement (REQ-RG-02). Counts are kept by the hour, so
 * every hour that {@code since} or {@code until} touches is included.
 */
public final class BusQueries {
  private static final int FEW = 20;
  private static final int MANY = 200;

  private record Statement(QuerySpec spec, String sql, int limit) {}

  private static final List<Statement> STATEMENTS =
      List.of(
          new Statement(
              RogersQueries.CONNECTIONS,
              """
              select mad_id as participant, status, why, status_since as since,
                     last_heartbeat as last_heard, connected_at,
                     cast(round((julianday(:now) - julianday(connected_at)) * 86400) as integer)
                       as seconds
              from connections
              where (:participant is null or mad_id = :participant)
                and (:status is null or status = :status)
              order by case status when 'HEALTHY' then 0 when 'CONNECTED' then 1 when 'STALE' then 2
                       else 3 end, mad_id
              limit :limit
              """,
              QueryWhitelist.MAX_ROWS),
          new Statement(
              RogersQueries.COUNT_CONNECTIONS,
              """
              select count(*) as participants,
                     coalesce(sum(status = 'HEALTHY'), 0) as healthy,
                     coalesce(sum(status = 'CONNECTED'), 0) as connected,
                     coalesce(sum(status = 'STALE'), 0) as stale,
                     coalesce(sum(status = 'DISCONNECTED'), 0) as disconnected
              from connections where (:status is null or status = :status)
              """,
              1),
          // If a participant changed before the given time, its last change is used; otherwise the
          // state before its first change after it; one that never changed is as it is now, if it
          // was there.
          new Statement(
              RogersQueries.CONNECTIONS_AT,
              """
              with before as (
                select mad_id, status, why, at as since, max(event_id) from connection_events
                where at <= :at group by mad_id),
              after as (
                select mad_id, status_before as status, min(event_id) from connection_events
                where at > :at and mad_id not in (select mad_id from before) group by mad_id),
              known as (
                select mad_id, status, why, since from before
                union all
                select mad_id, status, 'no change is kept from before ' || :at, null from after
                where status is not null
                union all
                select mad_id, status, why, status_since from connections
                where status_since <= :at and mad_id not in (select mad_id from before)
                  and mad_id not in (select mad_id from after))
              select mad_id as participant, status, why, since from known
              where case when :participant is null then status <> 'DISCONNECTED'
                    else mad_id = :participant end
              order by mad_id limit :limit
              """,
              QueryWhitelist.MAX_ROWS),
          new Statement(
              RogersQueries.CHANGES,
              """
              select at, mad_id as participant, status_before as before, status, why
              from connection_events
              where at >= coalesce(:since, '') and at < coalesce(:until, '9999')
                and (:participant is null or mad_id = :participant)
              order by at desc, event_id desc limit :limit
              """,
              FEW),
          new Statement(
              RogersQueries.SENDERS,
              """
              select sender_id as sender, sum(message_count) as messages, sum(byte_count) as bytes,
                     max(hour_timestamp) as last_hour
              from hourly_metrics
                left join hourly_bytes using (hour_timestamp, sender_id, topic_pattern)
              where hour_timestamp >= coalesce(substr(:since, 1, 13), '')
                and hour_timestamp < coalesce(:until, '9999')
                and (:topic is null or topic_pattern = :topic)
              group by sender_id order by messages desc, sender_id limit :limit
              """,
              FEW),
          new Statement(
              RogersQueries.MESSAGES,
              """
              with counted as (
                select coalesce(sum(message_count), 0) as messages,
                       coalesce(sum(byte_count), 0) as bytes, count(distinct sender_id) as senders,
                       min(hour_timestamp) as first_hour, max(hour_timestamp) as last_hour
                from hourly_metrics
                  left join hourly_bytes using (hour_timestamp, sender_id, topic_pattern)
                where hour_timestamp >= coalesce(substr(:since, 1, 13), '')
                  and hour_timestamp < coalesce(:until, '9999')
                  and (:participant is null or sender_id = :participant)
                  and (:topic is null or topic_pattern = :topic))
              select counted.*, (
                select count(*) from not_seen
                where not (since < '1971' and :since is null)
                  and coalesce(until, '9999') > coalesce(substr(:since, 1, 13), first_hour, '')
                  and since < coalesce(:until, '9999')) as spans_not_seen
              from counted
              """,
              1),
          new Statement(
              RogersQueries.HOURS,
              """
              select hour_timestamp as hour, sum(message_count) as messages,
                     sum(byte_count) as bytes, (
                       select count(*) from not_seen
                       where coalesce(until, '9999') > hour_timestamp
                         and since < strftime('%Y-%m-%dT%H:%M:%fZ', hour_timestamp, '+1 hour')
                     ) as spans_not_seen
              from hourly_metrics
                left join hourly_bytes using (hour_timestamp, sender_id, topic_pattern)
              where hour_timestamp >= coalesce(substr(:since, 1, 13), '')
                and hour_timestamp < coalesce(:until, '9999')
                and (:participant is null or sender_id = :participant)
                and (:topic is null or topic_pattern = :topic)
              group by hour_timestamp order by hour_timestamp desc limit :limit
              """,
              MANY),
          new Statement(
              RogersQueries.CHANNELS,
              """
              select channel, sum(message_count) as messages, sum(byte_count) as bytes
              from hourly_channels
              where hour_timestamp >= coalesce(substr(:since, 1, 13), '')
                and hour_timestamp < coalesce(:until, '9999')
              group by channel order by messages desc, channel limit :limit
              """,
              FEW),
          new Statement(RogersQueries.LOSSES, LossQueries.LOSSES, MANY),
          new Statement(RogersQueries.LOSERS, LossQueries.LOSERS, FEW),
          new Statement(
              RogersQueries.DEAD_LETTERS,
              """
              select at, channel, reason, messages, size, head from dead_letters
              where at >= coalesce(:since, '') and at < coalesce(:until, '9999')
              order by at desc, letter_id desc limit :limit
              """,
              FEW),
          new Statement(
              RogersQueries.UNHEARD,
              """
              select channel, sum(messages) as messages, max(at) as last_at from unheard
              where at >= coalesce(:since, '') and at < coalesce(:until, '9999')
              group by channel order by last_at desc, channel limit :limit
              """,
              FEW),
          new Statement(
              RogersQueries.ALARMS,
              """
              select at, kind, subject, participants, messages, detail from alarms
              where at >= coalesce(:since, '') and at < coalesce(:until, '9999')
                and (:kind is null or kind = :kind)
                and (:participant is null or subject = :participant
                     or exists (select 1 from json_each(participants) where value = :participant))
              order by at desc, alarm_id desc limit :limit
              """,
              FEW),
          new Statement(
              RogersQueries.NOT_SEEN,
              """
              select case when since < '1971' then :since else since end as since, until, reason,
                     missed
              from not_seen
              where not (since < '1971' and :since is null)
                and coalesce(until, '9999') > coalesce(:since, '')
                and since < coalesce(:until, '9999')
              order by since desc limit :limit
              """,
              MANY),
          new Statement(RogersQueries.PUBLISHERS, ActivityQueries.PUBLISHERS, FEW),
          new Statement(RogersQueries.RECENT, ActivityQueries.RECENT, FEW),
          new Statement(RogersQueries.QUIET, ActivityQueries.QUIET, FEW),
          new Statement(RogersQueries.KINDS, ActivityQueries.KINDS, FEW),
          new Statement(RogersQueries.CONNECTED_SINCE, ActivityQueries.CONNECTED_SINCE, FEW),
          new Statement(RogersQueries.COMPARE, ActivityQueries.COMPARE, FEW),
          new Statement(RogersQueries.PROBLEMS, ActivityQueries.PROBLEMS, FEW),
          new Statement(RogersQueries.EVENTS, ActivityQueries.EVENTS, FEW));

  private BusQueries() {}

  public static List<Query> on(Database database, InstantSource time) {
    return STATEMENTS.stream()
        .<Query>map(each ->
            new BusQuery(each.spec(), database, time, NamedSql.of(each.sql()), each.limit()))
        .toList();
  }
}
