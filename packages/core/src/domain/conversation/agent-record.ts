import { type Brand, brandedDuration, withBrandedField } from '../brand.ts'
import { isJsonObject, type Json } from '../json.ts'
import type { RecordBeginning } from './record-text.ts'

/**
 * Returns a record as the Agents API shows it (contract/conversations.md), up to its turns: the same facts in other
 * words. The platform does not tag, summarise or annotate conversations, so these fields are empty.
 */
export const agentRecordBeginning =
  (brand: Brand): RecordBeginning =>
  json => {
    const { turnEvents = [] } = json
    const events = turnEvents.flatMap((calls, index) => turnEventsText(calls, index))
    return `${beforeAgentEvents(brand)(json)}${events.join(',')}},"turns":`
  }

/** Returns the function calls of a turn under its number, from 1; empty without any. */
export const turnEventsText = (calls: readonly Json[], index: number): readonly string[] =>
  calls.length === 0 ? [] : [`"${index + 1}":${JSON.stringify(calls.map(inRecordsWords))}`]

/** Functions of a host are known by their names, and as all of a record's durations that of a call is in seconds. */
function inRecordsWords(call: Json): Json {
  if (!isJsonObject(call)) return call
  const { name = '', function_id = name, duration_ms: milliseconds } = call
  const seconds = typeof milliseconds === 'number' ? { duration: milliseconds / 1_000 } : {}
  return { ...seconds, ...call, function_id }
}

/** Returns the same up to the first of its function events, for a record whose turns are longer than a slice. */
export const beforeAgentEvents =
  (brand: Brand): RecordBeginning =>
  ({ summary, details }) => {
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
    const branded = withBrandedField<unknown>(head, 'aiDuration', brandedDuration(brand, 'Duration'))
    return `${JSON.stringify(branded).slice(0, -1)},"functionEvents":{`
  }
