import { createTestPlatform } from '@colloquy/test-support/platform'
import { openVisitor } from '@colloquy/test-support/visitor'
import { expect, test } from 'vitest'
import { FAILURE_TEXT } from '../../src/domain/conversation/pending-inputs.ts'
import type { RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'

const FIELD = 'SCHEMA_VALIDATION_FAILED'

test.each<[unknown, string]>([
  [
    { type: 'text', text: 5 },
    'The runtime\'s text part field "text" is not valid: expected string, received number.',
  ],
  [{ type: 'text' }, 'The runtime\'s text part field "text" is required: expected string.'],
  [
    { type: 'handoff', reason: 'asked' },
    'The runtime\'s handoff part field "destination" is required: expected string.',
  ],
  [
    { type: 'shout', text: 'HELLO' },
    'The agent runtime gave a part of the unknown type "shout". A part has one of the types text, ',
  ],
  ['Hello', 'The agent runtime gave something without a type.'],
  [undefined, 'The agent runtime gave something without a type.'],
  [{ type: 'variable', key: 'a', value: () => 1 }, 'expected a value that JSON can hold'],
  [{ type: 'attachment', attachment: { title: 'x' } }, '"attachment.contentUrl" is required'],
])('EM6 a runtime that gives %j fails its turn, and the host hears why', async (part, message) => {
  const clock = createFakeClock()
  const normal = createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Certainly.' }, clock)
  async function* respond(turn: RuntimeTurn, signal: AbortSignal): AsyncGenerator<unknown> {
    if (turn.input.type === 'message' && turn.input.text === 'wrong') yield part
    else yield* normal.respond(turn, signal)
  }
  const { platform, errors } = createTestPlatform({
    clock,
    runtime: Object.assign({ ...normal }, { respond }),
  })
  const visitor = await openVisitor(platform, clock)
  await visitor.join()
  await visitor.say('wrong')
  expect(visitor.texts('SYSTEM_MESSAGE')).toEqual([FAILURE_TEXT.reply])
  expect(errors).toMatchObject([
    { where: 'turn', error: { code: FIELD, message: expect.stringContaining(message) } },
  ])
  await visitor.say('right')
  expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Certainly.'])
  await platform.close()
})
