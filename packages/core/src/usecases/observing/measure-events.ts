import type { Telemetry } from '../../ports/telemetry.ts'
import type { Observers } from './observers.ts'

/** Figures of what happens (PM1). */
export function measureEvents({ on }: Pick<Observers, 'on'>, { measure }: Pick<Telemetry, 'measure'>): void {
  on('conversation.started', ({ agentId: agent, environment }) =>
    measure('colloquy.conversations', 1, { agent, environment, event: 'started' }),
  )
  on('conversation.completed', ({ agentId: agent, environment }) =>
    measure('colloquy.conversations', 1, { agent, environment, event: 'completed' }),
  )
  for (const event of ['requested', 'accepted', 'failed'] as const)
    on(`handoff.${event}`, ({ agentId: agent, environment }) =>
      measure('colloquy.handoffs', 1, { agent, environment, event }),
    )
  on('words.redacted', ({ agentId: agent, environment, found }) => {
    for (const [kind, count] of Object.entries(found))
      measure('colloquy.redactions', count, { agent, environment, kind })
  })
  on('words.guarded', ({ agentId: agent, environment, direction, verdict }) =>
    measure('colloquy.guard', 1, { agent, environment, direction, verdict }),
  )
  on('turn.completed', ({ agentId: agent, environment, duration, firstText }) => {
    measure('colloquy.turn.duration', duration, { agent, environment, outcome: 'completed' })
    if (firstText !== null) measure('colloquy.turn.first_chunk', firstText, { agent, environment })
  })
  on('turn.spoken', ({ agentId: agent, environment, ...turn }) => {
    for (const part of ['endpoint', 'stt', 'first_text', 'first_audio'] as const)
      measure('colloquy.voice.latency', turn[`${part}_ms`], { agent, environment, part })
  })
  on('turn.failed', ({ agentId: agent, environment, duration }) => {
    measure('colloquy.turn.duration', duration, { agent, environment, outcome: 'failed' })
    measure('colloquy.errors', 1, { code: 'AGENT_FAILED', where: 'turn' })
  })
}
