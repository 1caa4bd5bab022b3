import { expect } from 'vitest'
import type { ReplayInput } from '../../src/index.ts'
import type { Platform } from '../../src/platform.ts'
import type { RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import { AGENT, type Bench } from './support.ts'

export const refusal = (code: string) => expect.objectContaining({ code })

/** Has a conversation in live and ends it. Resolves to its id. */
export async function talk(platform: Platform, ...said: readonly string[]): Promise<string> {
  const agent = await platform.agents.find(AGENT)
  const { connector } = await platform.access.createConnector({
    ...{ accountId: agent?.accountId ?? '', agentId: AGENT, environment: 'live', hosts: [] },
  })
  const { conversationId } = await platform.chat.create(connector, {})
  for (const message of said) await platform.chat.respond(connector, { conversationId, message })
  await platform.chat.close(connector, conversationId)
  return conversationId
}

/** What the agent says in live is published, and some conversations were had. */
export async function recorded(bench: Bench, ...conversations: readonly (readonly string[])[]) {
  const deployment = await bench.platform.agents.publish(AGENT, { environment: 'live' })
  const ids: string[] = []
  for (const said of conversations) {
    await bench.clock.advance(10)
    ids.push(await talk(bench.platform, ...said))
  }
  return { deploymentId: deployment.id, ids }
}

/** Replays, and resolves to what it came to. */
export async function replayed(platform: Platform, input: ReplayInput) {
  const { id } = await platform.agents.startReplay(AGENT, input)
  await platform.idle()
  const report = await platform.agents.replay(AGENT, id)
  return { id, report, turns: (await platform.agents.replayTurns(AGENT, id)).turns }
}

export const textOf = ({ input }: RuntimeTurn): string => (input.type === 'message' ? input.text : '')
