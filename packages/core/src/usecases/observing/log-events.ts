import type { Log } from '../../ports/log.ts'
import type { Observers } from './observers.ts'

/** Lines of what happens to conversations, handoffs and deployments, with ids and without words of anyone (OB2). */
export function logEvents({ on }: Pick<Observers, 'on'>, log: Log): void {
  on('conversation.started', ({ conversationId, agentId, environment, channel }) =>
    log.info('A conversation has started', {
      conversation: conversationId,
      agent: agentId,
      environment,
      channel,
    }),
  )
  on('conversation.completed', ({ conversationId, endReason, turns, duration }) =>
    log.info('A conversation is over', { conversation: conversationId, reason: endReason, turns, duration }),
  )
  on('handoff.requested', ({ conversationId, handoffId, queueName }) =>
    log.info('A handoff was requested', {
      conversation: conversationId,
      handoff: handoffId,
      queue: queueName,
    }),
  )
  on('handoff.accepted', ({ conversationId, handoffId, liveAgent }) =>
    log.info('A live agent has joined', {
      conversation: conversationId,
      handoff: handoffId,
      liveAgent: liveAgent.id,
    }),
  )
  on('handoff.failed', ({ conversationId, handoffId }) =>
    log.info('A handoff has failed', { conversation: conversationId, handoff: handoffId }),
  )
  on('handoff.returned', ({ conversationId, handoffId, liveAgent }) =>
    log.info('A visitor was returned to the agent', {
      conversation: conversationId,
      handoff: handoffId,
      liveAgent: liveAgent.id,
    }),
  )
  on('handoff.transferred', ({ conversationId, handoffId, from, liveAgent, queueName }) =>
    log.info('A visitor was transferred', {
      conversation: conversationId,
      handoff: handoffId,
      from: from.id,
      ...(liveAgent === null ? { queue: queueName } : { liveAgent: liveAgent.id }),
    }),
  )
  on('deployment.created', ({ agentId, environment, deploymentId, revision, type }) =>
    log.info('A version was deployed', {
      agent: agentId,
      environment,
      deployment: deploymentId,
      revision,
      type,
    }),
  )
}
