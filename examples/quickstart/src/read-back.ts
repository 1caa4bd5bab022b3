import { type Api, withKey } from './api.ts'
import { check } from './failure.ts'
import { at, listAt, numberAt, textAt } from './json.ts'
import type { Session } from './open-session.ts'
import type { Options } from './options.ts'
import type { Report } from './report.ts'

const MINUTE = 60_000

/** Reads the conversation's record and the concurrency around it. */
export async function readBack(
  { api, options, report }: { readonly api: Api; readonly options: Options; readonly report: Report },
  agentId: string,
  session: Session,
): Promise<void> {
  const headers = withKey(session.projectKey)
  const conversations = `/v1/${options.account}/${agentId}/conversations`
  const list = await api(`${conversations}?in_progress=false`, { headers, status: 200 })
  const record = listAt(list, 'conversations').find(one => at(one, 'id') === session.sessionId)
  check(at(record, 'handoff') === true, 'The record must say that the agent handed over')
  check(at(record, 'in_progress') === false, 'The record must say that the conversation is over')
  const turns = listAt(record, 'turns')
  check(
    turns.some(turn => textAt(turn, 'agent_response').includes('15 euros')),
    'The record must hold the turns',
  )
  report.step('Read the record', {
    id: at(record, 'id'),
    channel: at(record, 'channel'),
    handoff_destination: at(record, 'handoff_destination'),
    num_turns: at(record, 'num_turns'),
  })

  const start = new Date(Date.parse(textAt(record, 'started_at')) - MINUTE).toISOString()
  const end = new Date(Date.now() + MINUTE).toISOString()
  const series = await api(`${conversations}/concurrency?start_time=${start}&end_time=${end}`, {
    headers,
    status: 200,
  })
  const peaks = listAt(series, 'intervals').map(interval =>
    numberAt(interval, 'max_concurrent_conversations'),
  )
  check(Math.max(...peaks) === 1, `One conversation must show in the concurrency: ${peaks}`)
  report.step('Read the concurrency', at(series, 'intervals'))
}
