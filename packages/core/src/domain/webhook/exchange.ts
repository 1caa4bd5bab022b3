import { startOf, wellFormedText } from '../cut-text.ts'

/** The body of an answer, as far as it is kept. All of it is what a stranger says. */
export interface AnswerBody {
  /** As the receiver named it; null when it did not. */
  readonly contentType: string | null
  /** How much of the body was read. */
  readonly bytes: number
  /** How its text begins; null when it is no text. */
  readonly text: string | null
  /** Whether the body went on behind `text`, or behind `bytes` where there is no text. */
  readonly isCut: boolean
}

/** The newest attempt of a delivery: where and when it was sent, and what came back. */
export interface WebhookExchange {
  readonly url: string
  /** In whole seconds, as its `webhook-timestamp` says. */
  readonly sentAt: number
  /** Null when nothing came back, and when nothing but the status is kept of it (WH71). */
  readonly body: AnswerBody | null
}

/** What is kept of an answer at most, characters (WH70). */
const ANSWER_LIMITS = { text: 1_000, contentType: 200 } as const

/** Whatever a sender passes on, no more than the limits is kept of it. */
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

/** When a request that is signed at that moment says that it was sent. */
export const sentAtOf = (now: number): number => Math.floor(now / 1000) * 1000

/** What is kept of an attempt. */
export const exchangeOf = (url: string, sentAt: number, body: AnswerBody | null): WebhookExchange => ({
  url,
  sentAt: sentAtOf(sentAt),
  body: body === null ? null : keptBody(body),
})
