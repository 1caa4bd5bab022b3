import { expect, test } from 'vitest'
import { asId, silentLog, type WebhookEndpointId } from '../../src/index.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { createLanes } from '../../src/usecases/webhooks/lanes.ts'

const settings = resolveSettings({}, silentLog)

test('FZ44 of endpoints that were not reached those are remembered that were tried last', async () => {
  const lanes = createLanes({ settings }, 2)
  const deliver = (id: WebhookEndpointId, arrives: boolean) =>
    new Promise<boolean>(resolve => lanes.run(id, async () => arrives, resolve))
  const places = () => ['a', 'b', 'c'].map(id => lanes.free(asId(id)))
  expect(places()).toEqual([5, 5, 5])
  for (const id of ['a', 'b', 'a', 'c']) expect(await deliver(asId(id), false)).toBe(false)
  expect(places()).toEqual([1, 5, 1])
  await deliver(asId('a'), true)
  expect(places()).toEqual([5, 5, 1])
})
