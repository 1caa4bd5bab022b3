import type { Api } from '@colloquy/client/http'
import { check, Failure } from './failure.ts'
import type { Report } from './report.ts'
import type { Visitor } from './visitor.ts'

/** A live agent's view of the platform. */
export interface Desk {
  readonly api: Api
  /** The visitor's session. */
  readonly sessionId: string
}

async function findHandoff({ api, sessionId }: Desk): Promise<string> {
  const { handoffs } = await api.listHandoffs({ status: 'waiting' })
  const handoff = handoffs.find(({ session_id }) => session_id === sessionId)
  if (handoff === undefined) throw new Failure('The desk must list the visitor who waits')
  return handoff.handoff_id
}

/** A live agent takes the visitor, answers, and leaves. */
export async function answerAtDesk(visitor: Visitor, desk: Desk, report: Report): Promise<void> {
  const { api } = desk
  const id = await findHandoff(desk)

  await api.acceptHandoff({ id, body: { agent: { id: 'sam', name: 'Sam' } } })
  const joined = await visitor.next('LIVE_AGENT_JOINED')
  check(joined.payload.name === 'Sam', 'The visitor must learn who joined')
  report.step('A live agent takes the visitor', joined.payload)

  await api.sendHandoffMessage({ id, body: { text: 'Sam here. What is wrong with it?' } })
  const said = await visitor.next('LIVE_AGENT_MESSAGE')
  report.step('The live agent writes', { text: said.payload.text })

  const answer = 'The chain jumps.'
  visitor.say(answer)
  await visitor.next('USER_MESSAGE')
  const { transcript } = await api.readHandoff({ id })
  check(
    transcript.some(({ text }) => text === answer),
    'What the visitor says must reach the live agent',
  )
  report.step('The visitor answers; the desk shows the transcript', { lines: transcript.length })

  await api.leaveHandoff({ id })
  await visitor.next('LIVE_AGENT_LEFT')
  const end = await visitor.next('SESSION_END')
  check(end.payload.reason === 'REASON_NATURAL_END', 'The session must end naturally')
  report.step('The live agent leaves: the session ends', end.payload)
}
