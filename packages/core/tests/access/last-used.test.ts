import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import type { ConnectorId } from '../../src/domain/ids.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import type { Store } from '../../src/ports/store/store.ts'

const MINUTE = 60_000

/** A platform whose store can be made to hold up, or to fail, the notes of uses; they are counted. */
async function serve() {
  const kept = createMemoryStore()
  const notes = { count: 0, before: async (): Promise<void> => {} }
  const store: Store = {
    ...kept,
    access: {
      ...kept.access,
      apiKeys: {
        ...kept.access.apiKeys,
        async touch(...input) {
          notes.count++
          await notes.before()
          return kept.access.apiKeys.touch(...input)
        },
      },
    },
  }
  const made = await createPopulatedPlatform({ store })
  const secret = made.keys.desk
  const use = () => made.platform.access.authenticate(secret, ['desk'], null)
  const used = async () => {
    const { apiKeys: keys } = await made.platform.access.apiKeys()
    return keys.filter(({ kind }) => kind === 'desk').map(({ lastUsedAt }) => lastUsedAt)
  }
  return { ...made, notes, use, used }
}

describe('the last use of a key', () => {
  test('CR4 is written at most once a minute, however often it is used', async () => {
    const { clock, notes, use, used } = await serve()
    const start = clock.now()
    expect(await used()).toEqual([null])
    await Promise.all(Array.from({ length: 20 }, use))
    await clock.settle()
    expect([await used(), notes.count]).toEqual([[start], 1])
    await clock.advance(MINUTE - 1)
    await use()
    await clock.settle()
    expect([await used(), notes.count]).toEqual([[start], 1])
    await clock.advance(1)
    await use()
    await clock.settle()
    expect([await used(), notes.count]).toEqual([[start + MINUTE], 2])
  })

  test('TM4 is written again after the clock was put back', async () => {
    const { clock, use, used } = await serve()
    await use()
    await clock.settle()
    clock.step(-120 * MINUTE)
    await use()
    await clock.settle()
    await clock.advance(MINUTE)
    const now = clock.now()
    await use()
    await clock.settle()
    expect(await used()).toEqual([now])
  })

  test('CR4 only what is accepted is a use', async () => {
    const { platform, clock, keys, used, notes } = await serve()
    const { access } = platform
    await access.authenticate(keys.desk, ['workspace'], null)
    await access.authenticate(`${keys.desk}x`, ['desk'], null)
    const [key] = (await access.apiKeys()).apiKeys.filter(({ kind }) => kind === 'desk')
    await access.revokeApiKey(key?.id ?? '')
    await access.authenticate(keys.desk, ['desk'], null)
    await clock.settle()
    expect([await used(), notes.count]).toEqual([[null], 0])
  })

  test('CR4 a write that hangs delays no request, and closing waits for it', async () => {
    const { platform, notes, use } = await serve()
    let release = (): void => {}
    notes.before = () =>
      new Promise(resolve => {
        release = resolve
      })
    expect(await use()).not.toBeNull()
    expect(await use()).not.toBeNull()
    let closed = false
    const closing = platform.close().then(() => {
      closed = true
    })
    for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
    expect([notes.count, closed]).toEqual([1, false])
    release()
    await closing
    expect(closed).toBe(true)
  })

  test('CR4 a write that fails fails no request, is told once, and is tried again after the interval', async () => {
    const { clock, errors, notes, use, used } = await serve()
    notes.before = () => Promise.reject(new Error('disk full'))
    for (let count = 0; count < 5; count++) expect(await use()).not.toBeNull()
    await clock.settle()
    expect(errors).toEqual([{ error: new Error('disk full'), where: 'last use of a credential' }])
    notes.before = async () => {}
    await clock.advance(MINUTE)
    await use()
    await clock.settle()
    expect(await used()).toEqual([clock.now()])
    expect(errors).toHaveLength(1)
  })
})

test('CR4 the use of a connector’s token is noted as well, and an edit does not undo it', async () => {
  const { access, clock, connector, connectorToken, issue } = await createMessagingBench()
  await issue()
  await clock.settle()
  const used = async (id: ConnectorId) => (await access.connector(id)).lastUsedAt
  const start = clock.now()
  expect(await used(connector.id)).toBe(start)
  await clock.advance(MINUTE)
  const editing = access.updateConnector(connector.id, { name: 'Renamed' })
  await access.connectorByToken(connectorToken)
  await editing
  await clock.settle()
  expect(await used(connector.id)).toBe(start + MINUTE)
})
