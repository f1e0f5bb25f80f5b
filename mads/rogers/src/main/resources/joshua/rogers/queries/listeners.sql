-- Which patterns the clients of relays follow, and how many match a channel.
-- argument channel channel: the channel; all, if it isn't given
-- argument limit number = 50: how many
-- phrasing: <channel> + who|anyone|anybody|subscribers|listeners|many|listening|subscribed / own is listens listening listen follows following follow subscribed subscribes to on for subscribers listeners there are
-- note: Relays tell how many clients follow a pattern, not who; ./joshua clients shows that.
-- none: No client of a relay follows it.
-- one: Clients of {relay} that follow {pattern}: {clients}.
-- many: {rows} patterns; clients of {relay} that follow {pattern}: {clients}.
select relay, pattern, clients, at as told_at from subscriptions
where clients > 0 and (:channel is null or :channel = pattern
  or (:channel glob pattern and (pattern glob 'mad.s[yt]*' or :channel not glob 'mad.s[yt]*')))
order by clients desc, relay, pattern
limit :limit
