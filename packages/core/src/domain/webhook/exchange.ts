import { startOf, wellFormedText } from '../cut-text.ts'

/** The body of an answer, as far as it is kept. All of it is what a stranger says. */
export interface AnswerBody {
  /** As the receiver named it; null when it did not. */
  readonly contentType: string | null
  /** The number of bytes of the body that were read. */
  readonly bytes: number
  /** The beginning of its text. Null if it is no text. */
  readonly text: string | null
  /** Whether the body went on behind `text`, or behind `bytes` if there is no text. */
  readonly isCut: boolean
}

/** The newest attempt of a delivery: where and when it was sent, and what came back. */
export interface WebhookExchange {
  readonly url: string
  /** In whole seconds, as its `webhook-timestamp` says. */
  readonly sentAt: number
  /** Null when nothing came back, and when nothing but the status is kept of it (WH70). */
  readonly body: AnswerBody | null
}

/** The largest size that is kept of an answer, characters (WH70). */
const ANSWER_LIMITS = { text: 1_000, contentType: 200 } as const

/** Never keeps more than the limits, whatever a sender returns. */
function keptBody({ contentType, bytes, text, isCut }: AnswerBody): AnswerBody {
  const begin = text === null ? null : startOf(wellFormedText(text), ANSWER_LIMITS.text)
  return {
    contentType:
      contentType === null ? null : startOf(wellFormedText(contentType), ANSWER_LIMITS.contentType),
    bytes,
    text: begin,
    isCut: isCut || begin?.length !== text?.length,
  }
}

/** Returns the time of sending that a request signed at that moment states. */
export const sentAtOf = (now: number): number => Math.floor(now / 1000) * 1000

/** Returns the part of an attempt that is kept. */
export const exchangeOf = (url: string, sentAt: number, body: AnswerBody | null): WebhookExchange => ({
  url,
  sentAt: sentAtOf(sentAt),
  body: body === null ? null : keptBody(body),
})
