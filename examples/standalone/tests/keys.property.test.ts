import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { type Platform, silentLog } from '@colloquy/core'
import { runs } from '@colloquy/test-support/runs'
import { expect, test } from 'vitest'
import { provideKeys } from '../src/keys.ts'
import { seedDemo } from '../src/seed.ts'
import { readSettings } from '../src/settings.ts'
import { Killed, killAfter, openPlatform } from './support.ts'

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

test('SS5 a start that is killed between any two steps leaves no key in force that nobody has seen', async () => {
  const whole = killAfter(Number.POSITIVE_INFINITY)
  await start({ access: whole.wrap((await seededPlatform()).access) })
  // Every place with the campaigns.
  const step = runs(3, 1)
  for (let allowed = 0; allowed < whole.calls(); allowed += step) {
    const platform = await seededPlatform()
    const shown = new Map<string, string>()
    const settings = readSettings({})
    const show = (secrets: ReadonlyMap<string, string>): void => {
      for (const [variable, secret] of secrets) shown.set(variable, secret)
    }
    const killed = provideKeys(
      { access: killAfter(allowed).wrap(platform.access) },
      { settings, log: silentLog, show },
    )
    await expect(killed).rejects.toBeInstanceOf(Killed)
    await provideKeys(platform, { settings, log: silentLog, show })
    for (const kind of ['operator', 'workspace', 'project', 'external_events', 'desk'] as const) {
      const secret = shown.get(`COLLOQUY_${kind.toUpperCase()}_KEY`) ?? ''
      expect(
        await platform.access.authenticate(secret, [kind], null),
        `${kind} after ${allowed}`,
      ).not.toBeNull()
    }
    expect(await platform.access.connectorByToken(shown.get('COLLOQUY_CONNECTOR_TOKEN') ?? '')).not.toBeNull()
    const { keys, connectors } = await inForce(platform)
    expect([keys.length, connectors.length]).toEqual([5, 1])
  }
})
