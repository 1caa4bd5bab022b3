import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, test } from 'vitest'
import type { PlatformEventType } from '../../src/domain/conversation/platform-event.ts'
import { createPlatform } from '../../src/platform.ts'
import { silentLog } from '../../src/ports/log.ts'
import { hostOf, WAYS } from '../conversation/failing-host.ts'

const NAMES: readonly PlatformEventType[] = [
  'conversation.started',
  'conversation.completed',
  'handoff.requested',
  'handoff.accepted',
  'handoff.failed',
  'turn.completed',
  'turn.failed',
  'deployment.created',
]

/** A platform with its own desk, and what its host is told. */
function openPlatform() {
  const { liveAgents: _, ...host } = hostOf()
  const errors: string[] = []
  const lines: { readonly message: string; readonly fields: unknown }[] = []
  const platform = createPlatform({
    ...host,
    log: { ...silentLog, info: (message, fields) => lines.push({ message, fields }) },
    rateLimits: null,
    onError: (error, where) => errors.push(`${where}: ${error}`),
  })
  const told: { readonly name: PlatformEventType; readonly event: object }[] = []
  for (const name of NAMES) platform.on(name, event => told.push({ name, event }))
  return { platform, clock: host.clock, errors, lines, told }
}

test('OB1 and OB2 a conversation is told from its start to its end, each event once', async () => {
  const { platform, clock, told } = openPlatform()
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('hello')
  await visitor.say('person')
  const [handoff] = await platform.desk.handoffs(visitor.accountId, 'waiting')
  if (handoff === undefined) throw new Error('No one waits.')
  await platform.desk.accept(visitor.accountId, handoff.handoffId, { id: 'ada', name: 'Ada', avatarUrl: '' })
  await visitor.end()
  await clock.settle()
  const conversation = {
    ...{ conversationId: visitor.id, accountId: visitor.accountId, agentId: visitor.agentId },
    ...{ environment: 'live', kind: 'messaging', channel: 'CHAT' },
  }
  const wanted = {
    handoffId: handoff.handoffId,
    queueName: 'reception',
    reason: 'asked',
    destination: 'reception',
  }
  expect(told).toEqual([
    { name: 'deployment.created', event: expect.objectContaining({ environment: 'live', type: 'publish' }) },
    { name: 'conversation.started', event: conversation },
    {
      name: 'turn.completed',
      event: expect.objectContaining({ ...conversation, firstText: expect.any(Number) }),
    },
    { name: 'turn.completed', event: expect.objectContaining(conversation) },
    { name: 'handoff.requested', event: { ...conversation, ...wanted } },
    { name: 'turn.completed', event: expect.objectContaining(conversation) },
    {
      name: 'handoff.accepted',
      event: { ...conversation, ...wanted, liveAgent: { id: 'ada', name: 'Ada' } },
    },
    {
      name: 'conversation.completed',
      event: { ...conversation, endReason: 'REASON_USER_END', turns: 3, duration: expect.any(Number) },
    },
  ])
  await platform.close()
})

test('OB2 a turn that fails is told with its failure', async () => {
  const { platform, clock, told } = openPlatform()
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('broken')
  await clock.settle()
  expect(told.at(-1)).toMatchObject({
    name: 'turn.failed',
    event: { failure: 'reply', conversationId: visitor.id },
  })
  await platform.close()
})

test('OB1 a message that is repeated tells nothing the second time', async () => {
  const { platform, clock, told } = openPlatform()
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('hello', 'message-1')
  const before = told.length
  await visitor.say('hello', 'message-1')
  await clock.settle()
  expect(told.length).toBe(before)
  await platform.close()
})

test('OB1 a listener that throws or rejects is told of, and the others hear all the same', async () => {
  const { platform, clock, errors, told } = openPlatform()
  platform.on('conversation.started', WAYS.throws)
  platform.on('conversation.started', WAYS.rejects)
  const later: string[] = []
  const stop = platform.on('conversation.started', ({ conversationId }) => later.push(conversationId))
  const first = await openVisitor(platform, clock)
  stop()
  await openVisitor(platform, clock)
  expect(later).toEqual([first.id])
  expect(told.filter(({ name }) => name === 'conversation.started')).toHaveLength(2)
  expect(errors).toEqual(Array(4).fill('listener of conversation.started: Error: the host failed'))
  await platform.close()
})

test('OB1 an unknown name, and a listener that is not a function, are refused', () => {
  const { platform } = openPlatform()
  const on = (name: string, listener: unknown): unknown =>
    Reflect.apply(platform.on, platform, [name, listener])
  expect(() => on('conversation.ended', () => {})).toThrow(
    'There is no event "conversation.ended". Allowed: conversation.started, conversation.completed,',
  )
  expect(() => on('turn.failed', null)).toThrow('The listener of turn.failed must be a function.')
})

test('OB2 the log has a line for conversations, handoffs and deployments, without what anyone said', async () => {
  const { platform, clock, lines } = openPlatform()
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('person')
  await visitor.end()
  await clock.settle()
  expect(lines.map(({ message }) => message)).toEqual([
    'A version was deployed',
    'A conversation has started',
    'A handoff was requested',
    'A handoff has failed',
    'A conversation is over',
  ])
  expect(lines[1]?.fields).toEqual({
    ...{ conversation: visitor.id, agent: visitor.agentId, environment: 'live', channel: 'CHAT' },
  })
  expect(JSON.stringify(lines)).not.toContain('person')
  await platform.close()
})
