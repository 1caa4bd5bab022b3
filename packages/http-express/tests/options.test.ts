import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, test } from 'vitest'
import { createRequestListener, createRouter } from '../src/index.ts'

describe.each([
  ['createRouter', createRouter],
  ['createRequestListener', createRequestListener],
] as const)('%s', (name, create) => {
  const given = (...args: readonly unknown[]): unknown => Reflect.apply(create, undefined, args)
  const open = async () => (await createPopulatedPlatform()).platform

  test.each([
    [{ trustPoxy: 1 }, `${name} has no option "trustPoxy". Did you mean trustProxy?`],
    [
      { cors: true },
      `${name} has no option "cors". It knows families, crossOrigin, documents, allowInsecure, responseHeaders, trustProxy, requestTimeout, answerTimeout.`,
    ],
    [null, `${name} takes an object of options, not null.`],
    [
      { families: ['agents', 'debugchat'] },
      'families has no family "debugchat". Allowed: agents, debug-chat, chat, conversations-v1, conversations-v3, concurrency, external-events, messaging, operator, desk, webhooks, alerts, texts, calls, handoff-state, number-reservation.',
    ],
    [
      { families: 'agents' },
      'families must be a list. Allowed: agents, debug-chat, chat, conversations-v1, conversations-v3, concurrency, external-events, messaging, operator, desk, webhooks, alerts, texts, calls, handoff-state, number-reservation.',
    ],
  ])('EM4 %j is refused', async (options, message) => {
    const platform = await open()
    expect(() => given(platform, options)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }),
    )
  })

  test('EM4 anything but a platform is refused', () => {
    const message = `${name} takes the platform first, as createPlatform returns it.`
    for (const wrong of [undefined, {}, { families: [] }]) expect(() => given(wrong)).toThrow(message)
  })

  test('EM4 every option, and none, is taken', async () => {
    const platform = await open()
    const options = {
      ...{ families: ['agents', 'desk'], crossOrigin: false, allowInsecure: true, responseHeaders: {} },
      ...{ trustProxy: 2, requestTimeout: 5_000, answerTimeout: 5_000 },
    }
    for (const taken of [options, undefined]) expect(given(platform, taken)).toBeTypeOf('function')
  })
})
