import { createMemoryStore } from '@colloquy/core/memory'
import type { ResourceChange } from '../../packages/core/src/domain/agent/content.ts'
import type { AccountId } from '../../packages/core/src/domain/ids.ts'
import { createPlatform, type PlatformOptions } from '../../packages/core/src/platform.ts'
import { contextOf } from '../../packages/core/src/platform-context.ts'
import { silentLog } from '../../packages/core/src/ports/log.ts'
import { anAgent, createFakeClock, createScriptedRuntime } from '../../packages/core/src/testing/index.ts'
import { TEST_BRAND } from './brand.ts'

/** Content of every agent that the platform made, except its variant. */
const CONTENT: readonly ResourceChange[] = [
  { kind: 'behavior', id: '', value: { behavior: 'Be kind.' } },
  {
    kind: 'response_settings',
    id: '',
    value: { greeting: 'Hello', languageCode: 'en-GB', voiceId: null, modelId: null },
  },
]

/** A platform over the memory adapter, a clock that stands until it is moved, and an agent that never answers. */
export function createTestPlatform(settings: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const errors: { error: unknown; where: string }[] = []
  const platform = createPlatform({
    log: silentLog,
    store: createMemoryStore(),
    runtime: createScriptedRuntime({}, clock),
    clock,
    rateLimits: null,
    onError: (error, where) => errors.push({ error, where }),
    brand: TEST_BRAND,
    ...settings,
  })
  const addAgent = async (id: string, accountId: AccountId): Promise<void> => {
    await contextOf(platform).store.agents.create(anAgent(id, { accountId, changes: CONTENT }))
  }
  return { platform, clock, errors, addAgent }
}

/** The same with two accounts, two agents of the first, one of the second, and a key of each kind for the first. */
export async function createPopulatedPlatform(settings: Partial<PlatformOptions> = {}) {
  const made = createTestPlatform(settings)
  const { access } = made.platform
  const one = await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const two = await access.createAccount({ accountId: 'ws-two', slug: 'two', name: 'Two' })
  await made.addAgent('PROJECT-A', one.id)
  await made.addAgent('PROJECT-B', one.id)
  await made.addAgent('PROJECT-Z', two.id)
  const issue = async (input: Parameters<typeof access.createApiKey>[0]) =>
    (await access.createApiKey(input)).secret
  return {
    ...made,
    keys: {
      workspace: await issue({ kind: 'workspace', accountId: one.id }),
      project: await issue({ kind: 'project', accountId: one.id, agentId: 'PROJECT-A' }),
      externalEvents: await issue({ kind: 'external_events', accountId: one.id }),
      desk: await issue({ kind: 'desk', accountId: one.id }),
      operator: await issue({ kind: 'operator' }),
    },
  }
}
