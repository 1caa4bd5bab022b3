import { expect, test } from 'vitest'
import { silentLog, type WebhookEndpointId } from '../../src/index.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { createEndpointSlots } from '../../src/usecases/webhooks/endpoint-slots.ts'

const settings = resolveSettings({}, silentLog)

test('FZ5 of endpoints that were not reached those are remembered that were tried last', async () => {
  const slots = createEndpointSlots({ settings }, 2)
  const deliver = (id: WebhookEndpointId, arrives: boolean) =>
    new Promise<boolean>(resolve => slots.run(id, async () => arrives, resolve))
  const free = () => ['a', 'b', 'c'].map(id => slots.free(id))
  expect(free()).toEqual([5, 5, 5])
  for (const id of ['a', 'b', 'a', 'c']) expect(await deliver(id, false)).toBe(false)
  expect(free()).toEqual([1, 5, 1])
  await deliver('a', true)
  expect(free()).toEqual([5, 5, 1])
})
