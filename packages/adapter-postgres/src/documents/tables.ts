import { KINDS, type Kind } from '@colloquy/core/store'

const TYPES = { text: 'text collate "C"', number: 'bigint' } as const

/** Also for those who write past the store: a removal names the table for its own transaction. */
const KEEPING = `create function keep_permanent() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('colloquy.removal', true) = tg_table_name then
    return old;
  end if;
  raise exception '% is append-only.', tg_table_name;
end $$;`

function tableOf({ columns, indexes, isPermanent, name }: Kind<unknown>): string {
  const own = Object.entries(columns).map(([column, { type }]) => `  ${column} ${TYPES[type]},\n`)
  const lists = Object.entries(indexes).map(
    ([index, of]) => `create index ${name}_by_${index} on ${name} (${[...of, 'id'].join(', ')});`,
  )
  return [
    `create table ${name} (\n  id text collate "C" primary key,\n  version bigint not null,\n${own.join('')}  body text not null\n);`,
    ...lists,
    ...(isPermanent
      ? [
          `create trigger keep_permanent before update or delete on ${name} for each row execute function keep_permanent();`,
        ]
      : []),
  ].join('\n')
}

/** A table for each kind of document, with the indexes of its lists. */
export const DOCUMENTS = [KEEPING, ...KINDS.map(tableOf)].join('\n\n')
