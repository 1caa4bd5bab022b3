/** The audit log. */
export const AUDIT = `
create table audit_entry (
  sequence bigint generated always as identity primary key,
  id text not null,
  at bigint not null,
  actor_type text not null,
  actor_id text,
  actor_name text not null,
  action text collate "C" not null,
  account_id text collate "C",
  agent_id text collate "C",
  resource_type text not null,
  resource_id text collate "C",
  details text not null,
  correlation_id text
);
create index audit_entry_by_time on audit_entry (at, sequence);
create index audit_entry_of_account on audit_entry (account_id, at, sequence);
create index audit_entry_of_agent on audit_entry (agent_id, at, sequence);
create index audit_entry_of_action on audit_entry (action, at, sequence);
create index audit_entry_of_resource on audit_entry (resource_id, at, sequence);

-- Append-only for everybody: a removal says before what moment it removes, for its own transaction.
create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < coalesce(nullif(current_setting('colloquy.audit_removal', true), ''), '-1')::bigint then
      return old;
    end if;
    raise exception 'Entries of the audit log are removed only by its purge.';
  end if;
  raise exception 'Entries of the audit log never change.';
end $$;
create trigger keep_audit_entry before update or delete on audit_entry
  for each row execute function keep_audit_entry();
`
