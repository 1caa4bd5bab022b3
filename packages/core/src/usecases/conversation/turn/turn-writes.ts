import type { ConversationState } from '../../../domain/conversation/state.ts'
import { jsonBytes } from '../../../domain/utf8-bytes.ts'
import { type ErrorCode, PlatformError } from '../../../errors.ts'

/** The parts of a conversation's state that a turn may write. */
export type TurnWrites = Pick<
  ConversationState,
  'variables' | 'metrics' | 'integrationAttributes' | 'setAttributes'
>

const NOUNS: Readonly<Record<keyof TurnWrites, string>> = {
  variables: 'Conversation state has',
  metrics: "A conversation's metrics have",
  integrationAttributes: "A conversation's integration attributes have",
  setAttributes: "A conversation's set variant attributes have",
}

/** Refuses what is larger than `limits.variableBytes` (FN10). @throws `code` */
export function checkSize<Name extends keyof TurnWrites>(
  name: Name,
  value: TurnWrites[Name],
  limit: number,
  code: ErrorCode,
): void {
  if (jsonBytes(value) <= limit) return
  throw new PlatformError(code, `${NOUNS[name]} at most ${limit} bytes of JSON.`)
}

/**
 * Checks as above, for values that differ from earlier ones. Those were checked when they were written. @throws `code`
 */
export function checkSizes(before: TurnWrites, after: TurnWrites, limit: number, code: ErrorCode): void {
  if (after.variables !== before.variables) checkSize('variables', after.variables, limit, code)
  if (after.metrics !== before.metrics) checkSize('metrics', after.metrics, limit, code)
  if (after.integrationAttributes !== before.integrationAttributes) {
    checkSize('integrationAttributes', after.integrationAttributes, limit, code)
  }
  if (after.setAttributes !== before.setAttributes) {
    checkSize('setAttributes', after.setAttributes, limit, code)
  }
}

/** Metrics with one more value: a metric that is written several times keeps all its values in order. */
export function withMetric(
  metrics: TurnWrites['metrics'],
  name: string,
  value: string,
): TurnWrites['metrics'] {
  const before = Object.hasOwn(metrics, name) ? metrics[name] : undefined
  if (before === undefined) return { ...metrics, [name]: value }
  return { ...metrics, [name]: typeof before === 'string' ? [before, value] : [...before, value] }
}
