import { open } from 'node:fs/promises'
import { z } from 'zod'
import { Failure } from '../failure.ts'
import type { ShownRollout } from './rollout-calls.ts'

const BASIS_POINTS = 10_000

/** A share in percent, with two decimals at most, as basis points. */
export const basisPointsOf = (percent: number): number => Math.round((percent / 100) * BASIS_POINTS)

const name = z.string().min(1).max(200)

const declaredSchema = z.strictObject({
  environment: z.enum(['live', 'pre-release']).default('live'),
  deploymentId: name.exactOptional(),
  percent: z
    .number()
    .min(0)
    .max(100)
    .refine(percent => /^\d{1,3}(\.\d{1,2})?$/.test(String(percent)), 'expected two decimals at most'),
  key: z.enum(['visitor', 'conversation']).default('visitor'),
  guards: z.array(name).max(10).readonly().default([]),
  winner: z.enum(['candidate', 'base']).exactOptional(),
})

/** A rollout as a file declares it. */
export type DeclaredRollout = z.output<typeof declaredSchema>

/** The largest file that is read, bytes. */
const MOST_BYTES = 65_536

/**
 * Returns what a file holds, at most a byte more than may be read: it may be one that never ends. Null if it cannot be
 * read.
 */
async function beginningOf(file: string): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(MOST_BYTES + 1)
  const handle = await open(file).catch(() => null)
  if (handle === null) return null
  try {
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = (await handle.read(bytes, length, bytes.length - length, null)).bytesRead
    return bytes.subarray(0, length)
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

/** Reads a file that declares a rollout. @throws Failure for what cannot be read, naming each field */
export async function readDeclaredRollout(file: string): Promise<DeclaredRollout> {
  const bytes = await beginningOf(file)
  if (bytes === null) throw new Failure(`${file} cannot be read.`)
  if (bytes.byteLength > MOST_BYTES) throw new Failure(`${file} has more than ${MOST_BYTES} bytes.`)
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Failure(`${file} is not JSON.`)
  }
  const { data, error } = declaredSchema.safeParse(json)
  if (data !== undefined) return data
  const problems = error.issues.map(({ message, path }) => `${path.join('.') || 'the file'}: ${message}`)
  throw new Failure(`${file} is not a rollout: ${problems.join('; ')}.`)
}

/** The step from the rollouts that there are to the declared one. */
export type RolloutStep =
  | { readonly type: 'start'; readonly deploymentId: string }
  | { readonly type: 'share' | 'nothing'; readonly rollout: ShownRollout }
  | { readonly type: 'end'; readonly rollout: ShownRollout; readonly winner: 'candidate' | 'base' }

/** The step where no rollout runs. One that has ended is not started again. */
function stepFrom(
  { environment, winner }: DeclaredRollout,
  candidateId: string,
  tried: ShownRollout | undefined,
): RolloutStep {
  const won = tried?.end?.winner
  if (tried === undefined || won === undefined) {
    if (winner === undefined) return { type: 'start', deploymentId: candidateId }
    throw new Failure(
      `No rollout of ${candidateId} runs in ${environment}. Leave winner out of the file to start one.`,
    )
  }
  if (winner === won) return { type: 'nothing', rollout: tried }
  throw new Failure(
    `${tried.id} of ${candidateId} has ended, and the ${won} has won. Write "winner": "${won}" into the file, or name another version.`,
  )
}

const sameRules = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join('\n') === [...other].sort().join('\n')

/**
 * Returns the step to what a file declares. Once it is taken, the next one is nothing.
 *
 * @param candidateId the version to try where no rollout runs
 * @param rollouts those of the agent, newest first
 * @throws Failure for what no step leads to
 */
export function stepTo(
  declared: DeclaredRollout,
  candidateId: string,
  rollouts: readonly ShownRollout[],
): RolloutStep {
  const { deploymentId, environment, guards, key, percent, winner } = declared
  const there = rollouts.filter(rollout => rollout.environment === environment)
  const running = there.find(({ end }) => end === null)
  if (running === undefined) {
    const tried = there.find(({ candidate }) => candidate.deploymentId === candidateId)
    return stepFrom(declared, candidateId, tried)
  }
  const { candidate, id } = running
  if (deploymentId !== undefined && deploymentId !== candidate.deploymentId)
    throw new Failure(
      `${id} tries ${candidate.deploymentId} in ${environment}. End it before ${deploymentId} is tried.`,
    )
  if (winner !== undefined) return { type: 'end', rollout: running, winner }
  if (key !== running.key || !sameRules(guards, running.guards))
    throw new Failure(`${id} has the key ${running.key} and other guards. End it first to change them.`)
  const share = running.shares.at(-1)
  const wanted = basisPointsOf(percent)
  if (share?.basisPoints === wanted) return { type: 'nothing', rollout: running }
  const parked = running.guards.find(rule => share?.basisPoints === 0 && rule === share.by)
  if (parked !== undefined)
    throw new Failure(
      `The alert rule ${parked} has taken the share of ${id} away. Give it back with rollout share, or end it.`,
    )
  return { type: 'share', rollout: running }
}
