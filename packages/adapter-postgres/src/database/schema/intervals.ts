/** What concurrency is counted from, packed: a week is read as columns, not as rows. */
export const INTERVALS = `
-- When the conversations of one span that began in one stretch of four hours were active, in columns of big-endian
-- numbers: milliseconds since the stretch began (3 bytes each), milliseconds that they lasted (3 in the first span,
-- else 4), places in variants (as many bytes as are left, or none for a single variant). As base64: clients read it
-- ten times as fast as bytea, and to make it of bytes at each read takes longer than all else. Pairs are places in
-- languages and numbers, 2 bytes each, or none for a single pair. Made from the rows, which stay what is true: a
-- block whose conversations change is deleted. Without packed, a block is being made.
create table interval_block (
  row bigint generated always as identity primary key,
  scope integer not null,
  span smallint not null,
  stretch integer not null,
  first_start bigint,
  last_end bigint,
  intervals integer,
  variants integer[],
  packed text,
  languages text[],
  numbers text[],
  pairs text,
  unique (scope, span, stretch)
);
alter table interval_block alter packed set storage external;

create function forget_interval_block() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    delete from interval_block where scope = old.scope and span = old.span and stretch = old.started_at / 14400000;
  end if;
  if tg_op <> 'DELETE' then
    delete from interval_block where scope = new.scope and span = new.span and stretch = new.started_at / 14400000;
  end if;
  return null;
end $$;

create trigger interval_added after insert on conversation for each row
  when (new.listed and new.counted and new.span < 3) execute function forget_interval_block();
create trigger interval_changed after update on conversation for each row
  when ((old.listed and old.counted and old.span < 3 or new.listed and new.counted and new.span < 3)
    and (old.scope is distinct from new.scope or old.listed is distinct from new.listed
      or old.counted is distinct from new.counted or old.span is distinct from new.span
      or old.started_at is distinct from new.started_at or old.finished_at is distinct from new.finished_at
      or old.variant is distinct from new.variant or old.language is distinct from new.language
      or old.to_number is distinct from new.to_number))
  execute function forget_interval_block();
create trigger interval_removed after delete on conversation for each row
  when (old.listed and old.counted and old.span < 3) execute function forget_interval_block();
`
