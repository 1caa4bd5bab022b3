import type { ComparedContent, CopyCounts } from '@colloquy/core'
import type { ByteKind } from '../bytes/stored-bytes.ts'

/** Parts of a store, and the bytes that belong to it. */
type ShownPart = CopyCounts['part'] | ByteKind

/** Counts of a part while it is copied. */
export type ShownCounts = Omit<CopyCounts, 'part'> & { readonly part: ShownPart }

/** A part of both sides. */
export type ShownContent = Omit<ComparedContent, 'part'> & { readonly part: ShownPart }

/** Shortest interval between two lines of progress, milliseconds. */
const BETWEEN_LINES = 2_000

/** Parts as they are called. */
export const PART_NAMES: Readonly<Record<ShownPart, string>> = {
  secret: 'secrets',
  token_key: 'token keys',
  account: 'accounts',
  api_key: 'API keys',
  connector: 'connectors',
  agent: 'agents',
  deleted_agent: 'deleted agents',
  branch: 'branches',
  branch_change: 'changes of branches',
  revision: 'revisions',
  resource: 'resources',
  deployment: 'deployments',
  rollout: 'rollouts',
  real_time_config: 'real-time configs',
  test_run: 'test runs',
  replay_sample: 'samples of replays',
  test_result: 'test results',
  phone_number: 'phone numbers',
  pooled_number: 'numbers of pools',
  voice: 'voices',
  cached_audio: 'entries of the audio cache',
  cached_sound: 'cached sounds',
  cached_bytes: 'counts of cached bytes',
  conversation: 'conversations',
  audit_entry: 'audit log entries',
  webhook_endpoint: 'webhook endpoints',
  webhook_event: 'webhook events',
  webhook_delivery: 'webhook deliveries',
  alert_rule: 'alert rules',
  alert_turn: 'turns of alert rules',
  counter: 'counters',
  text_pair: 'pairs of numbers',
  outbound_call: 'outbound calls',
  conversation_note: 'notes about conversations',
  handoff_summary: 'summaries for live agents',
  conversation_file: 'files of conversations',
  call_recording: 'recordings of calls',
  file_removal: 'files to remove',
  file_bytes: 'bytes of files',
  recording_bytes: 'bytes of recordings',
  shared_reply: 'shared replies',
  queue_assignment: 'assignments of queues',
  desk_outcome: 'figures of desks',
  desk_queue: 'hours of queues',
  saved_view: 'saved views',
}

const counted = (count: number): string => count.toLocaleString('en')

const lineOf = ({ part, same, copied, dropped }: ShownCounts): string =>
  [
    `${PART_NAMES[part]}: ${counted(copied)} copied`,
    ...(same > 0 ? [`${counted(same)} were the same`] : []),
    ...(dropped > 0 ? [`${counted(dropped)} removed`] : []),
  ].join(', ')

/** Prints the progress of a copy: each kind of part when it is done, and from time to time before. */
export function createProgress(say: (line: string) => void, now: () => number = () => performance.now()) {
  let last: ShownCounts | null = null
  let saidAt = now()
  const end = (): void => {
    if (last !== null && last.same + last.copied + last.dropped > 0) say(lineOf(last))
    last = null
  }
  return {
    onProgress(counts: ShownCounts): void {
      if (last !== null && last.part !== counts.part) end()
      last = counts
      if (now() - saidAt < BETWEEN_LINES) return
      saidAt = now()
      say(`${lineOf(counts)} so far`)
    },
    /** Prints the last kind as well. */
    end,
  }
}

/** Digits of a hash that a table shows; JSON has all of them. */
const SHOWN = 12

const isEqual = ({ one, other }: ShownContent): boolean =>
  one.count === other.count && one.hash === other.hash

/** Returns the kinds of parts that are not the same. */
export const differences = (compared: readonly ShownContent[]): readonly ShownContent[] =>
  compared.filter(one => !isEqual(one))

/** Returns a comparison as the rows of a table. */
export const comparisonRows = (compared: readonly ShownContent[]) =>
  compared.map(one => ({
    what: PART_NAMES[one.part],
    from: one.one.count,
    to: one.other.count,
    'hash of from': one.one.hash.slice(0, SHOWN),
    'hash of to': one.other.hash.slice(0, SHOWN),
    equal: isEqual(one) ? 'yes' : 'NO',
  }))

/** Returns a comparison as JSON. */
export const comparisonJson = (compared: readonly ShownContent[]) => ({
  equal: differences(compared).length === 0,
  parts: compared.map(one => ({ part: one.part, equal: isEqual(one), from: one.one, to: one.other })),
})
