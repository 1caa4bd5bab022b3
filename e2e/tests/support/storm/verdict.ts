import { isDeepStrictEqual } from 'node:util'
import type { ConversationEvent } from '@colloquy/core/domain'
import type { Store } from '@colloquy/core/store'
import { createApi, withKey } from '@colloquy/test-support/api'
import { createRandom } from '@colloquy/test-support/random'
import { CREDENTIALS } from '@colloquy/test-support/standalone'
import { eventsOf } from '@colloquy/test-support/stored'
import { at, listAt, textAt } from '../../../../examples/quickstart/src/json.ts'
import type { Actor } from './roles.ts'
import type { Crowd } from './storm.ts'
import { connectStormVisitor } from './visitor.ts'

/** What clients can read when everybody has what they wanted. */
export interface Readings {
  readonly records: readonly unknown[]
  readonly replays: readonly (Actor['visitor']['journal'] | null)[]
  readonly transcripts: readonly (readonly (readonly [string, string])[])[]
}

const RECORDS_A_PAGE = 20

/** Reads all of it. */
export async function readAll(crowd: Crowd): Promise<Readings> {
  const { actors, desk, url } = crowd
  return {
    records: await readRecords(url),
    replays: await Promise.all(actors.map(actor => readAnew(crowd, actor))),
    transcripts: await Promise.all(
      actors.map(({ handoffId }) => (handoffId === null ? [] : desk.transcript(handoffId))),
    ),
  }
}

/** Everything that is wrong after a storm, in words; empty when all is well. */
export async function judge(
  { actors }: Crowd,
  { records, replays, transcripts }: Readings,
  store: Pick<Store, 'conversations'>,
): Promise<readonly string[]> {
  const complaints: string[] = []
  for (const [index, actor] of actors.entries()) {
    const { sessionId } = actor.visitor
    const log = await eventsOf(store.conversations, sessionId, 0)
    const record = records.find(one => at(one, 'id') === sessionId)
    const found = [
      ...actor.visitor.journal.faults,
      ...differ(
        'the replies as a client of the field has them',
        actor.visitor.journal.fieldReplies(),
        actor.visitor.journal.replies(),
      ),
      ...judgeLog(actor, log),
      ...judgeReplay(actor, replays[index] ?? null),
      ...judgeRecord(actor, log, record),
      ...judgeTranscript(actor, transcripts[index] ?? []),
    ]
    complaints.push(...found.map(complaint => `visitor ${index} (${actor.role}): ${complaint}`))
  }
  if (records.length !== actors.length) complaints.push(`${records.length} records`)
  return complaints
}

function differ(what: string, is: unknown, should: unknown): readonly string[] {
  if (isDeepStrictEqual(is, should)) return []
  if (!Array.isArray(is) || !Array.isArray(should))
    return [`${what}: ${JSON.stringify(is)}, but should be ${JSON.stringify(should)}`]
  // Of a long list only where it begins to differ.
  const first = is.findIndex((item, index) => !isDeepStrictEqual(item, should[index]))
  const from = first === -1 ? is.length : first
  const part = (list: readonly unknown[]): string =>
    `${JSON.stringify(list.slice(from, from + SHOWN))} of ${list.length}`
  return [`${what}, from ${from}: ${part(is)}, but should be ${part(should)}`]
}

const SHOWN = 3

/** The stored log against what the visitor sent and was told. */
function judgeLog({ visitor, told }: Actor, log: readonly ConversationEvent[]): readonly string[] {
  const { events } = visitor.journal
  const fromVisitor = log.filter(({ type }) => isVisitors(type))
  const known = events.map(({ id, sequence, type }) => [id, sequence, type])
  const stored = log.map(({ id, sequence, type }) => [id, sequence, `EVENT_TYPE_${type}`])
  const messages = log.flatMap(({ payload }) => payload.message_id ?? [])
  return [
    ...differ(
      'sequences',
      log.map(({ sequence }) => sequence),
      log.map((_, index) => index + 1),
    ),
    ...differ('what the visitor has of the log', known, stored.slice(0, known.length)),
    // An end that came while nobody was connected cannot be read any more.
    ...(visitor.over ? [] : differ('length of the log', known.length, stored.length)),
    ...differ(
      'what the visitor sent',
      inOrder(
        visitor,
        fromVisitor.map(({ custom, payload }) => [custom?.client_event_id, payload.text ?? null]),
      ),
      inOrder(
        visitor,
        visitor.sent.map(({ id, text }) => [id, text]),
      ),
    ),
    ...differ(
      'what live agents said',
      log.filter(({ type }) => type === 'LIVE_AGENT_MESSAGE').map(({ payload }) => payload.text),
      told,
    ),
    ...differ('message ids that stand twice', messages.length - new Set(messages).size, 0),
    ...differ('ended', log.at(-1)?.type === 'SESSION_END', visitor.over),
  ]
}

/** What the server could not take at first came later than what was sent after it. */
const inOrder = <Item>({ counts }: Actor['visitor'], items: readonly Item[]): readonly Item[] =>
  counts.refused === 0
    ? items
    : [...items].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

const isVisitors = (type: ConversationEvent['type']): boolean =>
  type === 'USER_MESSAGE' || type === 'REQUEST_AI_AGENT_JOIN' || type === 'USER_END_SESSION'

/** A replay from the beginning against what the visitor has collected over all its connections. */
function judgeReplay({ visitor }: Actor, replay: Actor['visitor']['journal'] | null): readonly string[] {
  if (replay === null) return []
  return [
    ...replay.faults,
    ...differ('the log read anew', replay.events.map(withoutChunk), visitor.journal.events.map(withoutChunk)),
    ...differ('the replies read anew', replay.replies(), visitor.journal.replies()),
  ]
}

/** Streams are compared as whole replies. */
export const withoutChunk = ({
  id,
  sequence,
  type,
  payload,
  metadata,
}: Actor['visitor']['journal']['events'][0]) =>
  type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK'
    ? { id, sequence, type }
    : { id, sequence, type, payload, metadata }

/** The record against the log: one turn for each question, in order, with the text of its reply. */
function judgeRecord(
  { asked, reported, role, visitor }: Actor,
  log: readonly ConversationEvent[],
  record: unknown,
) {
  const turns = listAt(record, 'turns').map(turn => [
    textAt(turn, 'user_input'),
    textAt(turn, 'agent_response'),
  ])
  const replies = log.flatMap(({ type, payload }) =>
    type === 'AI_AGENT_MESSAGE' || type === 'AI_AGENT_MESSAGE_CHUNK'
      ? [[...(Array.isArray(payload.chunks) ? payload.chunks : []), payload.text].join('')]
      : [],
  )
  const isGreeted = !visitor.failed.some(({ type }) => type === 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN')
  const inputs = turns.slice(isGreeted ? 1 : 0).map(([input]) => input)
  const failed = visitor.failed.map(({ text }) => text)
  const wanted = asked.filter(text => !failed.includes(text))
  // A result from outside is a turn without a question.
  const questions = inputs.filter(input => input !== '')
  return [
    ...differ(
      'answers in the record',
      turns.map(([, answer]) => answer),
      replies,
    ),
    // Only the end of the session keeps a question from its reply or its stated failure.
    ...differ(
      'questions in the record',
      inOrder(visitor, questions),
      inOrder(visitor, role === 'ends_abruptly' ? wanted.slice(0, questions.length) : wanted),
    ),
    ...differ('results in the record', inputs.length - questions.length, reported),
    ...differ('num_turns', at(record, 'num_turns'), turns.length),
    ...differ('in_progress', at(record, 'in_progress'), !visitor.over),
    ...differ('handoff', at(record, 'handoff'), role === 'hands_over' || role === 'is_left'),
  ]
}

/** What the live agents see: everything that either side said to the other, once. */
function judgeTranscript(
  { asked, handoffId, reported, told, visitor }: Actor,
  transcript: readonly (readonly [string, string])[],
) {
  if (handoffId === null) return []
  const messages = visitor.sent.flatMap(({ text }) => text ?? [])
  const of = (speaker: string) => transcript.filter(([from]) => from === speaker).map(([, text]) => text)
  return [
    ...differ('visitor in the transcript', inOrder(visitor, of('visitor')), inOrder(visitor, messages)),
    ...differ('live agent in the transcript', of('live_agent'), told),
    ...differ(
      'replies in the transcript',
      of('ai_agent').length,
      asked.length + reported + 1 - visitor.failed.length,
    ),
  ]
}

/** After a long storm all of them together are more than one answer brings in time. */
async function readRecords(url: string): Promise<readonly unknown[]> {
  const records: unknown[] = []
  for (let offset: unknown = 0; offset !== undefined; ) {
    const page = await createApi(url)(
      `/v1/ws-demo/PROJECT-DEMO/conversations?limit=${RECORDS_A_PAGE}&offset=${offset}`,
      { headers: withKey(CREDENTIALS.COLLOQUY_PROJECT_KEY), status: 200 },
    )
    records.push(...listAt(page, 'conversations'))
    offset = at(page, 'next_offset')
  }
  return records
}

/** Reads the log from its beginning over a connection of its own; null for a session that nobody can connect to any more. */
async function readAnew({ accessToken, url }: Crowd, { visitor }: Actor) {
  if (visitor.over) return null
  const reader = connectStormVisitor({
    url,
    name: 'reader',
    sessionId: visitor.sessionId,
    accessToken,
    streaming: visitor.streaming,
    random: createRandom(1),
    onFrame: () => {},
  })
  await reader.until(() => reader.journal.events.length >= visitor.journal.events.length)
  const { journal } = reader
  reader.stop()
  visitor.stop()
  return journal
}
