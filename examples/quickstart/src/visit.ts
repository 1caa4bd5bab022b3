import type { Api } from './api.ts'
import { GREETING } from './build-agent.ts'
import { answerAtDesk, type Desk } from './desk.ts'
import { check } from './failure.ts'
import { textAt } from './json.ts'
import type { Session } from './open-session.ts'
import type { Options } from './options.ts'
import type { Report } from './report.ts'
import { connectVisitor, type Visitor } from './visitor.ts'

/** Sends a message and returns the agent's answer. */
async function ask(visitor: Visitor, report: Report, text: string): Promise<string> {
  visitor.send('EVENT_TYPE_USER_MESSAGE', { text })
  textAt((await visitor.next('EVENT_TYPE_USER_MESSAGE')).payload, 'message_id')
  const answer = textAt((await visitor.next('EVENT_TYPE_AI_AGENT_MESSAGE')).payload, 'text')
  report.step(`Ask “${text}”`, { text: answer })
  return answer
}

/** The sequences of the journal must be 1, 2, 3 …, and no message may stand in it twice. */
function checkJournal({ journal }: Visitor): void {
  const sequences = journal.map(event => event.sequence)
  check(
    sequences.every((sequence, index) => sequence === index + 1),
    `The sequences must have no gap: ${sequences}`,
  )
  const messages = journal.flatMap(({ type, payload }) =>
    type.endsWith('_MESSAGE') ? [textAt(payload, 'message_id')] : [],
  )
  check(new Set(messages).size === messages.length, 'No message may come twice')
}

async function join(visitor: Visitor, report: Report): Promise<void> {
  await visitor.next('EVENT_TYPE_SESSION_START')
  visitor.send('EVENT_TYPE_REQUEST_AI_AGENT_JOIN')
  await visitor.next('EVENT_TYPE_AI_AGENT_JOINED')
  const greeting = textAt((await visitor.next('EVENT_TYPE_AI_AGENT_MESSAGE')).payload, 'text')
  check(greeting === GREETING, 'The agent must begin with its greeting')
  report.step('The agent joins and greets', { text: greeting })
}

async function talkToPerson(visitor: Visitor, desk: Desk, report: Report): Promise<void> {
  visitor.send('EVENT_TYPE_USER_MESSAGE', { text: 'I want to speak to a person' })
  await visitor.next('EVENT_TYPE_AI_AGENT_TRIGGERED_HANDOFF')
  await visitor.next('EVENT_TYPE_AI_AGENT_LEFT')
  const accepted = await visitor.next('EVENT_TYPE_HANDOFF_ACCEPTED')
  report.step('Ask for a person: the agent hands over', accepted.payload)
  await answerAtDesk(visitor, desk, report)
}

/** Holds a visitor's conversation from the greeting to its end. @param paused waits before the second question */
export async function visit(
  { api, options, report }: { readonly api: Api; readonly options: Options; readonly report: Report },
  session: Session,
  paused: () => Promise<void>,
): Promise<void> {
  const { sessionId, accessToken } = session
  const onStatus = (status: string): void => report.note(`visitor: ${status}`)
  const visitor = connectVisitor({ url: options.url, sessionId, accessToken, onStatus })
  try {
    await join(visitor, report)
    const price = await ask(visitor, report, 'How much is it to fix a flat tyre?')
    check(price.includes('15 euros'), 'The first answer must come from the topic on repairs')
    await paused()
    const hours = await ask(visitor, report, 'Are you open on Sunday?')
    check(hours.includes('closed'), 'The second answer must come from the topic on opening hours')
    await talkToPerson(visitor, { api, key: options.deskKey, sessionId }, report)
    check((await visitor.closed) === 1000, 'The socket must be closed with 1000 when the session has ended')
    checkJournal(visitor)
    report.step('Check what the visitor received', { events: visitor.journal.length, missing: 0, doubled: 0 })
  } finally {
    visitor.stop()
  }
}
