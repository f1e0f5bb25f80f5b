-- Items, largest first.
-- argument least number = 1: how many at least
-- argument name name: of this name
-- argument size SMALL|LARGE: how large
-- argument since time: not before this
-- argument until time: before this
-- argument limit number = 2: how many
-- phrasing: item|items + many / there / size=LARGE
-- none: No items.
-- one: One item, {id}.
-- many: {rows} items, {id} first.
select id, count, 1000 as seen_at from item
where count >= :least and (:name is null or id = :name)
  and (:size is null or (:size = 'LARGE') = (count > 10))
order by count desc limit :limit
