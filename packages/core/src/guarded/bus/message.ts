import * as z from 'zod'
import type { Signer } from '../../domain/bus/signature.ts'
import { TRANSIENT_EVENT_TYPES, type TransientEvent } from '../../domain/conversation/event.ts'
import { EVENT_PAYLOADS } from '../../domain/conversation/event-payloads.ts'
import { type BusMessage, LONGEST_MESSAGE } from '../../ports/bus.ts'
import type { Notice, NoticeTopic } from '../../ports/notices.ts'

const count = z.int().min(0)

const transient = z
  .object({
    type: z.enum(TRANSIENT_EVENT_TYPES),
    payload: z.record(z.string(), z.json()),
    custom: z.record(z.string(), z.string()).nullable(),
    to: z.string().nullable(),
    orSince: count.exactOptional(),
  })
  .refine(
    ({ type, payload }) => EVENT_PAYLOADS[type].safeParse(payload).success,
  ) satisfies z.ZodType<TransientEvent>

const CONVERSATION = z.object({
  sequence: count,
  // No event of the log is taken from a bus: receivers read them there.
  events: z.array(z.unknown()).transform(() => []),
  transients: z.array(transient),
  again: z.object({ to: z.string(), sequence: count }).exactOptional(),
})

const QUESTION = z.object({ conversationId: z.string(), connection: z.string(), positionAt: z.number() })

const DUE = z.object({ at: z.number() })

const BARE = z.object({ changed: z.literal(true) })

const MESSAGE = z.object({
  from: z.string(),
  number: count,
  at: z.number(),
  notice: z.unknown(),
  signature: z.string(),
})

function schemaOf(topic: NoticeTopic): z.ZodType<Notice> {
  if (topic === 'question') return QUESTION
  if (topic.startsWith('due:')) return DUE
  return topic.startsWith('conversation:') ? CONVERSATION : BARE
}

/** Returns the signed text of a message: a notice of one topic is none of another. */
const textOf = (topic: NoticeTopic, { from, number, at, notice }: Omit<BusMessage, 'signature'>): string =>
  JSON.stringify([topic, from, number, at, notice])

/** Leaves out ephemeral events: receivers then only get the length of the log. */
export const bareNotice = (notice: Notice): Notice =>
  'transients' in notice ? { sequence: notice.sequence, events: [], transients: [] } : notice

/** Returns the part of a notice that goes over a bus: no text of the log. */
function sentNotice(notice: Notice): Notice {
  if (!('transients' in notice)) return notice
  const { sequence, transients, again } = notice
  if (again === undefined) return { sequence, events: [], transients }
  return { sequence, events: [], transients, again: { to: again.to, sequence: again.sequence } }
}

/** Makes a signed message. One that would be too long says only how far the log is. */
export function signMessage(
  signer: Signer,
  topic: NoticeTopic,
  given: Omit<BusMessage, 'signature'>,
): BusMessage {
  const sent = { ...given, notice: sentNotice(given.notice) }
  const text = textOf(topic, sent)
  if (text.length <= LONGEST_MESSAGE) return { ...sent, signature: signer.sign(text) }
  const short = { ...sent, notice: bareNotice(sent.notice) }
  return { ...short, signature: signer.sign(textOf(topic, short)) }
}

/** A message that a process of the deployment has signed, or why it is refused. */
export type ReadMessage = BusMessage | 'foreign' | 'malformed'

/** Checks the form of a message and its signature, in this order: what is long or no message costs little (NT37). */
export function readMessage(signer: Signer, topic: NoticeTopic, given: unknown): ReadMessage {
  const message = MESSAGE.safeParse(given).data
  if (message === undefined) return 'malformed'
  const { from, number, at, signature } = message
  const text = JSON.stringify([topic, from, number, at, message.notice])
  if (text.length > LONGEST_MESSAGE || !signer.isSigned(text, signature)) return 'foreign'
  const notice = schemaOf(topic).safeParse(message.notice).data
  return notice === undefined ? 'malformed' : { from, number, at, notice, signature }
}
