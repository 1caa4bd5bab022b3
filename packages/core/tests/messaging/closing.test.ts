import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'
import { openSocketPair } from '../../src/testing/socket-pair.ts'

const TOKEN = 'connector-token-of-the-test'

/** A store in which an append takes some turns of the event loop before it begins, as among many others. */
function slowStore() {
  const store = createMemoryStore()
  const { conversations } = store
  const append: typeof conversations.append = async write => {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    return conversations.append(write)
  }
  return { ...store, conversations: { ...conversations, append } }
}

test.each(['left', 'are connected'])(
  'MS11 the last signs of life are stored when the platform closes on visitors who %s',
  async way => {
    const store = slowStore()
    const seen: number[] = []
    const { append } = store.conversations
    store.conversations.append = async write => {
      const result = await append(write)
      seen.push(write.state.seenAt)
      return result
    }
    const { clock, errors, platform } = await createPopulatedPlatform({ store })
    await platform.agents.publish('PROJECT-A', { environment: 'live' })
    await platform.access.createConnector({
      ...{ accountId: 'ws-one', agentId: 'PROJECT-A', environment: 'live' },
      ...{ hosts: ['example.com'], token: TOKEN },
    })
    const { accessToken } = await platform.messaging.issueAccessToken({
      ...{ connectorToken: TOKEN, host: 'example.com', remoteAddress: '203.0.113.9' },
    })
    const { sessionId } = await platform.messaging.createSession({
      ...{ authorization: `Bearer ${accessToken}`, streaming: false },
    })
    const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
    if ('status' in handshake) throw new Error(handshake.message)
    const pair = openSocketPair(handshake)
    await pair.flush()
    await clock.advance(2_000)
    pair.send({ type: 'EVENT_TYPE_USER_TYPING', payload: { state: 'started' } })
    await pair.flush()
    const at = clock.now()
    await clock.advance(1_000)
    expect(seen).not.toContain(at)
    if (way === 'left') {
      pair.close()
      pair.flushToServer()
    }
    await platform.close()
    expect([seen.at(-1), errors]).toEqual([at, []])
  },
)
