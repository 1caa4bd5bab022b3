import type { Random } from '@colloquy/test-support/random'
import type { StormDesk } from './desk.ts'
import type { StormPayments } from './payments.ts'
import type { StormVisitor } from './visitor.ts'

/** How a visitor behaves: talks to the agent, pays, talks and then ends the session, or asks for a person. */
export type Role = 'talks' | 'pays' | 'ends' | 'ends_abruptly' | 'hands_over' | 'is_left'

/** A visitor with what it does in each round, and what it should have got for it. */
export interface Actor {
  readonly role: Role
  readonly visitor: StormVisitor
  /** Does this round's part; resolves when everything that it wants has come. */
  play(round: number): Promise<void>
  /** The last part of all. */
  finish(): Promise<void>
  /** What the agent was asked, and what live agents have said. */
  readonly asked: readonly string[]
  readonly told: readonly string[]
  /** How many results of functions came from outside. */
  readonly reported: number
  readonly handoffId: string | null
}

/** Whom the visitors' sessions deal with. */
export interface StormWorld {
  readonly desk: StormDesk
  readonly payments: StormPayments
}

const QUESTIONS = [
  'What time is breakfast?',
  'Where can I park my car?',
  'Is there a sauna?',
  'Can I bring my dog?',
  'How do I get to the airport?',
] as const

/** Messages that each visitor sends in a round. */
const MESSAGES = 12

export function createActor(
  role: Role,
  visitor: StormVisitor,
  { desk, payments }: StormWorld,
  random: Random,
): Actor {
  const { journal } = visitor
  const asked: string[] = []
  const told: string[] = []
  let joined = false
  let reported = 0
  let handoffId: string | null = null

  const say = (text: string): void => visitor.send('EVENT_TYPE_USER_MESSAGE', text)
  const came = (type: string): Promise<void> =>
    visitor.until(() => visitor.over || journal.events.some(event => event.type === `EVENT_TYPE_${type}`))
  const answered = (): Promise<void> =>
    visitor.until(
      () =>
        visitor.over ||
        journal.replyCount + visitor.failed.length + visitor.failedResults >= asked.length + reported + 1,
    )
  const ask = (text: string): void => {
    asked.push(text)
    say(text)
  }
  const askSome = (): void => {
    for (let count = 1 + random.below(3); count > 0; count -= 1)
      ask(`${random.pick(QUESTIONS)} (${asked.length})`)
  }
  const join = async (): Promise<void> => {
    joined = true
    visitor.send('EVENT_TYPE_REQUEST_AI_AGENT_JOIN')
    await answered()
  }
  const talk = async (): Promise<void> => {
    const before = asked.length
    while (asked.length < before + MESSAGES) {
      askSome()
      await answered()
    }
  }
  const pay = async (): Promise<void> => {
    do {
      ask('I want to pay the deposit')
      await answered()
    } while (
      visitor.failed.includes(visitor.sent.at(-1) ?? { id: '', type: '', text: null }) ||
      !(await payments.report(visitor.sessionId))
    )
    reported += 1
    await answered()
  }
  const askForPerson = async (): Promise<void> => {
    ask('I want to speak to a person')
    await came('HANDOFF_ACCEPTED')
    say('I am in the queue')
    say('Is anybody there?')
  }
  const talkToPerson = async (round: number): Promise<void> => {
    handoffId ??= await desk.accept(visitor.sessionId)
    await came('LIVE_AGENT_JOINED')
    for (let count = 0; count < 3; count += 1) {
      say(`Visitor, round ${round}, message ${count}`)
      const text = `Live agent, round ${round}, message ${count}`
      told.push(text)
      await desk.say(handoffId, text)
      await visitor.until(() => journal.events.some(({ payload }) => payload.text === text))
    }
  }
  const allEchoed = (): Promise<void> =>
    visitor.until(() => {
      const echoed = new Set(journal.events.map(event => event.metadata?.custom.client_event_id))
      return visitor.sent.every(({ id }) => echoed.has(id))
    })

  return {
    role,
    visitor,
    asked,
    told,
    get reported() {
      return reported
    },
    get handoffId() {
      return handoffId
    },
    async play(round) {
      if (!joined) await join()
      if (role === 'pays' && reported === 0) await pay()
      if (role !== 'hands_over' && role !== 'is_left') return talk()
      if (round > 0) return talkToPerson(round)
      askSome()
      await answered()
      await askForPerson()
    },
    async finish() {
      if (role === 'ends_abruptly') askSome()
      if (role === 'ends' || role === 'ends_abruptly') visitor.send('EVENT_TYPE_USER_END_SESSION')
      if (role === 'is_left' && handoffId !== null) await desk.leave(handoffId)
      if (role === 'talks' || role === 'pays' || role === 'hands_over') return allEchoed()
      await visitor.until(() => visitor.over)
    },
  }
}
