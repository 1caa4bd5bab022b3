import type { Platform } from '@colloquy/core'
import { runs } from '@colloquy/test-support/runs'
import { expect, test } from 'vitest'
import { DEMO_AGENT_ID, seedDemo } from '../src/seed.ts'
import { Killed, killAfter, openPlatform } from './support.ts'

const MAIN = 'main'

/** The demo data as far as people see it: no ids, no times. */
async function demoData({ access, agents }: Platform) {
  const topics = await agents.topics(DEMO_AGENT_ID, MAIN)
  const attributes = await agents.attributes(DEMO_AGENT_ID, MAIN)
  const variants = await agents.variants(DEMO_AGENT_ID, MAIN)
  const active = await agents.activeDeployments(DEMO_AGENT_ID)
  const nameOf = new Map(attributes.map(({ id, name }) => [id, name]))
  return {
    accounts: (await access.accounts()).accounts.map(({ id, slug }) => ({ id, slug })),
    branches: (await agents.branches(DEMO_AGENT_ID)).map(({ id }) => id),
    behavior: await agents.behavior(DEMO_AGENT_ID, MAIN),
    topics: topics.map(({ id: _, ...topic }) => topic),
    attributes: attributes.map(({ name }) => name),
    variants: variants.map(({ name, isDefault, attributeValues }) => ({
      name,
      isDefault,
      attributes: Object.fromEntries(
        Object.entries(attributeValues).map(([id, value]) => [nameOf.get(id), value]),
      ),
    })),
    revisions: Object.values(active).map(deployment => deployment?.revision),
    deployments: (await agents.deployments(DEMO_AGENT_ID, 'live')).length,
  }
}

test('SS7 seeding that is cut off after any of its calls is finished by the next start', async () => {
  const whole = killAfter(Number.POSITIVE_INFINITY)
  const reference = openPlatform()
  await seedDemo({ access: whole.wrap(reference.access), agents: whole.wrap(reference.agents) })
  const expected = await demoData(reference)
  expect(whole.calls()).toBeGreaterThan(20)
  // Every place with the campaigns.
  const step = runs(5, 1)
  for (let allowed = 0; allowed < whole.calls(); allowed += step) {
    const platform = openPlatform()
    const { wrap } = killAfter(allowed)
    const cutOff = seedDemo({ access: wrap(platform.access), agents: wrap(platform.agents) })
    await expect(cutOff).rejects.toBeInstanceOf(Killed)
    await seedDemo(platform)
    expect(await demoData(platform), `cut off after ${allowed} calls`).toEqual(expected)
  }
})
