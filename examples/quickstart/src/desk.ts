import { type Api, withKey } from './api.ts'
import { check, Failure } from './failure.ts'
import { at, listAt, textAt } from './json.ts'
import type { Report } from './report.ts'
import type { Visitor } from './visitor.ts'

/** A live agent's access to the desk. */
export interface Desk {
  readonly api: Api
  readonly key: string
  /** The visitor's session. */
  readonly sessionId: string
}

async function findHandoff({ api, key, sessionId }: Desk): Promise<string> {
  const waiting = await api('/desk/v1/handoffs?status=waiting', { headers: withKey(key), status: 200 })
  const handoff = listAt(waiting, 'handoffs').find(one => at(one, 'session_id') === sessionId)
  if (handoff === undefined) throw new Failure('The desk must list the visitor who waits')
  return `/desk/v1/handoffs/${textAt(handoff, 'handoff_id')}`
}

/** A live agent takes the visitor, answers, and leaves. */
export async function answerAtDesk(visitor: Visitor, desk: Desk, report: Report): Promise<void> {
  const headers = withKey(desk.key)
  const handoff = await findHandoff(desk)
  const post = (path: string, status: number, body?: unknown) =>
    desk.api(`${handoff}/${path}`, {
      method: 'POST',
      headers,
      status,
      ...(body === undefined ? {} : { body }),
    })

  await post('accept', 200, { agent: { id: 'sam', name: 'Sam' } })
  const joined = await visitor.next('EVENT_TYPE_LIVE_AGENT_JOINED')
  check(textAt(joined.payload, 'agent.name') === 'Sam', 'The visitor must learn who joined')
  report.step('A live agent takes the visitor', joined.payload)

  await post('messages', 201, { text: 'Sam here. What is wrong with it?' })
  const said = await visitor.next('EVENT_TYPE_LIVE_AGENT_MESSAGE')
  report.step('The live agent writes', { text: textAt(said.payload, 'text') })

  const answer = 'The chain jumps.'
  visitor.send('EVENT_TYPE_USER_MESSAGE', { text: answer })
  await visitor.next('EVENT_TYPE_USER_MESSAGE')
  const { transcript } = {
    transcript: listAt(await desk.api(handoff, { headers, status: 200 }), 'transcript'),
  }
  check(
    transcript.some(line => at(line, 'text') === answer),
    'What the visitor says must reach the live agent',
  )
  report.step('The visitor answers; the desk shows the transcript', { lines: transcript.length })

  await post('leave', 204)
  await visitor.next('EVENT_TYPE_LIVE_AGENT_LEFT')
  const end = await visitor.next('EVENT_TYPE_SESSION_END')
  check(textAt(end.payload, 'reason') === 'REASON_NATURAL_END', 'The session must end naturally')
  report.step('The live agent leaves: the session ends', end.payload)
}
