import {
  applyChanges,
  type ContentTree,
  contentHash,
  parseResource,
  RESOURCE_SCHEMAS,
  type ResourceChange,
  resourceKey,
} from '@colloquy/core/domain'
import { z } from 'zod'
import { LOCK_FILE } from './layout.ts'
import { jsonText } from './render.ts'
import { isProblem, jsonSource, type Problem } from './source.ts'
import { markerLine } from './text.ts'

const kinds = z.enum(['behavior', 'response_settings', 'topics', 'attributes', 'variants', 'test_cases'])

const lockSchema = z.strictObject({
  format: z.literal(1),
  agentId: z.string().min(1),
  branchId: z.string().min(1),
  branchVersion: z.int().min(1),
  revision: z.int().min(1),
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  changes: z.array(z.strictObject({ kind: kinds, id: z.string(), value: z.json() })),
})

/**
 * The state that a folder was pulled from: a revision of main, which never changes, and the branch's changes since
 * then. Together with the store, it restores the content as it was pulled: the base of the next comparison.
 */
export interface Lock {
  readonly agentId: string
  readonly branchId: string
  readonly branchVersion: number
  readonly revision: number
  /** Hash of the content as it was pulled. */
  readonly contentHash: string
  readonly changes: readonly ResourceChange[]
}

/** Returns the text of the lock file. */
export function lockText(lock: Lock): string {
  const changes = [...lock.changes].sort((a, b) => (resourceKey(a) < resourceKey(b) ? -1 : 1))
  return jsonText({
    format: 1,
    ...lock,
    changes: changes.map(({ kind, id, value }) => ({ kind, id, value })),
  })
}

/** Reads the lock file. */
export function parseLock(text: string): Lock | Problem {
  const file = LOCK_FILE
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n')
  const line = markerLine(plain)
  if (line !== null) {
    const message =
      'This is a conflict of git; keep the side with the smaller branchVersion, without the markers.'
    return { file, line, message }
  }
  const source = jsonSource(file, plain)
  if (isProblem(source)) return source
  const parsed = lockSchema.safeParse(source.value)
  const [issue] = parsed.error?.issues ?? []
  if (!parsed.success)
    return {
      file,
      line: source.lineOf(issue?.path ?? []),
      message: `${issue?.message ?? 'It is not valid'}.`,
    }
  const { format: _, changes, ...lock } = parsed.data
  const read: ResourceChange[] = []
  for (const [at, { kind, id, value }] of changes.entries()) {
    if (value === null) read.push({ kind, id, value })
    else if (RESOURCE_SCHEMAS[kind].safeParse(value).success) read.push(parseResource(kind, id, value))
    else
      return { file, line: source.lineOf(['changes', at]), message: `This is not a valid value of ${kind}.` }
  }
  return { ...lock, changes: read }
}

/** Returns the content as it was pulled; null if the revision is not the one that it was. */
export function baseOf(lock: Lock, revision: ContentTree): ContentTree | null {
  const tree = applyChanges(revision, lock.changes)
  return contentHash(tree) === lock.contentHash ? tree : null
}
