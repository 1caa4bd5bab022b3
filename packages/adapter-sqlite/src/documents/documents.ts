import type { AccountId, WebhookEndpoint } from '@colloquy/core'
import {
  ALL_KINDS,
  type Condition,
  copied,
  type Documents,
  type Kind,
  namedIn,
  type Outbox,
  outboxDocuments,
  type Range,
  WEBHOOK_ENDPOINT,
} from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import { createRefill } from './refill.ts'
import { documentStatements, type Row } from './statements.ts'
import { wordHashes, wordsBehind } from './words.ts'

/** As many documents with words as that are written before their words are added to those that are found at once. */
const WORDS_TOGETHER = 256

/** As many writes that remove some are made before the index is merged. */
const REMOVALS = 16

/** A document that is put, as a row. */
interface Put {
  readonly kind: Kind<unknown>
  readonly value: unknown
  readonly run: ReturnType<typeof documentStatements>
  readonly row: Row
}

/** One that is looked for and put by one statement. */
interface PutOver extends Put {
  readonly id: string
  readonly expected: number
}

/** What becomes of the documents that are looked at and put: those that are both in one statement are apart. */
function putsOver(conditions: readonly Condition[], puts: readonly Put[]) {
  const over: PutOver[] = []
  const looked = conditions.filter(condition => {
    if (!('id' in condition)) return true
    const { id, kind, version: expected } = condition
    // Only one of them can be over a document that was there, which is put last.
    if (over.some(one => (one.kind === kind && one.id === id) || (expected > 0 && one.expected > 0)))
      return true
    const [one, other] = puts.filter(one => one.kind === kind && kind.id(one.value) === id)
    if (one === undefined || other !== undefined || !one.run.isPutOver(one.row, expected)) return true
    over.push({ ...one, id, expected })
    return false
  })
  return { looked, over: over.toSorted((one, other) => one.expected - other.expected) }
}

/** Puts them one after the other. False where one is not what it is put over: then none is put. */
function arePut(over: readonly PutOver[]): boolean {
  const failed = over.findIndex(({ expected, row, run }) => !run.putOver(row, expected))
  // Those before it were not there.
  for (const { id, run } of over.slice(0, Math.max(failed, 0))) run.remove(id)
  return failed === -1
}

const isEmpty = ({ audit, webhooks = [] }: Outbox): boolean => audit === undefined && webhooks.length === 0

/** The documents of a store in SQLite. @param nextSequence numbers entries of the audit log */
export function createDocuments(session: Session, nextSequence: () => number): Documents {
  const { define, emptyLog, read, write } = session
  const worded = ALL_KINDS.filter(({ words }) => words !== undefined)
  const hashes = new Map(worded.map(kind => [kind, wordHashes(define, kind)]))
  const hashesOf = (kind: Kind<unknown>) => hashes.get(kind) ?? String
  const byKind = new Map(ALL_KINDS.map(kind => [kind.name, documentStatements(define, kind, hashesOf)]))
  const of = ({ name }: Kind<unknown>): ReturnType<typeof documentStatements> => {
    const statements = byKind.get(name)
    if (statements === undefined) throw new Error(`There is no kind ${name} of documents.`)
    return statements
  }
  const behind = new Map(worded.map(kind => [kind, { add: wordsBehind(define, kind), waiting: 0 }]))
  /** What fails here is found all the same, and is left to the next time. */
  const addWords = (kind: Kind<unknown>, documents: number): void => {
    const words = behind.get(kind)
    if (words === undefined) return
    words.waiting += documents
    if (words.waiting < WORDS_TOGETHER) return
    words.waiting = 0
    void write('add words', () => words.add(2 * WORDS_TOGETHER)).catch(() => {})
  }
  const holds = (condition: Condition): boolean => {
    const run = of(condition.kind)
    if ('id' in condition) return run.version(condition.id) === condition.version
    const { atMost, index, prefix } = condition
    return atMost >= 0 && !run.holdsMore(index, prefix, atMost)
  }
  const enabledOf = (accountId: AccountId): readonly WebhookEndpoint[] =>
    of(WEBHOOK_ENDPOINT)
      .bodies('enabled', { prefix: [accountId] })
      .map(({ body }) => fromJson<WebhookEndpoint>(body))
  const keep = (outbox: Outbox): void => {
    for (const { kind, value } of outboxDocuments(outbox, { nextSequence, enabledOf }))
      of(kind).put(of(kind).rowOf(value))
  }
  return {
    async write({ when, clear = [], put = [], remove = [], outbox = {} }) {
      const conditions = when.map(condition => ({ ...condition }))
      const parts = [...clear]
      const gone = remove.map(({ kind, id }) => ({ kind, run: of(kind), id }))
      const puts = put.map(({ kind, value }) => {
        const run = of(kind)
        return { kind, value, run, row: run.rowOf(value) }
      })
      const kept = isEmpty(outbox) ? null : copied(outbox)
      const { looked, over } =
        parts.length === 0 ? putsOver(conditions, puts) : { looked: conditions, over: [] }
      const rest = over.length === 0 ? puts : puts.filter(({ row }) => !over.some(one => one.row === row))
      for (const { kind, run } of puts) if (run.hasWords) addWords(kind, 1)
      // Each write that removes some leaves a part of the index that is to be merged.
      for (const { kind } of [...parts, ...gone]) addWords(kind, WORDS_TOGETHER / REMOVALS)
      const [first] = [...put, ...remove]
      return write(`write the ${first === undefined ? 'document' : namedIn(first.kind)}`, () => {
        if (!looked.every(holds) || !arePut(over)) return conditions.findIndex(condition => !holds(condition))
        for (const { index, kind, prefix } of parts) of(kind).clear(index, prefix)
        for (const { run, row } of rest) run.put(row)
        for (const { run, id } of gone) run.remove(id)
        if (kept !== null) keep(kept)
        return null
      })
    },
    erased: emptyLog,
    refill: createRefill(session, of),
    async get<T>(kind: Kind<T>, ids: readonly string[]) {
      const wanted = [...ids]
      const run = of(kind)
      return read(`read the ${namedIn(kind)}`, () =>
        wanted.map(id => {
          const body = run.get(id)
          return body === undefined ? null : fromJson<T>(body)
        }),
      )
    },
    async scan<T>(kind: Kind<T>, index: string, range: Range) {
      const run = of(kind)
      return read(`list the ${namedIn(kind)}s`, () =>
        run.bodies(index, range).map(({ body }) => fromJson<T>(body)),
      )
    },
  }
}
