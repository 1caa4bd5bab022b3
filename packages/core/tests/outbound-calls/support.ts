import { createTestPlatform } from '@colloquy/test-support/platform'
import { onTestFinished } from 'vitest'
import type { PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import {
  createFakeClock,
  createScriptedCallProvider,
  createScriptedRuntime,
  type ScriptedCallProvider,
} from '../../src/testing/index.ts'
import type { OutboundCallInput } from '../../src/usecases/calls/call-fields.ts'

/** The agent's number and a user's. */
export const OURS = '+12025550100'
export const THEIRS = '+12025550111'

export const HOUR = 3_600_000

/** A platform with a provider of calls, and an agent that is live at a number. */
export async function startCalls(
  options: Partial<PlatformOptions> = {},
  provider: ScriptedCallProvider | null = createScriptedCallProvider(),
) {
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const runtime = createScriptedRuntime({ greeting: 'Welcome.' }, clock)
  const calling = provider === null ? {} : { callProvider: provider }
  // Hours pass: nothing is to be looked for but calls that are due.
  const calm = { wakeInterval: HOUR, queueStatusInterval: HOUR }
  const { platform, errors } = createTestPlatform({ runtime, clock, ...calm, ...calling, ...options })
  onTestFinished(() => platform.close())
  const { access, agents, calls } = platform
  const account = await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const made = { accountId: account.id, name: 'Desk', greeting: 'Hello' }
  const agent = await agents.create({ ...made, agentId: 'PROJECT-A' })
  await agents.publish(agent.id, { environment: 'live', deploymentMessage: 'First' })
  const of = { accountId: account.id, agentId: agent.id, environment: 'live' as const }
  const line = await access.createTelephonyConnector({ ...of, name: 'Line', ttsLangCode: 'de-DE' })
  const { store } = contextOf(platform)
  const number = { ...of, number: OURS, connectorId: line.id, createdAt: clock.now() }
  await store.access.phoneNumbers.add([number], 10)
  const asked: OutboundCallInput = { agentId: agent.id, environment: 'live', to: THEIRS }
  return {
    ...{ account, agent, clock, errors, line, platform, store },
    provider: provider ?? createScriptedCallProvider(),
    asked,
    place: (values: Partial<OutboundCallInput> = {}) => calls.place({ ...asked, ...values }),
    /** How a call stands; null for one that is not there. */
    status: (id: string) =>
      calls.find({ agentId: agent.id, id }).then(
        ({ phase, reason }) => ({ phase, reason }),
        () => null,
      ),
    /** The conversation of a call, as it is stored. */
    conversation: async (id: string) => (await store.conversations.load(id))?.state ?? null,
    records: async () =>
      (await platform.reading.records(of, { offset: 0 }, 10)).records.map(({ json }) => json.summary.value),
  }
}
