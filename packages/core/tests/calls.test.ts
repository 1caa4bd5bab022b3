import { type CallRead, type Fields, libraryCalls } from '@colloquy/test-support/library-calls'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { expect, onTestFinished, test } from 'vitest'

/** What of a platform is no call with input. */
const OTHERS = ['settings', 'closing', 'as', 'on', 'readiness', 'idle', 'close']

/** Every argument of every call that has named fields, with the path to each object within it. */
const places = (calls: readonly CallRead[]): readonly (readonly [string, number, string])[] =>
  calls.flatMap(([path, input]) =>
    input.flatMap((known, at) =>
      typeof known === 'string' ? [] : within(known).map(inner => [path, at, inner] as const),
    ),
  )

/** `""` for the argument itself, `handoff` for an object in it, `turns[]` for one in a list. */
const within = (fields: Fields): readonly string[] => [
  '',
  ...Object.entries(fields).flatMap(([name, inner]) =>
    inner === true ? [] : [Array.isArray(inner) ? `${name}[]` : name],
  ),
]

const UNKNOWN = { whatNobodyReads: 1 }

function argumentWith(place: string): unknown {
  if (place === '') return UNKNOWN
  const name = place.replace('[]', '')
  return { [name]: place.endsWith('[]') ? [UNKNOWN] : UNKNOWN }
}

const at = (target: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((object, name) => Reflect.get(Object(object), name), target)

async function answerOf(made: unknown): Promise<unknown> {
  if (made instanceof Promise) return made
  for await (const piece of made as AsyncIterable<unknown>) return piece
  return null
}

async function populated() {
  const { platform } = await createPopulatedPlatform()
  onTestFinished(() => platform.close())
  return platform
}

test('EM8 every call of the platform has a definition, and nothing else has', async () => {
  const platform = await populated()
  const calls = (part: object): readonly string[] =>
    Object.entries(part).flatMap(([name, value]) =>
      typeof value === 'function' ? [name] : calls(value).map(inner => `${name}.${inner}`),
    )
  const parts = Object.fromEntries(Object.entries(platform).filter(([name]) => !OTHERS.includes(name)))
  expect([...calls(parts)].sort()).toEqual(
    libraryCalls()
      .map(([path]) => path)
      .sort(),
  )
  expect(OTHERS.filter(name => !(name in platform))).toEqual([])
})

test.each(places(libraryCalls()))(
  'EM8 %s refuses a field that nothing reads: argument %i, "%s"',
  async (path, index, place) => {
    const platform = await populated()
    for (const acting of [platform, platform.as({ name: 'a script' })]) {
      const input = Array.from({ length: index }, () => undefined)
      const call = at(acting, path)
      if (typeof call !== 'function') throw new Error(`${path} is no call`)
      const made: unknown = Reflect.apply(call, null, [...input, argumentWith(place)])
      const where = place === '' ? path : `${place.replace('[]', '')} of ${path}`
      await expect(answerOf(made)).rejects.toMatchObject({
        code: 'SCHEMA_VALIDATION_FAILED',
        message: expect.stringMatching(`^${where} has no field "whatNobodyReads"\\. .*\\.$`),
      })
    }
  },
)

test('EM8 the message names the field that was probably meant, or those that there are', async () => {
  const platform = await populated()
  const input = { slug: 'hotel', name: 'Hotel', acountId: 'ws-a' }
  await expect(platform.access.createAccount(input)).rejects.toThrow(
    'access.createAccount has no field "acountId". Did you mean accountId?',
  )
  expect(await platform.access.account('hotel')).toBeNull()
  const rotation = { revokeEarlier: true, atOnce: true }
  await expect(platform.access.rotateTokenKeys(rotation)).rejects.toThrow(
    'access.rotateTokenKeys has no field "atOnce". It knows revokeEarlier.',
  )
  const caller = { id: 'a', nmae: 'a script' }
  expect(() => platform.as(caller)).toThrow('as has no field "nmae". Did you mean name?')
})

test('EM8 a field that is undefined is left out, and a condition of a purge is not', async () => {
  const platform = await populated()
  const query = { limit: undefined, enabled: undefined }
  const listed: unknown = Reflect.apply(platform.webhooks.endpoints, null, ['ws-one', query])
  expect(await listed).toEqual({ endpoints: [], cursor: null })
  const wanted = { olderThan: 0, accountId: undefined }
  const purged: unknown = Reflect.apply(platform.conversations.purge, null, [wanted])
  await expect(purged).rejects.toThrow('The field "accountId" is')
})

test('EM8 a circular value is refused as no JSON', async () => {
  const platform = await populated()
  const config: Record<string, unknown> = {}
  config.self = config
  const said: unknown = Reflect.apply(platform.voices.synthesize, null, [{ text: 'Hello', config }])
  await expect(said).rejects.toThrow('The input is not valid: expected JSON.')
})

test.each([
  ['access.createAccount', [], 'The field "slug" is required'],
  ['access.createApiKey', [], 'The field "kind" is required: expected one of "workspace"'],
  ['access.createConnector', [], 'account'],
  ['agents.create', [], '"name" is required'],
  ['agents.createBranch', ['PROJECT-A'], 'branchName'],
  ['agents.duplicate', ['PROJECT-A'], 'newAgentName'],
  ['webhooks.createEndpoint', ['ws-one'], 'url'],
])('EM8 %s without its input is refused as an input without fields is', async (path, input, words) => {
  const call = at(await populated(), path)
  if (typeof call !== 'function') throw new Error(`${path} is no call`)
  const answer: unknown = Reflect.apply(call, null, input)
  await expect(answer).rejects.toMatchObject({
    name: 'PlatformError',
    message: expect.stringContaining(words),
  })
})
