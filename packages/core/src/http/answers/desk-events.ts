import * as z from 'zod'
import { sentFileSchema } from '../../domain/conversation/event-payloads.ts'
import { list } from './answer.ts'
import { handoff, offeredTo } from './conversing.ts'
import { deskNote, deskSummary } from './desk-note.ts'

const of = { handoff_id: z.string(), session_id: z.string() }

/** Every frame of the desk's socket, by its type (contract/desk.md, Socket; MS42). */
export const DESK_EVENTS = {
  'handoff.waiting': z.object({ type: z.literal('handoff.waiting'), handoff }),
  'handoff.accepted': z.object({ type: z.literal('handoff.accepted'), handoff }),
  'handoff.offered': z.object({
    type: z.literal('handoff.offered'),
    ...of,
    /** Null for a visitor who is for anyone again. */
    offered_to: offeredTo.nullable(),
  }),
  'handoff.visitor_message': z.object({
    type: z.literal('handoff.visitor_message'),
    ...of,
    message: z.object({
      message_id: z.string(),
      text: z.string(),
      sent_at: z.iso.datetime(),
      files: list(sentFileSchema).exactOptional(),
    }),
  }),
  'handoff.visitor_typing': z.object({
    type: z.literal('handoff.visitor_typing'),
    handoff_id: z.string(),
    state: z.enum(['started', 'stopped']),
  }),
  'handoff.visitor_presence': z.object({
    type: z.literal('handoff.visitor_presence'),
    handoff_id: z.string(),
    state: z.enum(['here', 'gone']),
  }),
  'handoff.note': z.object({ type: z.literal('handoff.note'), ...of, note: deskNote }),
  'colleague.away': z.object({
    type: z.literal('colleague.away'),
    agent_id: z.string(),
    /** Null for a live agent who is back. */
    away_since: z.iso.datetime().nullable(),
  }),
  'handoff.summary': z.object({ type: z.literal('handoff.summary'), ...of, summary: deskSummary }),
  'handoff.ended': z.object({
    type: z.literal('handoff.ended'),
    ...of,
    /** Why; left out when no reason was given. */
    reason: z.string().exactOptional(),
  }),
} as const

/** A frame of the desk's socket. */
export type DeskFrame = {
  [Type in keyof typeof DESK_EVENTS]: z.output<(typeof DESK_EVENTS)[Type]>
}[keyof typeof DESK_EVENTS]
