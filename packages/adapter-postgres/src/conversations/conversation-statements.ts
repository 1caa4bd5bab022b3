import type { ConversationId } from '@colloquy/core'
import { sql } from 'kysely'
import type { Define, Placeholder, Tables } from '../database/statements.ts'
import type { EncodedTurn, EventRow, PageRow } from './conversation-log.ts'

type TurnRow = Pick<EncodedTurn, 'record' | 'details'>
type Of = { id: ConversationId }

const rowOf = (t: Tables, p: Placeholder<Of>) =>
  sql`(select row from ${t('conversation_head')} where id = ${p('id')})`

/** The statements that read conversations. */
export const conversationStatements = (define: Define) => ({
  load: define<Of>('load a conversation')<{
    readonly version: number
    readonly state: string
    readonly changes: string | null
    readonly pending: readonly string[]
  }>(
    (t, p) => sql`
    select h.version, c.state, h.changes, array(
      select event_id from ${t('external_event')} as e
      where e.conversation = h.row and e.pending is not null order by e.pending) as pending
    from ${t('conversation_head')} as h join ${t('conversation')} as c on c.row = h.row where h.id = ${p('id')}`,
  ),
  version: define<Of>('read the version of a conversation')<{ readonly version: number }>(
    (t, p) => sql`select version from ${t('conversation_head')} where id = ${p('id')}`,
  ),
  // Sums go over texts' lengths, for which long texts are not read.
  eventPage: define<Of & { after: number; most: number; bytes: number }>(
    'read a page of a conversation',
  )<PageRow>(
    (t, p) => sql`
    select page.sequence, page.head, page.payload, h.sequence as newest, h.version
    from ${t('conversation_head')} as h left join lateral (
      select sequence, head, payload, sum(octet_length(head) + octet_length(payload)) over (order by sequence) as bytes,
        row_number() over (order by sequence) as place
      from (
        select sequence, head, payload from ${t('event')} as e
        where e.conversation = h.row and e.sequence > ${p('after')}::bigint order by sequence limit ${p('most')}::bigint
      ) as few
    ) as page on page.bytes <= ${p('bytes')}::bigint or page.place = 1
    where h.id = ${p('id')} order by page.sequence`,
  ),
  clientEvent: define<Of & { clientIds: readonly string[] }>('find an event by its client id')<EventRow>(
    (t, p) => sql`
    select e.sequence, e.head, e.payload
    from unnest(${p('clientIds')}::text[]) with ordinality as wanted (id, place)
    join ${t('client_event')} as c on c.conversation = ${rowOf(t, p)} and c.client_event_id = wanted.id
    join ${t('event')} as e on e.conversation = c.conversation and e.sequence = c.sequence
    order by wanted.place limit 1`,
  ),
  // Turn by turn from the newest on, so that none is looked at that the page does not hold.
  turns: define<Of & { limit: number; bytes: number }>('read the turns of a conversation')<TurnRow>(
    (t, p) => sql`
    with recursive page (conversation, number, record, details, bytes, place) as (
      select turn.conversation, turn.number, turn.record, turn.details,
        octet_length(turn.record)::bigint + octet_length(turn.details), 1
      from ${t('conversation_head')} as h join ${t('turn')} as turn on turn.conversation = h.row and turn.number = h.turns
      where h.id = ${p('id')} and ${p('limit')}::bigint > 0
      union all
      select turn.conversation, turn.number, turn.record, turn.details,
        page.bytes + octet_length(turn.record) + octet_length(turn.details), page.place + 1
      from page join ${t('turn')} as turn on turn.conversation = page.conversation and turn.number = page.number - 1
      where page.place < ${p('limit')}::bigint
        and page.bytes + octet_length(turn.record) + octet_length(turn.details) <= ${p('bytes')}::bigint
    )
    select record, details from page order by number`,
  ),
  turnPage: define<Of & { after: number; bytes: number }>('read a page of the turns of a conversation')<
    TurnRow & { readonly number: number; readonly newest: number }
  >(
    (t, p) => sql`
    with recursive page (conversation, number, record, details, bytes, newest) as (
      select turn.conversation, turn.number, turn.record, turn.details,
        octet_length(turn.record)::bigint + octet_length(turn.details), h.turns
      from ${t('conversation_head')} as h
      join ${t('turn')} as turn on turn.conversation = h.row and turn.number = least(${p('after')}::bigint, 2147483646) + 1
      where h.id = ${p('id')}
      union all
      select turn.conversation, turn.number, turn.record, turn.details,
        page.bytes + octet_length(turn.record) + octet_length(turn.details), page.newest
      from page join ${t('turn')} as turn on turn.conversation = page.conversation and turn.number = page.number + 1
      where page.bytes + octet_length(turn.record) + octet_length(turn.details) <= ${p('bytes')}::bigint
    )
    select record, details, number, newest from page order by number`,
  ),
  open: define<{ agentId: string }>('list open conversations')<{ readonly id: ConversationId }>(
    (t, p) => sql`
    select id from ${t('conversation')} where finished_at is null
      and scope in (select row from ${t('scope')} where agent_id = ${p('agentId')})`,
  ),
})
