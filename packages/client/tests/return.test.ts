import { createHesitant, hesitantReply, startMessagingHost } from '@colloquy/test-support/messaging-host'
import { describe, expect, test } from 'vitest'
import { memoryStorage } from '../src/messaging/index.ts'
import { EVERY_WAY, saidIn, upTo, watch } from './support/watch.ts'

const reply = (text: string): string => `agent done: ${hesitantReply(text).join('')}`

describe.each(EVERY_WAY)('a live agent who returns the visitor, over %s', way => {
  test.each([false, true])('CM51 leaves one conversation, with streaming %s', async streaming => {
    const { allow, runtime } = createHesitant()
    const { accountId, platform, token, url } = await startMessagingHost({ runtime })
    allow(4)
    const same = { way, server: url, connectorToken: token, streaming, storage: memoryStorage() }
    const client = watch(same)
    await client.until(({ messages }) => messages.at(-1)?.state === 'done')
    client.send('person')
    await client.until(({ handoff }) => handoff?.state === 'queued')
    const [handoff] = await platform.desk.handoffs(accountId, 'waiting')
    const id = handoff?.handoffId ?? ''
    await platform.desk.accept(accountId, id, { id: 'ada', name: 'Ada', avatarUrl: '' })
    await platform.desk.send(accountId, id, { text: 'Ada here.' })
    await client.until(({ messages }) => messages.at(-1)?.text === 'Ada here.')
    client.send('Thanks')
    await client.until(current => saidIn(current).at(-1) === 'visitor done: Thanks')
    const before = client.current
    await platform.desk.return(accountId, id)
    await client.until(({ servedBy }) => servedBy?.kind === 'agent')
    expect(client.current).toMatchObject({ status: 'open', handoff: null, typing: false, endReason: null })
    expect(client.current.messages).toEqual(before.messages)
    client.send('one')
    await client.until(current => saidIn(current).at(-1) === reply('one'))
    const again = watch(same)
    await again.until(current => saidIn(current).at(-1) === reply('one'))
    expect(saidIn(again.current)).toEqual(saidIn(client.current))
    client.end()
    await client.until(({ status }) => status === 'ended')
    expect(client.log.map(([sequence]) => sequence)).toEqual(upTo(client.log.length))
  })
})
