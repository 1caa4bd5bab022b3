import { handoffOf } from '@colloquy/test-support/desk-bench'
import { chunksOf } from '@colloquy/test-support/replies'
import { CONNECTOR_TOKEN, openVisitor, type Visitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type PlatformOptions } from '../../src/platform.ts'
import type { RuntimePart } from '../../src/ports/agent-runtime.ts'
import { createFakeClock, createScriptedRuntime, type ScriptedReply } from '../../src/testing/index.ts'
import { does } from '../conversation/functions/support.ts'

const CALL = { title: 'Call the desk', contactNumber: '+44 20 7946 0018' }
const CALL_ON_WIRE = { title: 'Call the desk', contact_number: '+44 20 7946 0018' }
const CARD = {
  title: 'Map',
  contentType: 'url',
  contentUrl: 'https://example.com/map',
  previewImageUrl: '',
  callToActionText: 'Open',
} as const
const CARD_ON_WIRE = {
  title: 'Map',
  content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
  content_url: 'https://example.com/map',
  preview_image_url: '',
  call_to_action_text: 'Open',
}
const BESIDE: readonly RuntimePart[] = [
  { type: 'suggestion', text: 'Book it', payload: 'book:1' },
  { type: 'suggestion', text: 'Later' },
  { type: 'call_action', action: CALL },
]
const BESIDE_ON_WIRE = {
  response_suggestions: [{ message_text: 'Book it', payload: 'book:1' }, { message_text: 'Later' }],
  chat_call_actions: [CALL_ON_WIRE],
}
const PICTURE = 'https://cdn.example.com/concierge.png'
const WISH = { type: 'handoff', destination: 'billing', reason: 'asked' } as const

async function converse(
  reply: ScriptedReply,
  { streaming = false, ...options }: Partial<PlatformOptions> & { readonly streaming?: boolean } = {},
) {
  const clock = createFakeClock()
  const errors: unknown[] = []
  const runtime = createScriptedRuntime({ greeting: 'Welcome.', messages: { ask: reply } }, clock)
  const common = { store: createMemoryStore(), clock, runtime, rateLimits: null }
  const platform = createPlatform({ ...common, onError: error => errors.push(error), ...options })
  const visitor = await openVisitor(platform, clock, streaming)
  await visitor.join()
  return { clock, errors, platform, visitor }
}

const newest = ({ received }: Visitor, type: string) =>
  received.findLast(event => event.type === `EVENT_TYPE_${type}`)?.payload

describe('beside the text of the AI agent', () => {
  test('MS36 a message has its speaker, suggestions with a payload, and numbers to call', async () => {
    const { visitor } = await converse(['Gladly.', ...BESIDE])
    expect(newest(visitor, 'AI_AGENT_MESSAGE')).toEqual({
      message_id: expect.any(String),
      text: 'Welcome.',
      attachments: [],
      response_suggestions: [],
      agent_name: 'Front desk',
    })
    await visitor.say('ask')
    expect(newest(visitor, 'AI_AGENT_MESSAGE')).toEqual({
      message_id: expect.any(String),
      text: 'Gladly.',
      attachments: [],
      agent_name: 'Front desk',
      ...BESIDE_ON_WIRE,
    })
  })

  test('MS36 and AG34 the picture of the deployment that runs stands beside the name, and in what says that the agent joined', async () => {
    const { clock, platform, visitor: before } = await converse(['Gladly.'])
    const joined = (visitor: Visitor) => newest(visitor, 'AI_AGENT_JOINED')
    expect(joined(before)).toEqual({ agent_name: 'Front desk', agent_avatar_url: '', avatar: '' })
    const [agent] = await platform.agents.list(before.accountId)
    if (agent === undefined) throw new Error('There is no agent.')
    const branch = await platform.agents.createBranch(before.agentId, { branchName: 'picture' })
    await platform.agents.updateResponseSettings(before.agentId, branch.id, { avatarUrl: PICTURE })
    await platform.agents.merge(before.agentId, branch.id)
    await platform.agents.publish(before.agentId, { environment: 'live' })
    const after = await openVisitor(platform, clock)
    await after.join()
    expect(joined(after)).toEqual({
      agent_name: 'Front desk',
      agent_avatar_url: PICTURE,
      avatar: PICTURE,
    })
    for (const [visitor, picture] of [
      [before, {}],
      [after, { avatar_url: PICTURE }],
    ] as const) {
      await visitor.say('ask')
      const { agent_name, avatar_url } = newest(visitor, 'AI_AGENT_MESSAGE') ?? {}
      expect({ agent_name, ...(avatar_url === undefined ? {} : { avatar_url }) }).toEqual({
        agent_name: 'Front desk',
        ...picture,
      })
    }
  })

  test('MS36 of a stream the complete chunk alone has them, in a replay too', async () => {
    const { clock, platform, visitor } = await converse(
      ['Gladly, ', { type: 'wait', milliseconds: 60 }, 'so call.', ...BESIDE],
      { streaming: true },
    )
    await visitor.say('ask')
    await clock.advance(100)
    for (const one of [visitor, await visitor.reconnect(platform)]) {
      const [first, last] = chunksOf(one).slice(1)
      expect(first?.payload).toMatchObject({ is_complete: false, response_suggestions: [] })
      expect(first?.payload).not.toHaveProperty('chat_call_actions')
      expect(last?.payload).toMatchObject({ is_complete: true, ...BESIDE_ON_WIRE })
      expect(last?.payload).not.toHaveProperty('agent_name')
    }
  })

  test('MS36 a number to call alone is an answer', async () => {
    const { visitor, errors } = await converse([{ type: 'call_action', action: CALL }])
    await visitor.say('ask')
    expect(newest(visitor, 'AI_AGENT_MESSAGE')).toMatchObject({ text: '', chat_call_actions: [CALL_ON_WIRE] })
    expect(errors).toEqual([])
  })

  test('MS36 MS36 a function suggests, attaches and offers a call', async () => {
    const functions = {
      help: does(conversation => {
        conversation.say('Gladly.')
        conversation.suggest('Book it', 'book:1')
        conversation.suggest('Later')
        conversation.offerCall(CALL.title, CALL.contactNumber)
        conversation.attach(CARD)
      }),
    }
    const reply: ScriptedReply = async turn => {
      await turn.callFunction('help', {})
      return []
    }
    const { visitor } = await converse(reply, { functions })
    await visitor.say('ask')
    expect(newest(visitor, 'AI_AGENT_MESSAGE')).toMatchObject({
      ...BESIDE_ON_WIRE,
      attachments: [CARD_ON_WIRE],
    })
  })

  /** Parts as hosts without types write them. */
  const broken: readonly (readonly [string, unknown])[] = [
    ['call_action part field "action.contactNumber"', { type: 'call_action', action: { title: 'Call' } }],
    ['call_action part field "action.title"', { type: 'call_action', action: { ...CALL, title: '' } }],
    [
      'attachment part field "attachment.previewImageUrl"',
      { type: 'attachment', attachment: { ...CARD, previewImageUrl: undefined } },
    ],
    ['suggestion part field "payload"', { type: 'suggestion', text: 'Yes', payload: 5 }],
  ]
  test.each(broken)(
    'MS36 a %s that does not fit fails the turn, and the host hears of it',
    async (what, part) => {
      const runtime = {
        async *respond() {
          yield JSON.parse('{"type":"text","text":"Gladly."}')
          yield JSON.parse(JSON.stringify(part))
        },
      }
      const { errors, visitor } = await converse([], { runtime })
      expect(newest(visitor, 'AI_AGENT_MESSAGE')).toBeUndefined()
      expect(String(errors[0])).toContain(`The runtime's ${what} is`)
    },
  )

  test('MS36 MS36 what does not fit throws in the function, and nothing of it is said', async () => {
    const thrown: string[] = []
    const functions = {
      help: does(conversation => {
        const tries = [
          () => conversation.offerCall('Call', ''),
          () => conversation.suggest(JSON.parse('5')),
          () => conversation.attach({ ...CARD, contentUrl: '' }),
        ]
        for (const attempt of tries) {
          try {
            attempt()
          } catch (error) {
            thrown.push(String(error))
          }
        }
        conversation.say('Sorry.')
      }),
    }
    const reply: ScriptedReply = async turn => {
      await turn.callFunction('help', {})
      return []
    }
    const { visitor } = await converse(reply, { functions })
    await visitor.say('ask')
    expect(thrown).toEqual([
      expect.stringContaining('The call action\'s field "contactNumber" is not valid'),
      expect.stringContaining('The suggestion\'s field "text" is not valid'),
      expect.stringContaining('The attachment\'s field "contentUrl" is not valid'),
    ])
    expect(newest(visitor, 'AI_AGENT_MESSAGE')).toEqual({
      message_id: expect.any(String),
      text: 'Sorry.',
      attachments: [],
      response_suggestions: [],
      agent_name: 'Front desk',
    })
  })
})

describe('handing over', () => {
  test('the client is told the destination as its route', async () => {
    const { platform, visitor, clock } = await converse(['One moment.', WISH])
    const connector = await platform.access.connectorByToken(CONNECTOR_TOKEN)
    if (connector === null) throw new Error('The connector is gone.')
    await platform.access.updateConnector(connector.id, { handoff: { mode: 'client' } })
    const other = await openVisitor(platform, clock)
    await other.join()
    await other.say('ask')
    expect(newest(other, 'CLIENT_HANDOFF_REQUIRED')).toEqual({
      reason: 'AGENT_DECISION',
      queue_name: 'reception',
      route: 'billing',
    })
    expect(newest(visitor, 'CLIENT_HANDOFF_REQUIRED')).toBeUndefined()
  })

  test('MS36 a live agent’s message has name and picture, suggestions and numbers to call', async () => {
    const { platform, visitor } = await converse(['One moment.', WISH])
    await visitor.say('ask')
    const id = handoffOf(visitor)
    const avatarUrl = 'https://example.com/ada.png'
    await platform.desk.accept(visitor.accountId, id, { id: 'a1', name: 'Ada', avatarUrl })
    await platform.desk.send(visitor.accountId, id, {
      text: 'Hello',
      chatCallActions: [CALL_ON_WIRE],
      responseSuggestions: BESIDE_ON_WIRE.response_suggestions,
    })
    await visitor.heartbeat()
    expect(newest(visitor, 'LIVE_AGENT_MESSAGE')).toEqual({
      message_id: expect.any(String),
      text: 'Hello',
      attachments: [],
      agent_id: 'a1',
      agent_name: 'Ada',
      avatar_url: avatarUrl,
      ...BESIDE_ON_WIRE,
    })
  })

  test('DK21 MS36 another live-agent system reports words for those who wait, and numbers to call', async () => {
    const nothing = async () => undefined
    const liveAgents = () => ({ request: nothing, forward: nothing, visitorTyping: nothing, cancel: nothing })
    const { platform, visitor } = await converse(['One moment.', WISH], { liveAgents })
    await visitor.say('ask')
    const id = handoffOf(visitor)
    const status = { position: 2, estimatedWaitSeconds: null }
    await platform.liveAgents.queueStatus(id, { ...status, displayMessage: 'Nearly there.' })
    await visitor.heartbeat()
    expect(newest(visitor, 'HANDOFF_QUEUE_STATUS')).toEqual({
      queue_name: 'reception',
      position_in_queue: 2,
      display_message: 'Nearly there.',
    })
    await expect(platform.liveAgents.queueStatus(id, { ...status, displayMessage: '' })).rejects.toThrow(
      'displayMessage',
    )
    await platform.liveAgents.joined(id, { id: 'b', name: 'Bob', avatarUrl: '' })
    const message = { messageId: 'm1', text: '', chatCallActions: [CALL_ON_WIRE] }
    await platform.liveAgents.message(id, message)
    await visitor.heartbeat()
    const said = newest(visitor, 'LIVE_AGENT_MESSAGE')
    expect(said).toMatchObject({ agent_name: 'Bob', chat_call_actions: [CALL_ON_WIRE] })
    expect(said).not.toHaveProperty('avatar_url')
  })
})
