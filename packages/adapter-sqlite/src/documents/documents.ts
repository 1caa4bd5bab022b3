import type { AccountId, WebhookEndpoint } from '@colloquy/core'
import {
  type Batch,
  type Condition,
  copied,
  type Documents,
  type Kind,
  type Outbox,
  outboxDocuments,
  type Range,
  WEBHOOK_ENDPOINT,
} from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import { documentStatements, type WordedRow } from './statements.ts'
import { ALL_KINDS } from './tables.ts'
import { wordHashes, wordsBehind } from './words.ts'

/** As many documents with words as that are written before their words are added to those that are found at once. */
const WORDS_TOGETHER = 256

/** As many writes that remove some are made before the index is merged. */
const REMOVALS = 16

const namedIn = (kind: Kind<unknown>): string => kind.name.replaceAll('_', ' ')

/** A document that is put, as a row. */
interface Put {
  readonly run: ReturnType<typeof documentStatements>
  readonly id: string
  readonly row: WordedRow
}

/** The first condition that is looked at and whose document is put by one statement; null where there is none. */
function putOver(conditions: readonly Condition[], puts: readonly Put[]) {
  for (const [at, condition] of conditions.entries()) {
    if (!('id' in condition) || condition.version < 1) continue
    const own = puts.filter(({ id, run }) => id === condition.id && run.name === condition.kind.name)
    const [only] = own
    if (own.length !== 1 || only === undefined || !only.run.isPutOver(only.row)) continue
    const { row, run } = only
    return { at, row, put: () => run.putOver(row, condition.id, condition.version) }
  }
  return null
}

const isEmpty = ({ audit, webhooks = [] }: Outbox): boolean => audit === undefined && webhooks.length === 0

/** The documents of a store in SQLite. @param nextSequence numbers entries of the audit log */
export function createDocuments(
  { define, emptyLog, read, write }: Session,
  nextSequence: () => number,
): Documents {
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
  const addWords = ({ clear = [], put = [], remove = [] }: Batch): void => {
    for (const [kind, words] of behind) {
      for (const one of put) if (one.kind === kind) words.waiting++
      // Each write that removes some leaves a part of the index that is to be merged.
      if ([...clear, ...remove].some(one => one.kind === kind)) words.waiting += WORDS_TOGETHER / REMOVALS
      if (words.waiting < WORDS_TOGETHER) continue
      words.waiting = 0
      void write('add words', () => words.add(2 * WORDS_TOGETHER)).catch(() => {})
    }
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
      const rows = put.map(({ kind, value }) => ({
        run: of(kind),
        id: kind.id(value),
        row: of(kind).rowOf(value),
      }))
      const gone = remove.map(({ kind, id }) => ({ run: of(kind), id }))
      const kept = isEmpty(outbox) ? null : copied(outbox)
      const over = parts.length === 0 ? putOver(conditions, rows) : null
      const [first] = [...put, ...remove]
      addWords({ when, clear, put, remove })
      return write(`write the ${first === undefined ? 'document' : namedIn(first.kind)}`, () => {
        const refused = conditions.findIndex((condition, at) => at !== over?.at && !holds(condition))
        if (over !== null && refused === -1 && !over.put()) return over.at
        if (refused !== -1) return conditions.findIndex(condition => !holds(condition))
        for (const { index, kind, prefix } of parts) of(kind).clear(index, prefix)
        for (const { run, row } of rows) if (row !== over?.row) run.put(row)
        for (const { run, id } of gone) run.remove(id)
        if (kept !== null) keep(kept)
        return null
      })
    },
    erased: emptyLog,
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
