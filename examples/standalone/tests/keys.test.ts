import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { type Platform, silentLog } from '@colloquy/core'
import { expect, test } from 'vitest'
import { provideKeys } from '../src/keys.ts'
import { seedDemo } from '../src/seed.ts'
import { CREDENTIAL_VARIABLES, readSettings } from '../src/settings.ts'
import { openPlatform } from './support.ts'

/** Provides the keys as a start does, and returns what was shown. */
async function start(platform: Pick<Platform, 'access'>, environment: NodeJS.ProcessEnv = {}) {
  const shown = new Map<string, string>()
  const settings = readSettings(environment)
  const show = (secrets: ReadonlyMap<string, string>): void => {
    for (const [variable, secret] of secrets) shown.set(variable, secret)
  }
  await provideKeys(platform, { settings, log: silentLog, show })
  return shown
}

async function seededPlatform() {
  const store = createSqliteStore({ filename: ':memory:' })
  const platform = openPlatform(store)
  await seedDemo(platform)
  return platform
}

const inForce = async ({ access }: Pick<Platform, 'access'>) => ({
  keys: (await access.apiKeys()).apiKeys.filter(({ revokedAt }) => revokedAt === null),
  connectors: (await access.connectors()).connectors.filter(({ revokedAt }) => revokedAt === null),
})

test('SS5 all that is not given is generated and shown, and the next start shows nothing', async () => {
  const platform = await seededPlatform()
  const shown = await start(platform, { COLLOQUY_DESK_KEY: 'desk-key-from-outside' })
  expect([...shown.keys()]).toEqual(CREDENTIAL_VARIABLES.filter(name => name !== 'COLLOQUY_DESK_KEY'))
  expect(await start(platform, { COLLOQUY_DESK_KEY: 'desk-key-from-outside' })).toEqual(new Map())
  const { keys, connectors } = await inForce(platform)
  expect([keys.length, connectors.length]).toEqual([5, 1])
})

test('SS5 all secrets are shown at once, before the first of them is stored', async () => {
  const platform = await seededPlatform()
  const settings = readSettings({})
  const steps: string[] = []
  const access = {
    ...platform.access,
    createApiKey: (input: Parameters<Platform['access']['createApiKey']>[0]) => {
      steps.push('stored')
      return platform.access.createApiKey(input)
    },
  }
  const show = ({ size }: ReadonlyMap<string, string>): void => void steps.push(`${size} shown`)
  await provideKeys({ access }, { settings, log: silentLog, show })
  expect(steps).toEqual(['6 shown', ...Array.from({ length: 5 }, () => 'stored')])
})

test('SS5 a generated key that was revoked is generated anew', async () => {
  const platform = await seededPlatform()
  await start(platform)
  const { keys } = await inForce(platform)
  for (const key of keys) if (key.kind === 'project') await platform.access.revokeApiKey(key.id)
  expect([...(await start(platform)).keys()]).toEqual(['COLLOQUY_PROJECT_KEY'])
})

test('SS5 a given credential stands beside the generated one, which keeps working', async () => {
  const platform = await seededPlatform()
  const shown = await start(platform)
  const given = 'operator-key-from-outside'
  expect(await start(platform, { COLLOQUY_OPERATOR_KEY: given })).toEqual(new Map())
  for (const secret of [given, shown.get('COLLOQUY_OPERATOR_KEY') ?? '']) {
    expect(await platform.access.authenticate(secret, ['operator'], null)).not.toBeNull()
  }
})

test('SS5 a generated secret that is given is not stored twice', async () => {
  const platform = await seededPlatform()
  const shown = await start(platform)
  expect(await start(platform, Object.fromEntries(shown))).toEqual(new Map())
  const { keys, connectors } = await inForce(platform)
  expect([keys.length, connectors.length]).toEqual([5, 1])
})
