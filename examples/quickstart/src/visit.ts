import type { Api } from '@colloquy/client/http'
import { GREETING } from './build-agent.ts'
import { answerAtDesk, type Desk } from './desk.ts'
import { check } from './failure.ts'
import type { Session } from './open-session.ts'
import type { Options } from './options.ts'
import type { Report } from './report.ts'
import { connectVisitor, type Visitor } from './visitor.ts'

/** Sends a message and returns the agent's answer. */
async function ask(visitor: Visitor, report: Report, text: string): Promise<string> {
  visitor.say(text)
  check((await visitor.next('USER_MESSAGE')).payload.text === text, 'The message must come back')
  const { text: answer } = (await visitor.next('AI_AGENT_MESSAGE')).payload
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
  const messages = journal.flatMap(({ payload }) => ('messageId' in payload ? [payload.messageId] : []))
  check(new Set(messages).size === messages.length, 'No message may come twice')
}

async function join(visitor: Visitor, report: Report): Promise<void> {
  await visitor.next('SESSION_START')
  visitor.join()
  await visitor.next('AI_AGENT_JOINED')
  const { text: greeting } = (await visitor.next('AI_AGENT_MESSAGE')).payload
  check(greeting === GREETING, 'The agent must begin with its greeting')
  report.step('The agent joins and greets', { text: greeting })
}

async function talkToPerson(visitor: Visitor, desk: Desk, report: Report): Promise<void> {
  visitor.say('I want to speak to a person')
  await visitor.next('AI_AGENT_TRIGGERED_HANDOFF')
  await visitor.next('AI_AGENT_LEFT')
  const accepted = await visitor.next('HANDOFF_ACCEPTED')
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
  const visitor = connectVisitor({ url: options.url, brand: options.brand, sessionId, accessToken, onStatus })
  try {
    await join(visitor, report)
    const price = await ask(visitor, report, 'How much is it to fix a flat tyre?')
    check(price.includes('15 euros'), 'The first answer must come from the topic on repairs')
    await paused()
    const hours = await ask(visitor, report, 'Are you open on Sunday?')
    check(hours.includes('closed'), 'The second answer must come from the topic on opening hours')
    await talkToPerson(visitor, { api, sessionId }, report)
    check((await visitor.ended()) === 'finished', 'The session must have ended')
    checkJournal(visitor)
    report.step('Check what the visitor received', { events: visitor.journal.length, missing: 0, doubled: 0 })
  } finally {
    visitor.stop()
  }
}
