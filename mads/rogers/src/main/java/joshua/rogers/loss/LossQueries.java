package joshua.rogers.loss;

/**
 * The statements that answer questions about losses. Their parameters are {@code :since} and {@code
 * :until} (times as they are stored, or null), {@code :participant} (or null) and {@code :limit}.
 */
public final class LossQueries {
  private LossQueries() {}

  /**
   * All that is known about losses in a span. First the total loss: null where nothing was compared
   * and nothing found, since it is unknown then. After that, by hop and reason: losses that weren't
   * reported to any client; what clients lost in queues, as reported to them; what could not be
   * compared or wasn't seen ({@code lost} is null); how much was compared, by whole hours. What a
   * wider subscription missed together with a narrower one counts once. Time before Rogers first
   * ran is no gap, unless {@code :since} reaches into it. Sums use {@code total}, which unlike
   * {@code sum} doesn't fail where a long is too short.
   */
  public static final String LOSSES =
      """
      with found as (
        select 0 as grade, hop, cast(total(max(expected - actual - coalesce((
                 select max(
                     total(case when narrower.subject not glob '*[*?[]*'
                       then max(narrower.expected - narrower.actual, 0) end),
                     coalesce(max(narrower.expected - narrower.actual), 0))
                 from losses as narrower
                 where narrower.at = losses.at and narrower.rule = losses.rule
                   and narrower.relay = losses.relay and narrower.instance = losses.instance
                   and narrower.since = losses.since and narrower.until = losses.until
                   and narrower.subject <> losses.subject and losses.subject <> '*'
                   and narrower.subject glob losses.subject), 0), 0)) as integer) as lost,
               count(*) as occasions, reason, max(until) as last_at, null as messages
        from losses
        where until > coalesce(:since, '') and since < coalesce(:until, '9999')
        group by hop, reason
        union all
        select 1, relay || '>clients',
               case when count(missed) > 0 then cast(total(missed) as integer) end, count(*),
               'clients were told: ' || reason, max(at), null
        from losers
        where at >= coalesce(:since, '') and at < coalesce(:until, '9999')
        group by relay, reason
        union all
        select 2, 'bus>' || relay, null, count(*), 'not compared: ' || reason, max(until), null
        from not_compared
        where until > coalesce(:since, '') and since < coalesce(:until, '9999')
        group by relay, reason
        union all
        select 2, 'bus>rogers', null, count(*), 'not seen: ' || reason, max(coalesce(until, :now)),
               null
        from not_seen
        where not (since < '1971' and :since is null)
          and coalesce(until, '9999') > coalesce(:since, '') and since < coalesce(:until, '9999')
        group by reason
        union all
        select 3, 'bus>' || relay, 0, sum(cuts), 'compared: ' || sum(messages) || ' messages',
               max(hour_timestamp), sum(messages)
        from reconciled
        where hour_timestamp >= coalesce(substr(:since, 1, 13), '')
          and hour_timestamp < coalesce(:until, '9999')
        group by relay
        having sum(compared) > 0)
      select hop, lost, occasions, reason, last_at, messages
      from (
        select -1 as grade, 'all' as hop,
               case when count(lost) > 0 then cast(total(lost) as integer) end as lost,
               coalesce(sum(case when grade < 2 then occasions end), 0) as occasions,
               case when sum(grade = 3) > 0 then 'altogether' else 'nothing was compared' end
                 as reason,
               max(last_at) as last_at, sum(messages) as messages
        from found
        union all
        select grade, hop, lost, occasions, reason, last_at, messages from found)
      order by grade, lost desc, hop, reason limit :limit
      """;

  /** Clients that lost messages in a relay's queue, newest first. */
  public static final String LOSERS =
      """
      select at, client_id as participant, missed, reason, relay from losers
      where at >= coalesce(:since, '') and at < coalesce(:until, '9999')
        and (:participant is null or client_id = :participant)
      order by at desc, loser_id desc limit :limit
      """;
}
