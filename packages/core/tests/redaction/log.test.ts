import { expect, onTestFinished, test } from 'vitest'
import {
  createPatternRedactor,
  createPlatform,
  type PlatformOptions,
  type Redactor,
} from '../../src/index.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createFakeClock, START } from '../../src/testing/index.ts'

const FAILURE = new Error('Nobody is ann@mail.example')

/** A platform that logs what it is told of a listener that throws, and its lines. */
function begin(redactor: Redactor, options: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock(START)
  const lines: [string, unknown][] = []
  const write = (message: string, fields?: object): void => void lines.push([message, fields])
  const platform = createPlatform({
    ...{ store: createMemoryStore(), runtime: { async *respond() {} }, redactor, clock },
    log: { debug: write, info: write, warn: write, error: write },
    ...options,
  })
  onTestFinished(() => platform.close())
  const fail = (times = 1): void => {
    for (let at = 0; at < times; at++) platform.settings.onError(FAILURE, 'summary')
  }
  const errors = () => lines.map(([, fields]) => String(Reflect.get(Object(fields), 'error')))
  return { clock, errors, fail, lines, platform }
}

test('RD8 a redactor reads errors of the log, of no conversation, and the rest of a line stays', async () => {
  const abouts: unknown[] = []
  const patterns = createPatternRedactor()
  const { fail, lines, platform } = begin({
    redact(text, about, signal) {
      abouts.push(about)
      return patterns.redact(text, about, signal)
    },
  })
  fail()
  await platform.close()
  expect(lines).toEqual([
    ['Something failed', { where: 'summary', error: expect.stringMatching(/^Error: Nobody is \[email\]\n/) }],
  ])
  expect(abouts).toEqual([{ conversationId: null, language: null }])
})

test('RD8 an error that is not read in time is withheld, and closing waits for its line', async () => {
  const { clock, errors, fail, platform } = begin(
    { redact: () => new Promise(() => {}) },
    { redactionDeadline: 300 },
  )
  fail()
  const closing = platform.close()
  await clock.settle()
  expect(errors()).toEqual([])
  await clock.advance(300)
  await closing
  expect(errors()).toEqual(['[withheld]'])
})

test('RD8 a redactor that fails for every text is told of, and logs no error again and again', async () => {
  const { errors, fail, platform } = begin({
    redact(text) {
      throw new TypeError(text)
    },
  })
  fail(2)
  platform.settings.onError(new Error('The redactor failed (TypeError).'), 'redactor')
  await platform.close()
  expect(errors().sort()).toEqual([
    expect.stringContaining('The redactor failed (TypeError).'),
    '[withheld]',
    '[withheld]',
  ])
})

test('RD8 the errors that wait for a redactor have a bound', async () => {
  let asked = 0
  const { errors, fail, platform } = begin({
    async redact(text) {
      asked++
      return { text, found: {} }
    },
  })
  fail(150)
  await platform.close()
  expect(asked).toBe(100)
  expect(errors().filter(text => text === '[withheld]')).toHaveLength(50)
})
