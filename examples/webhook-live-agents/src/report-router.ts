import {
  type Clock,
  type DeskHandoff,
  isPlatformError,
  type LiveAgentCallbacks,
  type Platform,
  systemClock,
} from '@colloquy/core'
import type { Router } from 'express'
import { type Report, reportSchema } from './reports.ts'
import { createSignedRouter, type Reply } from './signed-router.ts'

/** The part of a platform that the router needs. */
type ReportedTo = Pick<Platform, 'liveAgents' | 'desk' | 'settings'>

/**
 * Takes what the other system reports: `app.use('/live-agents', createReportRouter(platform, { secret }))`, before body
 * parsers.
 *
 * `200` it is so now, also when it was so already (WL8); `400` no report; `401` not signed, or too old; `404` there is
 * no such handoff; `409` the handoff does not allow it now, with `handoff_status`: when that is `over`, nothing more
 * has to be sent.
 *
 * @throws Error for an invalid secret
 */
export function createReportRouter(
  platform: ReportedTo,
  { secret, clock = systemClock }: { readonly secret: string; readonly clock?: Clock },
): Router {
  const { settings } = platform
  const bodyBytes = settings.limits.bodyBytes.desk
  const onError = (error: unknown): void => settings.onError(error, 'live-agent reports')
  return createSignedRouter({ secret, clock, bodyBytes, onError }, json => takeReport(platform, json))
}

async function takeReport(platform: ReportedTo, json: unknown): Promise<Reply> {
  const parsed = reportSchema.safeParse(json)
  const [issue] = parsed.success ? [] : parsed.error.issues
  if (!parsed.success) return refuse(400, `${issue?.path.join('.') || 'report'}: ${issue?.message}`)
  const { data: report } = parsed
  try {
    if (await passOn(platform.liveAgents, report)) return { status: 200, body: { status: 'taken' } }
  } catch (error) {
    // The platform's own bounds, such as that of a text.
    if (isPlatformError(error) && error.code === 'SCHEMA_VALIDATION_FAILED') return refuse(400, error.message)
    throw error
  }
  const handoff = await find(platform, report)
  if (handoff === null)
    return refuse(404, `There is no handoff ${report.handoff_id} of ${report.account_id}.`)
  if (standsAlready(report, handoff)) return { status: 200, body: { status: 'taken' } }
  const error = `The handoff is ${handoff.status}: "${report.type}" is not allowed in that state.`
  return { status: 409, body: { error, handoff_status: handoff.status } }
}

const refuse = (status: number, error: string): Reply => ({ status, body: { error } })

/** False when nothing came of it. */
function passOn(liveAgents: LiveAgentCallbacks, report: Report): Promise<boolean> {
  const handoffId = report.handoff_id
  switch (report.type) {
    case 'accepted':
      return liveAgents.accepted(handoffId)
    case 'queue_status': {
      const { position, estimated_wait_seconds: estimatedWaitSeconds } = report
      return liveAgents.queueStatus(handoffId, { position, estimatedWaitSeconds })
    }
    case 'joined': {
      const { id, name, avatar_url: avatarUrl } = report.agent
      return liveAgents.joined(handoffId, { id, name, avatarUrl })
    }
    case 'typing':
      return liveAgents.typing(handoffId, report.state)
    case 'message': {
      const { message_id: messageId, text, attachments = [] } = report
      return liveAgents.message(handoffId, { messageId, text, attachments })
    }
    case 'left':
      return liveAgents.left(handoffId, report.reason)
    case 'failed':
      return liveAgents.failed(handoffId, report.reason)
  }
}

async function find({ desk }: ReportedTo, report: Report): Promise<DeskHandoff | null> {
  try {
    return await desk.handoff(report.account_id, report.handoff_id)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'HANDOFF_NOT_FOUND') return null
    throw error
  }
}

/** True when the handoff is where the report wants it: the answer to an earlier one was lost. */
function standsAlready(report: Report, { status, agent }: DeskHandoff): boolean {
  switch (report.type) {
    case 'accepted':
      return status === 'waiting' || status === 'active'
    case 'joined':
      return status === 'active' && agent?.id === report.agent.id
    case 'left':
    case 'failed':
      return status === 'over'
    case 'queue_status':
    case 'typing':
    case 'message':
      return false
  }
}
