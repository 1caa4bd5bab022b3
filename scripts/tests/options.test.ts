import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createPlatform, isPlatformError, systemClock } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createScriptedRuntime } from '@colloquy/core/testing'
import { createRouter } from '@colloquy/http-express'
import { describe, expect, test } from 'vitest'
import { filesOf } from '../run-tests.ts'
import { REPOSITORY } from '../workspace-packages.ts'

/** Reports of what runs in a browser, or in tests alone. */
const ELSEWHERE = /^api\/(client|widget|core-testing|voice-gateway-testing)/

/** Functions whose options are checked before they get there, by what takes them from a host. */
const INNER = new Set([
  'createDispatcher',
  'createPeopleDispatcher',
  'attachEndpoint',
  'createEndpoint',
  'createBrokerBus',
  'createExpressServer',
  'dispatcherOf',
])

/** Options without which a function looks at no others. */
const NEEDED: Readonly<Record<string, object>> = {
  createConsole: { authorize: () => null },
  createPostgresBus: { url: 'postgres://127.0.0.1:1/none' },
  createSqliteStore: { filename: ':memory:' },
  attachTwilioVoice: { authToken: 'secret' },
}

const runtime = createScriptedRuntime({ greeting: 'Hello.' }, systemClock)
const platform = createPlatform({ store: createMemoryStore(), runtime })

/** What stands before the options, by its name. */
const BEFORE: Readonly<Record<string, () => unknown>> = {
  ...{
    server: () => createServer(),
    platform: () => platform,
    mounted: () => platform,
    runtime: () => runtime,
  },
  ...{ routes: () => [], router: () => createRouter(platform) },
}

interface Taker {
  readonly entry: string
  readonly name: string
  readonly before: readonly string[]
  /** Names of its options that are numbers. */
  readonly numbers: readonly string[]
}

/** Returns the numbers among the options of an interface, and of those that it extends. */
function numbersOf(report: string, type: string): readonly string[] {
  const found = new RegExp(`interface ${type}(?: extends ([^{]+))? \\{([\\s\\S]*?)\\n\\}`).exec(report)
  if (found === null) return []
  const [, parents = '', body = ''] = found
  const own = [...body.matchAll(/readonly (\w+)\?: number;/g)].map(([, name = '']) => name)
  return [...own, ...parents.split(/,\s*/).flatMap(parent => numbersOf(report, parent.trim()))]
}

const TAKERS: readonly Taker[] = filesOf(['api/*.md'])
  .filter(file => !ELSEWHERE.test(file))
  .flatMap(file => {
    const report = readFileSync(`${REPOSITORY}/${file}`, 'utf8')
    const name = /API Report File for "([^"]+)"/.exec(report)?.[1] ?? ''
    const folder = name.replace('@colloquy/', '')
    const part = file.slice(`api/${folder}`.length, -'.md'.length).replace(/^-/, '')
    const entry = part === '' ? name : `${name}/${part}`
    const lines = report.matchAll(
      /^export function ((?:create|attach|with)\w+)\((.*?)\w+\??: (\w+Options)\)/gm,
    )
    return [...lines]
      .filter(([, taker = '']) => !INNER.has(taker))
      .map(([, taker = '', before = '', type = '']) => ({
        ...{ entry, name: taker, numbers: numbersOf(report, type) },
        before: [...before.matchAll(/(\w+)\??: /g)].map(([, word = '']) => word),
      }))
  })

/** Returns what a function throws, or rejects with. */
async function refusalOf({ before, entry, name }: Taker, options: object): Promise<unknown> {
  const module: Record<string, (...given: readonly unknown[]) => unknown> = await import(entry)
  try {
    await module[name]?.(...before.map(word => BEFORE[word]?.()), { ...NEEDED[name], ...options })
  } catch (error) {
    return isPlatformError(error) && error.code === 'SCHEMA_VALIDATION_FAILED' ? error.message : error
  }
}

describe('options', () => {
  test('EM4 many functions take options', () => expect(TAKERS.length).toBeGreaterThan(40))

  test.each(TAKERS)('EM4 $name refuses one that it does not know', async taker => {
    expect(await refusalOf(taker, { unheardOf: 1 })).toMatch(/unheardOf/)
  })

  test.each(TAKERS.flatMap(taker => taker.numbers.map(option => ({ ...taker, option }))))(
    'EM4 $name refuses $option unless it is a number in its range',
    async ({ option, ...taker }) => {
      for (const value of [Number.NaN, -1, Number.POSITIVE_INFINITY, '5'])
        expect(await refusalOf(taker, { [option]: value })).toMatch(new RegExp(`\\b${option}\\b.*must`))
    },
  )
})
