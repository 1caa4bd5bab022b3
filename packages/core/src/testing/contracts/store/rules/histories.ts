import fc from 'fast-check'
import { comparedChannel } from '../../../../domain/conversation/channel.ts'
import { projectRecord } from '../../../../domain/conversation/project-record.ts'
import type { ConversationIndex, StoredTurn } from '../../../../domain/conversation/record.ts'
import type { ConversationState } from '../../../../domain/conversation/state.ts'
import {
  addedChanges,
  changesOf,
  NO_CHANGES,
  type StateChanges,
} from '../../../../domain/conversation/state-changes.ts'
import { holdWords, type Speaker, wordsOf } from '../../../../domain/conversation/turn-words.ts'
import type { AppendResult, ConversationStore } from '../../../../ports/store/conversations.ts'
import type { IntervalConditions, IntervalFilter } from '../../../../ports/store/intervals.ts'
import type { RecordFilter, RecordPageStart } from '../../../../ports/store/records.ts'
import { aConversation, anAppend, anEvent } from '../../../conversation-fixtures.ts'
import { START } from '../../../fixtures.ts'
import { compareTexts, EXTREME_TIMES } from '../tools.ts'

// Random conversations, and the reads that a store must answer, computed without a store.

/** Texts whose words are hard to separate. */
const TEXTS = [
  'Ein Zimmer für zwei, bitte! a room for two',
  'it\'s a ROOM; room-service? NULL OR 1=1 -- "NEAR" AND (not) {user}: x*',
  'Ζεστό ΝΕΡΌ, naïve café ﬁne ½ Ⅷ ß İstanbul',
  '東京のホテル tokyo東京2',
  '\u0000 a\u0000b \uD800 \u{1F600}smile\u{1F600} é e\u0301',
  `हिन्दी สวัสดี 안녕 عَرَبِي ${'x'.repeat(70)} ${'é'.repeat(64)}`,
  'Früh\u00adstückszeiten per E-Mail? ขอทราบที่จอดรถ مَرْحَبًا',
  '',
] as const
const PARTS = ['frühstück', 'zeiten', 'email', 'e‑mail', 'roomservice', 'จอด', 'مرحبا'].flatMap(wordsOf)
const WORDS = [...new Set([...TEXTS.flatMap(wordsOf), ...PARTS]), 'nowhere', 'roo']

const TOPICS = ['Opening hours', 'opening hours', 'Öffnung \u{1F600}: "%_'] as const

const IDS = ['K-10', 'K-9', 'K-B', 'K-a', 'K-\uFF5E', 'K-\u{1F600}', "k%'"] as const
const at = fc.constantFrom(START - 1, START, START, START + 1, START + 5, ...EXTREME_TIMES)
const text = fc.constantFrom(...TEXTS)
const variantId = fc.constantFrom('v1', 'V1', 'v_')
const variantName = fc.constantFrom('Ritz', 'ritz', '%')
const deploymentId = fc.constantFrom('d1', 'D1', 'd2')
const channel = fc.constantFrom('chat', 'CHAT', 'voice', 'é', 'É', '%')
const language = fc.constantFrom('en', 'en-GB')
const toNumber = fc.constantFrom('', '+44', '+441')
const clientId = fc.option(fc.constantFrom('a', 'A', 'b', 'b ', '%', '__proto__', 'null'), { nil: null })
const often = fc.constantFrom(true, true, true, true, false)

const index = fc.record({
  startedAt: at,
  lasted: fc.constantFrom(null, null, 0, 1, 3, 10),
  ...{ listed: often, counted: often, isLive: often, isOwn: often, isOwnAccount: often },
  variantId: fc.option(variantId, { nil: null }),
  variantName: fc.option(variantName, { nil: null }),
  deploymentId: fc.option(deploymentId, { nil: null }),
  ...{ channel, language: fc.option(language, { nil: null }), toNumber },
  handoff: fc.option(
    fc.record({
      id: fc.constantFrom('h1', 'h2'),
      status: fc.constantFrom('waiting' as const, 'active' as const),
    }),
    { nil: null },
  ),
  shared: fc.option(fc.constantFrom('S', 's', 'S-%'), { nil: null }),
})
const step = fc.record({
  type: fc.constantFrom(
    'create' as const,
    'create' as const,
    'append' as const,
    'append' as const,
    'append' as const,
    'remove' as const,
  ),
  id: fc.constantFrom(...IDS),
  /** Beside the version that the conversation has. */
  late: fc.constantFrom(0, 0, 0, 0, -1, 1),
  events: fc.uniqueArray(fc.record({ clientEventId: clientId, localId: clientId }), {
    maxLength: 3,
    comparator: (one, other) =>
      [one.clientEventId, one.localId].some(
        id => id !== null && (id === other.clientEventId || id === other.localId),
      ),
  }),
  turns: fc.array(fc.tuple(text, text, fc.constantFrom('', ...TOPICS)), { maxLength: 2 }),
  index: fc.option(index, { nil: null, freq: 4 }),
  name: text,
  isWhole: fc.boolean(),
  /** Only its handoff and its shared id change, as most writes leave the others. */
  isHandoff: fc.boolean(),
})
const condition = fc.record({
  words: fc.subarray([...WORDS], { minLength: 1, maxLength: 2 }),
  speaker: fc.constantFrom<Speaker>('user', 'agent', 'either'),
})
/** Some of these, few at a time: with all of them nothing would be left. */
const someOf = <T>(of: { [Key in keyof T]: fc.Arbitrary<T[Key]> }): fc.Arbitrary<Partial<T>> =>
  fc.subarray(Object.keys(of) as (keyof T)[], { maxLength: 2 }).chain(keys => {
    const wanted = Object.fromEntries(keys.map(key => [key, of[key]]))
    return fc.record(wanted) as fc.Arbitrary<Partial<T>>
  })
const recordFilter = someOf({
  ...{
    startTime: at,
    endTime: at,
    inProgress: fc.boolean(),
    variantId,
    variantName,
    deploymentId,
    words: condition,
  },
  channels: fc.array(channel, { maxLength: 2 }),
  topic: fc.constantFrom(...TOPICS),
})

/** A history of conversations. */
export const history = fc.array(step, { minLength: 8, maxLength: 24, size: 'max' })
/** A question about the conversations of a history. */
export const question = fc.record({
  whose: fc.record({ isOwn: often, isOwnAccount: often, isLive: often }),
  filter: recordFilter,
  place: fc.record({
    startedAt: at,
    id: fc.oneof(fc.constantFrom(...IDS), fc.constantFrom('', 'K-5', 'zzz')),
  }),
  offset: fc.option(fc.nat(3), { nil: null }),
  limit: fc.integer({ min: 1, max: 5 }),
  range: fc
    .tuple(fc.integer({ min: -3, max: 12 }), fc.integer({ min: -3, max: 12 }))
    .map(([from, to]) => ({ from: START + from, to: START + to })),
  conditions: someOf({ variantId, variantName, deploymentId, language, phoneNumber: toNumber }),
  sliceBy: fc.constantFrom('variant', 'deployment', undefined),
})

type Step = typeof history extends fc.Arbitrary<(infer T)[]> ? T : never

/** A conversation as a store should return it. */
interface Told {
  readonly state: ConversationState
  readonly version: number
  readonly events: readonly ReturnType<typeof anEvent>[]
  readonly turns: readonly StoredTurn[]
  readonly index: ConversationIndex
  /** The time of its handoff. */
  readonly handoffAt: number
  /** The state that was last written whole. */
  /** The changes since its state was written whole. */
  readonly sinceWhole: StateChanges
}

/** The conversations of one history. */
export class Conversations {
  readonly held = new Map<string, Told>()
  #steps = 0

  constructor(readonly scope: string) {}

  /** All ids that a history may have made. */
  ids(): readonly string[] {
    return IDS.map(id => this.idOf(id))
  }

  idOf(id: string): string {
    return `${this.scope} ${id}`
  }

  whose({
    isLive,
    isOwn,
    isOwnAccount,
  }: {
    readonly isLive: boolean
    readonly isOwn: boolean
    readonly isOwnAccount: boolean
  }) {
    return {
      accountId: `ws ${this.scope}${isOwnAccount ? '' : ' other'}`,
      agentId: `P ${this.scope}${isOwn ? '' : ' other'}`,
      environment: isLive ? ('live' as const) : ('sandbox' as const),
    }
  }

  #indexOf(given: NonNullable<Step['index']>): ConversationIndex {
    const { handoff, isLive, isOwn, isOwnAccount, lasted, shared, ...rest } = given
    return {
      ...{ ...this.whose({ isLive, isOwn, isOwnAccount }), ...rest, fromNumber: '' },
      finishedAt: lasted === null ? null : rest.startedAt + lasted,
      handoff: handoff && {
        ...handoff,
        queueName: `it's a "queue"`,
        since: START + this.#steps,
        liveAgentId: null,
      },
      shared: shared === null ? null : { id: shared, at: START + this.#steps },
    }
  }

  /** Makes a step in a store and in what it is compared with. Returns what the store should answer, and does answer. */
  async take(store: ConversationStore, step: Step): Promise<readonly [expected: unknown, answered: unknown]> {
    const nth = ++this.#steps
    const id = this.idOf(step.id)
    const known = this.held.get(id)
    const events = step.events.map((ids, at) => anEvent({ id: `${nth}.${at}`, ...ids }))
    const turns = step.turns.map(([user, agent, topic]) => ({
      record: { user_input: user, agent_response: agent },
      details: { nth, language: nth % 2 === 0 ? 'de-AT' : 'en', ...(topic && { cited_topic: topic }) },
    }))
    const given = step.index && this.#indexOf(step.index)
    const { handoff, shared } = given ?? {}
    const isHandoff = step.isHandoff && step.type === 'append' && known !== undefined
    const index =
      given && isHandoff ? { ...known.index, handoff: handoff ?? null, shared: shared ?? null } : given
    if (step.type === 'remove') {
      const { accountId, agentId } =
        known?.index ?? this.whose({ isLive: true, isOwn: true, isOwnAccount: true })
      const expected =
        known === undefined ? 'missing' : known.index.finishedAt === null ? 'in_progress' : 'removed'
      if (expected === 'removed') this.held.delete(id)
      return [expected, await store.removals.remove(accountId, agentId, id)]
    }
    if (step.type === 'create') {
      const begun = index ?? this.whose({ isLive: true, isOwn: true, isOwnAccount: true })
      const environment = begun.environment === 'live' ? 'live' : 'sandbox'
      const named = { agentName: step.name }
      const write = aConversation(id, { ...begun, environment, events, turns, state: named, index: begun })
      const { state } = write
      if (known === undefined)
        this.held.set(id, {
          state,
          sinceWhole: NO_CHANGES,
          version: 1,
          events,
          turns,
          index: write.index,
          handoffAt: nth,
        })
      return [known === undefined ? 'created' : 'taken', await store.create(write)]
    }
    const blank = aConversation(id, { events: [] })
    const base = { ...blank, state: known?.state ?? blank.state, index: index ?? blank.index }
    const changed = { agentName: step.name, handoffs: nth }
    const after = anAppend(base, (known?.version ?? 1) + step.late, { events, turns, state: changed })
    const changes =
      step.isWhole || known === undefined
        ? null
        : addedChanges(known.sinceWhole, changesOf(known.state, after.state))
    const append = { ...after, changes }
    const expected = this.#append(known, append.expectedVersion, events)
    if (known !== undefined && expected.status === 'appended') {
      const isSame =
        known.index.handoff !== null && (index === null || index.handoff?.id === known.index.handoff.id)
      this.held.set(id, {
        ...{ state: append.state, version: known.version + 1, index: index ?? known.index },
        ...{ events: [...known.events, ...events], turns: [...known.turns, ...turns] },
        handoffAt: isSame ? known.handoffAt : nth,
        sinceWhole: append.changes ?? NO_CHANGES,
      })
    }
    return [expected, await store.append({ ...append, index })]
  }

  #append(
    known: Told | undefined,
    version: number,
    events: readonly ReturnType<typeof anEvent>[],
  ): AppendResult {
    if (known === undefined) return { status: 'stale' }
    for (const id of events.flatMap(({ clientEventId, localId }) => [clientEventId, localId])) {
      const at = known.events.findIndex(one => id != null && [one.clientEventId, one.localId].includes(id))
      if (at >= 0) return { status: 'duplicate', sequence: at + 1 }
    }
    return { status: version === known.version ? 'appended' : 'stale' }
  }

  /** Returns the conversations that a filter selects, in the order of lists. */
  selected(filter: RecordFilter): readonly (readonly [id: string, told: Told])[] {
    const {
      channels,
      endTime = Number.POSITIVE_INFINITY,
      inProgress,
      startTime = 0,
      variantId,
      variantName,
      deploymentId,
    } = filter
    return [...this.held]
      .filter(([, { index, turns }]) =>
        [
          index.listed && isOf(index, filter),
          startTime <= index.startedAt && index.startedAt < endTime,
          inProgress === undefined || inProgress === (index.finishedAt === null),
          channels === undefined || channels.map(comparedChannel).includes(comparedChannel(index.channel)),
          variantId === undefined || variantId === index.variantId,
          variantName === undefined || variantName === index.variantName,
          deploymentId === undefined || deploymentId === index.deploymentId,
          selects(turns, filter),
        ].every(Boolean),
      )
      .toSorted(
        ([one, { index }], [other, { index: otherIndex }]) =>
          index.startedAt - otherIndex.startedAt || compareTexts(one, other),
      )
  }

  /** Returns the active conversations, as `start-end variant` or `start-end deployment`, in order. */
  active(
    conditions: IntervalConditions,
    { from, to }: { readonly from: number; readonly to: number },
    sliceBy: IntervalFilter['sliceBy'],
  ): readonly string[] {
    const { deploymentId, language, phoneNumber, variantId, variantName } = conditions
    return [...this.held.values()]
      .map(({ index }) => index)
      .filter(index =>
        [
          index.listed && index.counted && isOf(index, conditions),
          index.startedAt < to && (index.finishedAt ?? Number.POSITIVE_INFINITY) >= from,
          index.finishedAt !== from || index.startedAt === from,
          from < to,
          language === undefined || language === index.language,
          phoneNumber === undefined || phoneNumber === index.toNumber,
          variantId === undefined || variantId === index.variantId,
          variantName === undefined || variantName === index.variantName,
          deploymentId === undefined || deploymentId === index.deploymentId,
        ].every(Boolean),
      )
      .map(({ deploymentId, finishedAt, startedAt, variantId, variantName }) => {
        const name = sliceBy === 'deployment' ? `${deploymentId} null` : `${variantId} ${variantName}`
        return `${startedAt}-${finishedAt ?? Number.POSITIVE_INFINITY} ${name}`
      })
      .toSorted()
  }
}

const isOf = (index: ConversationIndex, { accountId, agentId, environment }: IntervalConditions): boolean =>
  index.accountId === accountId && index.agentId === agentId && index.environment === environment

/** Reports whether the words and the topic of a filter are those of one turn. */
function selects(turns: readonly StoredTurn[], { topic, words }: RecordFilter): boolean {
  const about = topic === undefined ? turns : turns.filter(({ details }) => details.cited_topic === topic)
  if (words !== undefined) return holdWords(about, words)
  return topic === undefined || about.length > 0
}

/** Returns the page of a list that begins there. */
export function pageOf<T extends readonly [id: string, told: Told]>(
  all: readonly T[],
  from: RecordPageStart,
  limit: number,
  isDescending = false,
) {
  const order = ([id, { index }]: T): number => {
    if ('offset' in from) return 1
    const found = index.startedAt - from.after.startedAt || compareTexts(id, from.after.id)
    return isDescending ? -found : found
  }
  const left = (isDescending ? all.toReversed() : all)
    .filter(one => order(one) > 0)
    .slice('offset' in from ? from.offset : 0)
  return { page: left.slice(0, limit), more: left.length > limit }
}

/** Returns a record's JSON, as texts. */
export function textsOf({ state, turns }: Pick<Told, 'state' | 'turns'>) {
  const { details, summary } = projectRecord(state)
  const records = turns.map(({ record }) => record)
  return {
    summary: JSON.stringify(summary),
    details: JSON.stringify(details),
    turns: JSON.stringify(records),
  }
}
