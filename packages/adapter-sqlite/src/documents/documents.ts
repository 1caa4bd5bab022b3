import type { AccountId, WebhookEndpoint } from '@colloquy/core'
import {
  ALL_KINDS,
  type AtMost,
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
import type { Session } from '../database/session.ts'
import { fromJson } from '../database/statements.ts'
import { createRefill } from './refill.ts'
import { type Beside, documentStatements, type Row, type Statements } from './statements.ts'
import { wordHashes, wordsBehind } from './words.ts'

/** As many documents with words as that are written before their words are added to those that are found at once. */
const WORDS_TOGETHER = 256

/** As many writes that remove some are made before the index is merged. */
const REMOVALS = 16

/** A document that is put, as a row. */
interface Put {
  readonly kind: Kind<unknown>
  readonly run: Statements
  readonly row: Row
}

/** A condition on one document, with the statements of its kind. */
type VersionCheck = Beside & { readonly run: Statements }

/** A condition with the statements of its kind. */
type Check = VersionCheck | ({ readonly run: Statements } & Pick<AtMost, 'index' | 'prefix' | 'atMost'>)

const holds = (check: Check): boolean =>
  'key' in check
    ? check.run.version(check.key) === check.version
    : check.atMost >= 0 && !check.run.holdsMore(check.index, check.prefix, check.atMost)

/** Reports whether a check asks that a document is not there which is put: one statement looks and puts. */
const isOfPut = (check: Check, { row, run }: Put): boolean =>
  'key' in check &&
  check.version === 0 &&
  check.run === run &&
  check.key.every((value, at) => value === row.values[at])

/**
 * Splits a batch: documents that are added in a new place, all other puts, and the checks that are left. The first
 * document is added with the conditions on others, by one statement.
 */
function apart(checks: readonly Check[], puts: readonly Put[]) {
  let left = checks
  const added: Put[] = []
  const rest = puts.filter(put => {
    if (!put.run.canAdd || !left.some(check => isOfPut(check, put))) return true
    // All of them: what is asked or put twice is added once, and then replaced.
    left = left.filter(check => !isOfPut(check, put))
    added.push(put)
    return false
  })
  if (added.length === 0) return { left, added, rest, beside: [] }
  const isBeside = (check: Check): check is VersionCheck => 'key' in check
  return { left: left.filter(check => !isBeside(check)), added, rest, beside: left.filter(isBeside) }
}

/** Adds them one after the other. False if one is there already, or a condition fails: then none is added. */
function areAdded(puts: readonly Put[], beside: readonly VersionCheck[]): boolean {
  const failed = puts.findIndex(({ row, run }, at) => !run.add(row, at === 0 ? beside : []))
  for (const { row, run } of puts.slice(0, Math.max(failed, 0))) run.remove(run.keyOfRow(row))
  return failed === -1
}

const isEmpty = ({ audit, webhooks = [] }: Outbox): boolean => audit === undefined && webhooks.length === 0

/**
 * Returns a function that adds the words of documents that are not indexed yet. If it fails, those documents are still
 * found, and the next run adds them.
 */
function addingWords({ define, write }: Session, worded: readonly Kind<unknown>[]) {
  const behind = new Map(worded.map(kind => [kind, { add: wordsBehind(define, kind), waiting: 0 }]))
  return (kind: Kind<unknown>, documents: number): void => {
    const words = behind.get(kind)
    if (words === undefined) return
    words.waiting += documents
    if (words.waiting < WORDS_TOGETHER) return
    words.waiting = 0
    void write('add words', () => words.add(2 * WORDS_TOGETHER)).catch(() => {})
  }
}

/** Returns the documents of a store in SQLite. @param nextSequence numbers entries of the audit log */
export function createDocuments(session: Session, nextSequence: () => number): Documents {
  const { define, emptyLog, read, snapshot, write } = session
  const worded = ALL_KINDS.filter(({ words }) => words !== undefined)
  const hashes = new Map(worded.map(kind => [kind, wordHashes(define, kind)]))
  const hashesOf = (kind: Kind<unknown>) => hashes.get(kind) ?? String
  const byKind = new Map(ALL_KINDS.map(kind => [kind.name, documentStatements(define, kind, hashesOf)]))
  const of = ({ name }: Kind<unknown>): Statements => {
    const statements = byKind.get(name)
    if (statements === undefined) throw new Error(`There is no kind ${name} of documents.`)
    return statements
  }
  const addWords = addingWords(session, worded)
  const checkOf = (condition: Condition): Check => {
    const run = of(condition.kind)
    if ('id' in condition) return { run, key: run.keyOf(condition.id), version: condition.version }
    return { ...condition, run }
  }
  const enabledOf = (accountId: AccountId): readonly WebhookEndpoint[] =>
    of(WEBHOOK_ENDPOINT)
      .bodies('enabled', { prefix: [accountId] })
      .map(fromJson<WebhookEndpoint>)
  const keep = (outbox: Outbox): void => {
    for (const { kind, value } of outboxDocuments(outbox, { nextSequence, enabledOf }))
      of(kind).put(of(kind).rowOf(value))
  }
  return {
    async write({ when, clear = [], put = [], remove = [], outbox = {} }) {
      const checks = when.map(checkOf)
      const parts = [...clear]
      const gone = remove.map(({ kind, id }) => ({ kind, run: of(kind), key: of(kind).keyOf(id) }))
      const puts = put.map(({ kind, value }) => ({ kind, run: of(kind), row: of(kind).rowOf(value) }))
      const kept = isEmpty(outbox) ? null : copied(outbox)
      const { left, added, rest, beside } =
        parts.length === 0 ? apart(checks, puts) : { left: checks, added: [], rest: puts, beside: [] }
      for (const { kind, run } of puts) if (run.hasWords) addWords(kind, 1)
      // Each write that removes some leaves a part of the index that is to be merged.
      for (const { kind } of [...parts, ...gone]) addWords(kind, WORDS_TOGETHER / REMOVALS)
      const [first] = [...put, ...remove]
      return write(`write the ${first === undefined ? 'document' : namedIn(first.kind)}`, () => {
        if (!left.every(holds) || !areAdded(added, beside)) return checks.findIndex(check => !holds(check))
        for (const { index, kind, prefix } of parts) of(kind).clear(index, prefix)
        // A document that lists have is added: the others of its batch are mostly new, too.
        const isMostlyNew = added.some(({ run }) => run.isChanged)
        for (const { run, row } of rest) run.put(row, isMostlyNew)
        for (const { run, key } of gone) run.remove(key)
        if (kept !== null) keep(kept)
        return null
      })
    },
    erased: emptyLog,
    refill: createRefill(session, of),
    get<T>(kind: Kind<T>, ids: readonly string[]) {
      const wanted = [...ids]
      const run = of(kind)
      const found = () =>
        wanted.map(id => {
          const body = run.get(run.keyOf(id))
          return body === undefined ? null : fromJson<T>(body)
        })
      return read(`read the ${namedIn(kind)}`, () => (wanted.length > 1 ? snapshot(found) : found()))
    },
    scan<T>(kind: Kind<T>, index: string, range: Range) {
      const run = of(kind)
      return read(`list the ${namedIn(kind)}s`, () => run.bodies(index, range).map(fromJson<T>))
    },
  }
}
