import type { CopiedKind, CopiedParts, CopySource } from '../../store/copies.ts'
import { compareKeys, compareMarks, keyOf } from './copy-keys.ts'
import { partText } from './part-text.ts'
import { sideBySide } from './side-by-side.ts'
import { marksOf, partsOf } from './walk-store.ts'

/**
 * The state of a store, seen from the one that is to be copied into it. `empty`: it holds nothing. `earlier`: it holds
 * an earlier state, which copies leave, interrupted ones too. `later`: it was written to after it was copied.
 * `another`: it holds the data of another store.
 */
export type TargetState = 'empty' | 'earlier' | 'later' | 'another'

/** The findings of a copy before it begins. */
export interface TargetExamination {
  readonly state: TargetState
  /** Conversations that only the target holds: a copy removes them. */
  readonly onlyThere: number
}

/** Kinds that show whose data a store holds: they come first in a copy, and accounts and secrets are never removed. */
const TELLING = ['secret', 'token_key', 'account'] as const satisfies readonly CopiedKind[]

/** Returns the fields of a part of a telling kind that never change. */
const PERMANENT: { readonly [Kind in (typeof TELLING)[number]]: (part: CopiedParts[Kind]) => object } = {
  secret: ({ name, value }) => ({ name, value }),
  token_key: ({ id, number, secret }) => ({ id, number, secret }),
  account: ({ id, createdAt }) => ({ id, createdAt }),
}

/** Counts the parts of a kind that both have, and those that the target alone has, or has with other content. */
async function shared<Kind extends (typeof TELLING)[number]>(
  from: CopySource,
  to: CopySource,
  kind: Kind,
): Promise<{ readonly both: number; readonly onlyThere: number }> {
  let [both, onlyThere] = [0, 0]
  const compare = (one: CopiedParts[Kind], other: CopiedParts[Kind]): number =>
    compareKeys(keyOf(kind, one), keyOf(kind, other))
  const permanent: (part: CopiedParts[Kind]) => object = PERMANENT[kind]
  for await (const { one, other } of sideBySide(
    partsOf(from.copies, kind),
    partsOf(to.copies, kind),
    compare,
  )) {
    if (other === null) continue
    if (one !== null && partText(permanent(one)) === partText(permanent(other))) both++
    else onlyThere++
  }
  return { both, onlyThere }
}

/** Reports whether the target says that it began as another store. */
async function isAnother(from: CopySource, to: CopySource): Promise<boolean> {
  let [both, onlyThere] = [0, 0]
  for (const kind of TELLING) {
    const found = await shared(from, to, kind)
    both += found.both
    onlyThere += found.onlyThere
  }
  return onlyThere > 0 && both === 0
}

/** Reports whether the audit log of the target goes on after the end of the other one. */
async function hasLaterEntries(from: CopySource, to: CopySource): Promise<boolean> {
  const newest = async ({ audit }: CopySource) => (await audit.list({}, 1)).values.at(0) ?? null
  const there = await newest(to)
  if (there === null) return false
  const here = await newest(from)
  if (here === null || here.sequence < there.sequence) return true
  const place = { at: there.entry.at, sequence: there.sequence + 1 }
  const same = (await from.audit.list({ after: place }, 1)).values.at(0)
  // One that was purged is no longer there to be compared.
  if (same === undefined || same.sequence !== there.sequence) return false
  return partText(same) !== partText(there)
}

/** Examines the content of `to` before `from` is copied into it (CY28). */
export async function examineTarget(from: CopySource, to: CopySource): Promise<TargetExamination> {
  if (await isAnother(from, to)) return { state: 'another', onlyThere: 0 }
  let [there, onlyThere, isLater] = [0, 0, await hasLaterEntries(from, to)]
  for await (const { one, other } of sideBySide(marksOf(from.copies), marksOf(to.copies), compareMarks)) {
    if (other === null) continue
    there++
    if (one === null) onlyThere++
    else if (one.startedAt === other.startedAt && one.version < other.version) isLater = true
  }
  if (isLater) return { state: 'later', onlyThere }
  return { state: there === 0 && (await isEmpty(to)) ? 'empty' : 'earlier', onlyThere }
}

async function isEmpty({ copies }: CopySource): Promise<boolean> {
  for (const kind of [...TELLING, 'agent'] as const) {
    const first = await partsOf(copies, kind).next()
    if (first.done !== true) return false
  }
  return true
}
