import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import type { Json } from '../../../domain/json.ts'
import { createPlatform, type PlatformOptions } from '../../../platform.ts'
import type { AgentFunction, FunctionConversation } from '../../../ports/agent-function.ts'
import type { AgentRuntime, RuntimePart } from '../../../ports/agent-runtime.ts'
import { silentLog } from '../../../ports/log.ts'
import { defineFunction } from '../../../usecases/conversation/functions/define-function.ts'
import { createFakeClock } from '../../fake-clock.ts'
import {
  ALL_TASKS,
  ATTRIBUTES,
  GREETING,
  type RuntimeTask,
  type RuntimeUnderTest,
  TASKS,
  TOPICS,
} from './agent.ts'
import { textOf } from './parts.ts'

const REFUSAL = "Sorry, I'm having trouble responding right now. Please try again."
const environment = 'live'

const fn = (execute: (conversation: FunctionConversation) => unknown): AgentFunction =>
  defineFunction({ description: 'One of the contract’s.', parameters: z.looseObject({}), execute })

function printNothing(): never {
  throw new Error('The printer is out of paper.')
}

/** The agent's functions, as a host writes them. */
const FUNCTIONS = {
  note_room: fn(conversation => {
    conversation.setVariable('noted', true)
    return { noted: true }
  }),
  print_bill: fn(printNothing),
  take_deposit: fn(async conversation => {
    if (conversation.externalEvent !== null) {
      conversation.say(`The provider says: ${conversation.externalEvent.text}.`)
      return null
    }
    const eventId = await conversation.expectExternalEvent({ delayResponse: true })
    conversation.setVariable('event_id', eventId)
    conversation.say('The payment page is open.')
    return eventId
  }),
  end_visit: fn(conversation => {
    conversation.say('Goodbye.')
    conversation.end()
    return null
  }),
} satisfies Readonly<Record<string, AgentFunction>>

/** Returns an object that holds itself. */
function endless(): Json {
  const loop: Record<string, Json> = {}
  loop.again = loop
  return loop
}

/** Notes what a runtime yields, turn by turn. */
function noting(runtime: AgentRuntime) {
  const turns: RuntimePart[][] = []
  return {
    turns,
    runtime: {
      async *respond(turn, signal) {
        const parts: RuntimePart[] = []
        turns.push(parts)
        for await (const part of runtime.respond(turn, signal)) {
          parts.push(part)
          yield part
        }
      },
    } satisfies AgentRuntime,
  }
}

async function addAgent(platform: ReturnType<typeof createPlatform>) {
  const account = await platform.access.createAccount({ slug: 'contract', name: 'Contract' })
  const { id } = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: GREETING })
  const branch = await platform.agents.createBranch(id, { branchName: 'contract' })
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(ATTRIBUTES)) {
    values[(await platform.agents.createAttribute(id, branch.id, { name })).id] = value
  }
  const [variant] = await platform.agents.variants(id, branch.id)
  await platform.agents.updateVariant(id, branch.id, variant?.id ?? '', { attributeValues: values })
  for (const topic of TOPICS) {
    await platform.agents.createTopic(id, branch.id, { ...topic, exampleQueries: [...topic.exampleQueries] })
  }
  await platform.agents.merge(id, branch.id)
  await platform.agents.publish(id, { environment })
  const agent = await platform.agents.find(id)
  if (agent === null) throw new Error('The agent that was created is not there.')
  return agent
}

/** Rules RN40 and RN5: a runtime behind the platform, asked through debug chat. */
export function describeOverPlatform(factory: RuntimeUnderTest): void {
  const open = async (options: Partial<PlatformOptions> = {}) => {
    const clock = createFakeClock()
    const noted = noting(await factory.make(ALL_TASKS, clock))
    const errors: string[] = []
    const store = await factory.openStore()
    const platform = createPlatform({
      log: silentLog,
      store,
      runtime: noted.runtime,
      functions: FUNCTIONS,
      clock,
      rateLimits: null,
      onError: error => errors.push(String(error)),
      ...options,
    })
    onTestFinished(() => platform.close())
    const agent = await addAgent(platform)
    const { state, turn } = await platform.debugChat.start(agent, { environment })
    const say = ({ message }: RuntimeTask) =>
      platform.debugChat.send(agent, state.id, { environment, message })
    const turns = () => store.conversations.turns(state.id, 50)
    return { platform, agent, clock, errors, noted, state, greeting: turn, say, turns }
  }

  describe('over the platform', () => {
    it('RN40 the text parts are the reply, in the order in which they came', async () => {
      const { noted, greeting, say } = await open()
      expect(greeting.record.agent_response).toBe(textOf(noted.turns[0] ?? []))
      for (const task of [TASKS.breakfast, TASKS.pets, TASKS.note]) {
        const { turn } = await say(task)
        expect(turn.record.agent_response).toBe(textOf(noted.turns.at(-1) ?? []))
      }
    })

    it('RN40 a function’s event, what it wrote and what it ended stand in the turn', async () => {
      const { say } = await open()
      const noted = await say(TASKS.note)
      expect(noted.turn.details.function_events).toMatchObject([
        { name: 'note_room', result: { noted: true }, error: null },
      ])
      expect(noted.state.variables).toMatchObject({ noted: true })
      const left = await say(TASKS.leave)
      expect(left.ended).toBe(true)
      expect(left.turn.record.agent_response).toBe('Goodbye.')
    })

    it('RN40 a hand-over ends a debug chat and names its destination', async () => {
      const { say } = await open()
      const { turn, ended } = await say(TASKS.person)
      expect({ ended, to: turn.details.handoff_destination }).toEqual({ ended: true, to: 'reception' })
    })

    it('RN40 a delayed reply comes when the external event has come', async () => {
      const { platform, agent, say, state } = await open()
      const { turn, state: waiting } = await say(TASKS.deposit)
      expect(turn.details.delayed).toBe(true)
      const received = await platform.externalEvents.receive({
        accountId: agent.accountId,
        agentId: agent.id,
        location: 'querystring',
        path: 'id',
        query: `id=${String(waiting.variables.event_id)}`,
        headers: {},
        contentType: 'text/plain',
        body: new TextEncoder().encode('paid'),
      })
      expect(received.status).toBe('accepted')
      await platform.idle()
      const read = await platform.debugChat.read(agent, state.id, { environment })
      expect(read.turn?.record.agent_response).toBe('The provider says: paid.')
    })

    it.each<[string, () => unknown]>([
      ['throws', printNothing],
      ['rejects', () => Promise.reject(new Error('No paper.'))],
      ['returns a value that is not JSON', endless],
    ])(
      'RN5 a function that %s is an event with an error; the visitor is answered, also the next time',
      async (_, execute) => {
        const { say } = await open({ functions: { ...FUNCTIONS, print_bill: fn(execute) } })
        const { turn } = await say(TASKS.bill)
        expect(turn.record.agent_response).not.toBe('')
        expect(turn.details.function_events).toMatchObject([
          { name: 'print_bill', error: expect.stringMatching(/./) },
        ])
        expect((await say(TASKS.breakfast)).turn.record.agent_response).toContain('seven to ten')
      },
    )

    it('RN5 a function that hangs is an event with an error when its time is over; the visitor is answered, also the next time', async () => {
      let began = (): void => undefined
      const begun = new Promise<void>(resolve => {
        began = resolve
      })
      const hang = fn(() => {
        began()
        return new Promise<Json>(() => undefined)
      })
      const { say, clock } = await open({
        functions: { ...FUNCTIONS, print_bill: hang },
        functionTimeout: 4_000,
      })
      const asked = say(TASKS.bill)
      await begun
      await clock.advance(4_000)
      const { turn } = await asked
      expect(turn.record.agent_response).not.toBe('')
      expect(turn.details.function_events).toMatchObject([
        { name: 'print_bill', error: expect.stringContaining('4000 ms') },
      ])
      expect((await say(TASKS.pets)).turn.record.agent_response).toContain('Dogs are welcome')
    })

    it('RN5 an answer that is too long fails the turn: stated, told to the host, recorded without an answer, and may be tried again', async () => {
      // Long enough for the greeting and for the answer about pets, too short for that about breakfast.
      const { say, errors, turns } = await open({ limits: { replyLength: 50 } })
      for (const _ of ['first', 'again']) await expect(say(TASKS.breakfast)).rejects.toThrow(REFUSAL)
      expect(errors).toHaveLength(2)
      expect(errors.join()).toContain('50 characters')
      expect((await say(TASKS.pets)).turn.record.agent_response).toContain('Dogs are welcome')
      expect((await turns()).map(({ record }) => [record.user_input, record.agent_response === ''])).toEqual([
        ['', false],
        [TASKS.breakfast.message, true],
        [TASKS.breakfast.message, true],
        [TASKS.pets.message, false],
      ])
    })

    it('RN40 messages that come at once are answered each once, in their order', async () => {
      const { say, turns } = await open()
      const tasks = [TASKS.breakfast, TASKS.pets, TASKS.sign, TASKS.breakfast]
      await Promise.all(tasks.map(say))
      const recorded = (await turns()).slice(1).map(({ record }) => record)
      expect(recorded.map(record => record.user_input)).toEqual(tasks.map(({ message }) => message))
      tasks.forEach((task, at) => {
        const { content = '' } = TOPICS.find(({ name }) => name === task.topic) ?? {}
        expect(recorded[at]?.agent_response).toContain(content)
      })
    })
  })
}
