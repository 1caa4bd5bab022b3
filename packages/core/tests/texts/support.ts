import { createTestPlatform } from '@colloquy/test-support/platform'
import { onTestFinished } from 'vitest'
import type { PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import {
  createFakeClock,
  createScriptedCarrier,
  createScriptedRuntime,
  type Script,
  type ScriptedCarrier,
} from '../../src/testing/index.ts'
import type { InboundText } from '../../src/usecases/texts/text-fields.ts'

/** The agent's numbers and a user's. */
export const OURS = '+12025550100'
export const OTHER = '+12025550101'
/** A sender that the carrier knows by its own id. */
export const SENDER = 'MG1'
export const THEIRS = '+12025550111'

const SCRIPT: Script = {
  greeting: 'Welcome.',
  messages: {
    bye: ['Goodbye.', { type: 'end' }],
    long: 'x'.repeat(2_000),
    nothing: [{ type: 'delayed' }],
  },
  otherwise: turn => (turn.input.type === 'message' ? `You said ${turn.input.text}.` : ''),
}

/** A platform with a carrier, and an agent that is live at two numbers. */
export async function startTexts(
  options: Partial<PlatformOptions> = {},
  script: Script = SCRIPT,
  carrier: ScriptedCarrier | null = createScriptedCarrier(),
) {
  const clock = createFakeClock(Date.UTC(2026, 0, 1))
  const runtime = createScriptedRuntime(script, clock)
  const sending = carrier === null ? {} : { textCarrier: carrier }
  const { platform, errors } = createTestPlatform({ runtime, clock, ...sending, ...options })
  onTestFinished(() => platform.close())
  const { access, agents } = platform
  const account = await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const made = { accountId: account.id, name: 'Desk', greeting: 'Hello' }
  const agent = await agents.create({ ...made, agentId: 'PROJECT-A' })
  await agents.publish(agent.id, { environment: 'live', deploymentMessage: 'First' })
  const of = { accountId: account.id, agentId: agent.id, environment: 'live' as const }
  const connector = await access.createTelephonyConnector({ ...of, name: 'Line' })
  const { store } = contextOf(platform)
  const numbers = [OURS, OTHER, SENDER].map(number => ({
    ...of,
    ...{ number, connectorId: connector.id, createdAt: clock.now() },
  }))
  await store.access.phoneNumbers.add(numbers, 10)

  let count = 0
  const settle = async (): Promise<void> => {
    await clock.settle()
    await platform.idle()
    await clock.settle()
  }
  return {
    ...{
      account,
      agent,
      carrier: carrier ?? createScriptedCarrier(),
      clock,
      connector,
      errors,
      platform,
      settle,
      store,
    },
    /** A user texts; resolves once the agent has answered. */
    async text(text: string, values: Partial<InboundText> = {}) {
      count += 1
      const given = { id: `IN-${count}`, from: THEIRS, to: OURS, ...values }
      const receipt = await platform.texts.received({ ...given, text })
      await settle()
      return receipt
    },
    /** Texts that the carrier has taken. */
    sent: () => (carrier?.taken ?? []).map(({ text }) => text),
    /** Lets so much time pass, in steps in which the platform wakes its conversations. */
    async wait(milliseconds: number) {
      await clock.advance(milliseconds)
      await settle()
    },
    record: async (id: string | null) => (await store.conversations.load(id ?? ''))?.state ?? null,
  }
}
