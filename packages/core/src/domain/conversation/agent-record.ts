import type { RecordBeginning } from './record-text.ts'

/**
 * A record as the Agents API shows it (contract/conversations.md), up to its turns: the same facts in other words. The
 * platform does not tag, summarise or annotate conversations, so these fields are empty.
 */
export const agentRecordBeginning: RecordBeginning = json => {
  const { function_events: events = [] } = json.details.value
  return `${beforeAgentEvents(json).slice(0, -1)}${JSON.stringify(events)},"turns":`
}

/** The same up to the first of its function events, for a record whose turns are longer than a slice. */
export const beforeAgentEvents: RecordBeginning = ({ summary, details }) => {
  const record = { ...summary.value, ...details.value }
  const head = {
    conversationId: record.id,
    accountId: record.account_id,
    projectId: record.project_id,
    createdAt: record.started_at,
    startedAt: record.started_at,
    finishedAt: record.finished_at,
    channel: record.channel,
    fromNumber: record.from_number,
    toNumber: record.to_number,
    language: record.language,
    variantId: record.variant_id,
    clientEnv: record.environment,
    totalDuration: record.total_duration,
    aiDuration: record.ai_duration,
    duration: record.total_duration,
    inProgress: record.in_progress,
    handoff: record.handoff,
    handoffDestination: record.handoff_destination,
    handoffReason: record.handoff_reason,
    direction: record.direction,
    tags: [],
    shortSummary: '',
    deploymentId: record.deployment_id,
    note: '',
    metrics: record.metrics,
  }
  return `${JSON.stringify(head).slice(0, -1)},"functionEvents":[`
}
