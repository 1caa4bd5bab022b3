import { createApi } from '@colloquy/client/http'
import { check } from './failure.ts'
import type { Session } from './open-session.ts'
import type { Options } from './options.ts'
import type { Report } from './report.ts'

const MINUTE = 60_000

/** Reads the conversation's record and the concurrency around it. */
export async function readBack(
  options: Options,
  report: Report,
  agentId: string,
  session: Session,
): Promise<void> {
  const api = createApi({ server: options.url, credentials: { projectKey: session.projectKey } })
  const place = { account_id: options.account, project_id: agentId }
  const { conversations } = await api.listConversationsV1({ ...place, in_progress: false })
  const record = conversations.find(({ id }) => id === session.sessionId)
  check(record !== undefined, 'The conversation must have a record')
  check(record.handoff === true, 'The record must say that the agent handed over')
  check(record.in_progress === false, 'The record must say that the conversation is over')
  const { channel, handoff_destination, id, num_turns, started_at, turns } = record
  check(
    turns.some(turn => turn.agent_response?.includes('15 euros')),
    'The record must hold the turns',
  )
  report.step('Read the record', { id, channel, handoff_destination, num_turns })

  const { intervals } = await api.readConcurrency({
    ...place,
    start_time: new Date(Date.parse(started_at) - MINUTE).toISOString(),
    end_time: new Date(Date.now() + MINUTE).toISOString(),
  })
  const peaks = intervals.map(interval => interval.max_concurrent_conversations)
  // A client that found its server away may have made another session, to see whether its own was gone.
  check(Math.max(...peaks) >= 1, `The conversation must show in the concurrency: ${peaks}`)
  report.step('Read the concurrency', intervals)
}
