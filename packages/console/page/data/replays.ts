import { askConsole, sendConsole } from '../api.ts'
import type { Environment } from '../environments.ts'

/** Verdicts on turns, the gravest first. */
export const VERDICTS = [
  'worse',
  'errored',
  'changed',
  'off_script',
  'not_replayable',
  'better',
  'reworded',
  'same',
] as const

/** Verdict on a turn. */
export type Verdict = (typeof VERDICTS)[number]

/** Turns with the same result. */
export interface Group {
  readonly verdict: Verdict
  readonly reason: string
  /** The topic then and now; empty for none. */
  readonly from: string
  readonly to: string
  readonly turns: number
  readonly accepted: { readonly why: string; readonly by: string; readonly at: string } | null
}

/** A replay with its results so far. */
export interface Replay {
  readonly id: string
  readonly status: 'running' | 'finished' | 'errored'
  readonly error: string | null
  readonly selection: { readonly last: number; readonly environment: Environment }
  readonly conversations: number
  readonly replayed: number
  readonly startedAt: string
  readonly verdicts: Readonly<Record<Verdict, number>>
  readonly groups: readonly Group[]
}

/** A turn beside the recorded one. */
export interface Turn {
  readonly conversationId: string
  readonly turn: number
  readonly reply: string
  readonly recorded: { readonly userInput: string; readonly reply: string } | null
}

const pathOf = (agentId: string, rest = ''): string =>
  `/console/v1/agents/${encodeURIComponent(agentId)}/replays${rest}`

/** Returns the newest replay with a deployment; null if there is none. */
export async function newestReplay(
  agentId: string,
  deploymentId: string,
  abort: AbortSignal,
): Promise<Replay | null> {
  const query = new URLSearchParams({ deploymentId, limit: '1' })
  const { replays } = (await askConsole(pathOf(agentId, `?${query}`), abort)) as {
    readonly replays: readonly Pick<Replay, 'id'>[]
  }
  const [newest] = replays
  if (newest === undefined) return null
  return (await askConsole(pathOf(agentId, `/${newest.id}`), abort)) as Replay
}

/** Some turns of a group. */
export async function turnsOf(
  agentId: string,
  replayId: string,
  group: Pick<Group, 'verdict' | 'reason' | 'from' | 'to'>,
  limit: number,
  abort: AbortSignal,
): Promise<readonly Turn[]> {
  const { verdict, reason, from, to } = group
  const query = new URLSearchParams({ verdict, reason, from, to, limit: String(limit) })
  const path = pathOf(agentId, `/${replayId}/turns?${query}`)
  return ((await askConsole(path, abort)) as { readonly turns: readonly Turn[] }).turns
}

const never = (): AbortSignal => new AbortController().signal

/** Replays conversations with a deployment. */
export const startReplay = (
  agentId: string,
  body: { readonly deploymentId: string; readonly environment: Environment; readonly last: number },
): Promise<unknown> => sendConsole(pathOf(agentId), body, never())

/** Notes why a group is as it should be. */
export const acceptGroup = (
  agentId: string,
  replayId: string,
  { verdict, reason, from, to }: Pick<Group, 'verdict' | 'reason' | 'from' | 'to'>,
  why: string,
): Promise<unknown> =>
  sendConsole(pathOf(agentId, `/${replayId}/accept`), { verdict, reason, from, to, why }, never())
