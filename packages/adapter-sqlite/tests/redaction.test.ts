import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import {
  createPatternRedactor,
  createPlatform,
  defineFunction,
  type PlatformOptions,
  REPLAY_MODES,
  type Redactor,
} from '@colloquy/core'
import {
  aNewEndpoint,
  createFakeClock,
  createScriptedRuntime,
  type Script,
  START,
} from '@colloquy/core/testing'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { createSqliteStore } from '../src/index.ts'
import { temporaryFile } from './files.ts'

const CARD = '4111 1111 1111 1111'
const SAID = `Charge ${CARD}, and write to ann@mail.example`

/** It says again what it was asked. */
const ECHO: Script = { greeting: 'Welcome.', otherwise: ({ input }) => JSON.stringify(input) }

/** A platform over a file. */
async function begin(redactor: Redactor, options: Partial<PlatformOptions> = {}, script = ECHO) {
  const clock = createFakeClock(START)
  const filename = temporaryFile()
  const errors: unknown[] = []
  const lines: unknown[] = []
  const write = (...given: readonly unknown[]): void => void lines.push(given)
  const runtime = createScriptedRuntime(script, clock)
  const platform = createPlatform({
    store: createSqliteStore({ filename }),
    ...{ clock, runtime, redactor, rateLimits: null },
    onError: error => errors.push(error),
    log: { debug: write, info: write, warn: write, error: write },
    telemetry: {
      begin(operation) {
        write('span', operation)
        return { set: write, within: work => work(), end: write }
      },
      measure: write,
    },
    ...options,
  })
  let isClosed = false
  const close = async (): Promise<void> => {
    if (!isClosed) await platform.close()
    isClosed = true
  }
  onTestFinished(close)
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  const redacted: unknown[] = []
  platform.on('words.redacted', ({ found }) => redacted.push(found))
  const say = async (text: string): Promise<void> => {
    await visitor.say(text)
    await clock.settle()
  }
  return { clock, close, errors, filename, lines, platform, redacted, runtime, say, visitor }
}

/** All bytes of the files of a store, as text. */
const bytesOf = (filename: string): string =>
  readdirSync(dirname(filename))
    .map(name => join(dirname(filename), name))
    .filter(existsSync)
    .map(file => readFileSync(file).toString('latin1'))
    .join('')

describe('words of visitors', () => {
  test('RD1 nothing of a card and an address is in the store, the runtime, frames, webhooks, events, spans or lines', async () => {
    const bench = await begin(createPatternRedactor())
    const { accountId, agentId } = bench.visitor
    await bench.platform.webhooks.createEndpoint(accountId, aNewEndpoint())
    await bench.say(SAID)
    const call = { agentId, conversationId: 'CALL-1' }
    const where = { accountId, environment: 'live', channel: 'VOICE-SIP' } as const
    await bench.platform.conversations.start({ ...call, ...where })
    await bench.platform.conversations.recordTurn({
      ...{
        ...call,
        turnId: 'T-1',
        userInput: SAID,
        userInputAt: bench.clock.now(),
        translatedUserInput: SAID,
        userInputDtmf: CARD.replaceAll(' ', ''),
      },
    })
    await bench.platform.conversations.finish(call)
    const { connector } = await bench.platform.access.createConnector({
      ...{ accountId, agentId, environment: 'live', hosts: ['example.com'] },
    })
    const { conversationId } = await bench.platform.chat.create(connector, {})
    const answer = bench.platform.chat.respond(connector, { conversationId, message: SAID })
    await bench.clock.settle()
    expect((await answer).response).toContain('Charge [card], and write to [email]')
    await bench.visitor.end()
    await bench.clock.settle()
    expect(bench.visitor.texts('USER_MESSAGE')).toContain('Charge [card], and write to [email]')
    expect(bench.redacted).toContainEqual({ card: 1, email: 1 })
    await bench.close()
    const all = [
      bytesOf(bench.filename),
      bench.visitor.frames,
      bench.lines,
      bench.runtime.turns,
      bench.redacted,
    ]
    const text = all.map(one => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
    expect(text).toContain('[card]')
    expect(text).toContain('span')
    for (const secret of [CARD, CARD.replaceAll(' ', ''), '1111 1111', 'ann@mail', 'mail.example'])
      expect(text).not.toContain(secret)
  })

  test.each(REPLAY_MODES)(
    'RD1 and RD3 with %s a replay brings back nothing that was taken out or withheld',
    async mode => {
      const patterns = createPatternRedactor()
      const redactor: Redactor = {
        redact(text, ...about) {
          if (text.includes('hush-hush')) throw new Error(text)
          return patterns.redact(text, ...about)
        },
      }
      const note = defineFunction({
        description: 'Keeps what was said.',
        parameters: z.object({ said: z.string() }),
        execute(conversation, { said }) {
          conversation.setVariable('said', said)
          return said
        },
      })
      const sent: string[] = []
      const seen: unknown[] = []
      const script: Script = {
        greeting: 'Welcome.',
        async otherwise(turn) {
          const { input, kind, variables } = turn
          seen.push([kind, input, variables, await turn.history(9)])
          const said = input.type === 'message' ? input.text : ''
          const { result } = await turn.callFunction('note', { said })
          return `${kind} ${String(result)} after ${String(variables.said)}`
        },
      }
      const bench = await begin(
        redactor,
        {
          functions: { note },
          replayJudge: {
            version: '1',
            compare: ({ before, now, said }) => ({
              ...{ verdict: 'worse', reason: [said, before.reply, now.reply].join() },
            }),
          },
          webhookSender: {
            objection: () => null,
            async send({ body }) {
              sent.push(body)
              const answer = { contentType: '', bytes: 0, text: '', isCut: false }
              return { type: 'answered', status: 200, body: answer }
            },
          },
        },
        script,
      )
      const { agents, webhooks } = bench.platform
      const { accountId, agentId } = bench.visitor
      await webhooks.createEndpoint(accountId, aNewEndpoint())
      for (const text of [SAID, 'This is hush-hush', SAID]) await bench.say(text)
      await bench.visitor.end()
      await bench.clock.settle()
      const [live] = await agents.deployments(agentId, 'live', 1)
      const { id } = await agents.startReplay(agentId, { deploymentId: live?.id ?? '', mode })
      await bench.platform.idle()
      await bench.clock.advance(1_000)
      const report = await agents.replay(agentId, id)
      const { turns } = await agents.replayTurns(agentId, id)
      // It is replayed whole, and all that it says of a turn is what was left of it.
      expect(report).toMatchObject({ status: 'finished', verdicts: { same: 1, worse: 3 } })
      const left = 'Charge [card], and write to [email]'
      const replies = turns.filter(({ turn }) => turn > 0).map(({ reply }) => reply)
      expect(replies).toEqual([
        `test ${left} after undefined`,
        `test [withheld] after ${left}`,
        `test ${left} after [withheld]`,
      ])
      expect(sent.map(body => JSON.parse(body).type)).toContain('replay.finished')
      await bench.close()
      const all = [report, turns, sent, seen, bench.runtime.turns, bench.lines, bench.errors.map(String)]
      const text = `${JSON.stringify(all)} ${bytesOf(bench.filename)}`
      for (const secret of [
        CARD,
        CARD.replaceAll(' ', ''),
        '1111 1111',
        'ann@mail',
        'mail.example',
        'hush-hush',
      ])
        expect(text).not.toContain(secret)
    },
  )

  test.each(REPLAY_MODES)(
    'RD5 what functions gave is not in the recording, and with %s its replay is the same, also where the agent said it',
    async mode => {
      const [iban, phone] = ['de89 3704 0044 0532 0130 00', '+49 30 1234567']
      const find = defineFunction({
        description: 'Finds an account.',
        parameters: z.object({ name: z.string() }),
        execute: () => ({ iban, cards: [{ number: 4_111_111_111_111_111 }], places: 3, since: 2_019 }),
      })
      const charge = defineFunction({
        description: 'Charges an account.',
        parameters: z.object({ iban: z.string(), times: z.number() }),
        execute(_, { times }) {
          if (times > 1) throw new Error(`Call ${phone} first.`)
          return `Charged, see ${phone}`
        },
      })
      const heard: unknown[] = []
      const script: Script = {
        greeting: 'Welcome.',
        async otherwise({ callFunction, input }) {
          const said = input.type === 'message' ? input.text : ''
          const { result } = await callFunction('find', { name: 'Ann' })
          const account = z.object({ iban: z.string() }).loose().parse(result)
          heard.push(account)
          const charged = [
            await callFunction('charge', { iban: account.iban, times: 1 }),
            await callFunction('charge', { iban: account.iban, times: 2 }),
          ]
          return said === 'Tell me.' ? `${account.iban}: ${charged[0]?.result}` : 'It is done.'
        },
      }
      const bench = await begin(createPatternRedactor(), { functions: { find, charge } }, script)
      const { agents, reading } = bench.platform
      const { accountId, agentId } = bench.visitor
      await bench.say('Charge it.')
      const details: unknown[] = []
      for await (const turns of reading.turns(accountId, agentId, bench.visitor.id))
        details.push(...turns.map(turn => turn.details.value))
      const kept = JSON.stringify(details)
      // The agent has what the functions gave.
      expect(JSON.stringify(heard)).toContain(`"iban":"${iban}","cards":[{"number":4111111111111111}]`)
      for (const part of ['"iban":"[iban]"', '"number":"[card]"', '"places":3', '"since":2019'])
        expect(kept).toContain(part)
      expect(kept).toContain('Charged, see [phone]')
      expect(kept).toContain('Call [phone] first.')
      for (const secret of [iban, phone, '4111111111111111']) {
        expect(kept).not.toContain(secret)
        expect(bytesOf(bench.filename)).not.toContain(secret)
      }
      expect(bench.redacted).toContainEqual({ iban: 1, card: 1, phone: 2 })
      await bench.say('Tell me.')
      await bench.visitor.end()
      await bench.clock.settle()
      const [live] = await agents.deployments(agentId, 'live', 1)
      const { id } = await agents.startReplay(agentId, { deploymentId: live?.id ?? '', mode })
      await bench.platform.idle()
      await bench.clock.advance(1_000)
      expect(await agents.replay(agentId, id)).toMatchObject({
        ...{ status: 'finished', noise: { different: 0 }, verdicts: { same: 3, changed: 0, reworded: 0 } },
      })
    },
  )

  test('RD5 texts of functions that a redactor joins, or does not read, are withheld, and the replay is not the same', async () => {
    const find = defineFunction({
      description: 'Finds an account.',
      parameters: z.object({ name: z.string() }),
      execute: () => ({ street: 'hush-hush', town: 'hush-hush too' }),
    })
    const script: Script = {
      greeting: 'Welcome.',
      async otherwise({ callFunction }) {
        const { result } = await callFunction('find', { name: 'Ann' })
        return z.object({ town: z.string() }).loose().parse(result).town.slice(-3)
      },
    }
    let joins = true
    const redactor: Redactor = {
      redact(text) {
        if (!text.includes('hush')) return { text, found: {} }
        if (joins) return { text: text.replaceAll('\n', ' '), found: {} }
        throw new Error(text)
      },
    }
    const bench = await begin(redactor, { functions: { find } }, script)
    const { agents } = bench.platform
    const { agentId } = bench.visitor
    await bench.say('one')
    joins = false
    await bench.say('two')
    await bench.visitor.end()
    await bench.clock.settle()
    const [live] = await agents.deployments(agentId, 'live', 1)
    const { id } = await agents.startReplay(agentId, { deploymentId: live?.id ?? '' })
    await bench.platform.idle()
    await bench.clock.advance(1_000)
    expect(await agents.replay(agentId, id)).toMatchObject({ verdicts: { same: 1, errored: 2 } })
    await bench.close()
    const text = bytesOf(bench.filename)
    expect(text).toContain('[withheld]')
    expect(text).not.toContain('hush')
  })

  test('RD2 the record of a turn has the counts, and the health of an agent their sums', async () => {
    const sorts = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at} ${'x'.repeat(60)}`, 1]))
    const found: object[] = [
      { card: 2, email: 1 },
      { card: 1 },
      {},
      { card: Number.NaN, email: -1, name: 0.5 },
    ]
    const redactor: Redactor = { redact: text => ({ text, found: { ...(found.shift() ?? sorts) } }) }
    const bench = await begin(redactor)
    const { accountId, agentId } = bench.visitor
    for (const text of ['one', 'two', 'three', 'four', 'five']) await bench.say(text)
    await bench.visitor.end()
    await bench.clock.settle()
    const { redacted } = await bench.platform.reading.health({ accountId, agentId, environment: 'live' })
    expect(redacted[0]).toEqual({ name: 'card', count: 3 })
    expect(redacted).toContainEqual({ name: 'email', count: 1 })
    expect(redacted).toHaveLength(22)
    for (const { name } of redacted) expect(name.length).toBeLessThanOrEqual(40)
  })

  test('RD3 a text that no redactor has read to its end is withheld, and the conversation goes on', async () => {
    const answers: ((text: string) => Promise<{ text: string; found: object }>)[] = [
      async () => {
        throw new Error('It is broken.')
      },
      () => new Promise(() => {}),
      async text => ({ text: text.toUpperCase(), found: {} }),
    ]
    const redactor: Redactor = {
      redact: async text => ({ ...(await (answers.shift() ?? Promise.reject)(text)), found: {} }),
    }
    const bench = await begin(redactor, { redactionDeadline: 300 })
    await bench.say('one hush-hush')
    const later = [bench.visitor.say('two hush-hush'), bench.visitor.say('three')]
    await bench.clock.settle()
    await bench.clock.advance(300)
    await Promise.all(later)
    await bench.clock.settle()
    expect(bench.visitor.texts('USER_MESSAGE')).toEqual(['[withheld]', '[withheld]', 'THREE'])
    expect(bench.redacted).toEqual([{ withheld: 1 }, { withheld: 1 }])
    expect(bench.errors.map(String)).toEqual([
      'Error: The redactor failed (Error). Its message is withheld as the words are.',
      'Error: The redactor did not answer within 300 ms.',
    ])
    await bench.close()
    expect(bytesOf(bench.filename)).not.toContain('hush-hush')
  })

  test('RD3 the error of a redactor brings no word of the visitor into the log', async () => {
    const fails: readonly ((text: string) => ReturnType<Redactor['redact']>)[] = [
      text => JSON.parse(text),
      text => {
        const cause = Object.assign(new TypeError(text), { statusCode: 401, code: text, requestBody: text })
        throw Object.assign(new Error(text, { cause }), { name: text, code: 'ECONNREFUSED', text })
      },
      text => {
        throw text
      },
      text => {
        throw Object.defineProperty(new Error(text), 'name', { get: () => JSON.parse(text) })
      },
    ]
    const left = [...fails]
    const lines: unknown[] = []
    const redactor: Redactor = { redact: text => (left.shift() ?? JSON.parse)(text) }
    const bench = await begin(redactor, { onError: (error, where) => lines.push([where, inspect(error)]) })
    for (const _ of fails) await bench.say(SAID)
    await bench.close()
    const told = JSON.stringify([lines, bench.lines])
    for (const names of ['SyntaxError', 'ECONNREFUSED, TypeError 401', 'no error', 'no error'])
      expect(told).toContain(`The redactor failed (${names}).`)
    expect(bench.redacted).toEqual(fails.map(() => ({ withheld: 1 })))
    for (const text of [told, bytesOf(bench.filename)])
      for (const part of ['Charge', CARD, '1111 1111', 'ann@mail']) expect(text).not.toContain(part)
  })

  test('RD2 messages stay in their order, and one that is sent again is read again and takes effect once', async () => {
    const waiting: (() => void)[] = []
    const redactor: Redactor = {
      redact: text =>
        text === 'slow'
          ? new Promise(resolve => waiting.push(() => resolve({ text, found: {} })))
          : { text, found: {} },
    }
    const bench = await begin(redactor)
    const said = [
      bench.visitor.say('slow', 'id-1'),
      bench.visitor.say('quick', 'id-2'),
      bench.visitor.say('quick', 'id-2'),
    ]
    await bench.clock.settle()
    expect(bench.visitor.texts('USER_MESSAGE')).toEqual([])
    for (const go of waiting) go()
    await Promise.all(said)
    await bench.clock.settle()
    expect([...new Set(bench.visitor.texts('USER_MESSAGE'))]).toEqual(['slow', 'quick'])
    const inputs = bench.runtime.turns.flatMap(({ input }) => (input.type === 'message' ? [input.text] : []))
    expect(inputs).toEqual(['slow', 'quick'])
  })
})
