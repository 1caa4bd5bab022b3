import { expect, test } from 'vitest'
import { createWebhookSender } from '../../src/outbound-http/index.ts'

const given = (options: unknown): unknown => Reflect.apply(createWebhookSender, undefined, [options])

test('EM4 options of a webhook sender that nothing reads are refused by name', () => {
  expect(() => given({ allowInsecured: true })).toThrow(
    expect.objectContaining({
      code: 'SCHEMA_VALIDATION_FAILED',
      message: 'createWebhookSender has no option "allowInsecured". Did you mean allowInsecure?',
    }),
  )
  expect(() => given({ timeout: 5 })).toThrow(
    'createWebhookSender has no option "timeout". It knows allowPrivateAddresses, allowInsecure, keepPrivateAnswers, maxResponseBytes, resolveAll.',
  )
  expect(() => given('private')).toThrow('createWebhookSender takes an object of options, not string.')
})

test('EM4 every option of a webhook sender is taken', () => {
  const options = {
    ...{ allowPrivateAddresses: false, allowInsecure: false, keepPrivateAnswers: false, maxResponseBytes: 5 },
    resolveAll: async () => [],
  }
  expect(given(options)).toMatchObject({ send: expect.any(Function) })
})
