import { type PlainJsonRules, plainJson } from '../../../domain/plain-json.ts'
import { PlatformError } from '../../../errors.ts'
import type { FunctionConversation } from '../../../ports/agent-function.ts'
import type { RuntimePart, RuntimeTurn } from '../../../ports/agent-runtime.ts'
import type { TurnCollector } from '../turn/turn-collector.ts'
import { checkSize, type TurnWrites, withMetric } from '../turn/turn-writes.ts'

/** The greatest nesting depth of arguments, results and values that functions write (FN23). */
const DEPTH = 64

/** Returns the rules for JSON of functions (FN10, FN23). */
export const functionJson = (noun: string, bytes: number): PlainJsonRules => ({
  noun,
  code: 'SCHEMA_VALIDATION_FAILED',
  bytes,
  depth: DEPTH,
  asStringify: true,
})

/** The dependencies of writes on the turn. */
export interface WriterDeps {
  readonly collector: Pick<TurnCollector, 'writes'>
  readonly turn: Pick<RuntimeTurn, 'variant' | 'content'>
  /** The most bytes of JSON of each written value. */
  readonly limit: number
  /** Refuses a call of a conversation's method after the call has ended. */
  check(member: keyof FunctionConversation): void
  say(part: RuntimePart): void
}

type Writer = Pick<
  FunctionConversation,
  'setVariable' | 'setMetric' | 'setIntegrationAttribute' | 'setVariantAttribute'
>

/**
 * Returns the methods of a function's conversation that write the conversation's state. Each validates before it writes
 * (FN10).
 */
export function createWriter({ collector, turn, limit, check, say }: WriterDeps): Writer {
  const json = (value: unknown, noun: string) => plainJson(value, functionJson(noun, limit))
  const weigh = <Name extends keyof TurnWrites>(name: Name, value: TurnWrites[Name]): void =>
    checkSize(name, value, limit, 'SCHEMA_VALIDATION_FAILED')

  return {
    setVariable(key, given) {
      check('setVariable')
      requireText(key, 'The key of a variable')
      const value = json(given, `variable ${key}`)
      weigh('variables', { ...collector.writes.variables, [key]: value })
      say({ type: 'variable', key, value })
    },
    setMetric(name, value) {
      check('setMetric')
      requireText(name, 'The name of a metric')
      requireText(value, `The value of the metric ${name}`)
      weigh('metrics', withMetric(collector.writes.metrics, name, value))
      say({ type: 'metric', name, value })
    },
    setIntegrationAttribute(key, given) {
      check('setIntegrationAttribute')
      requireText(key, 'The key of an integration attribute')
      const value = json(given, `integration attribute ${key}`)
      weigh('integrationAttributes', { ...collector.writes.integrationAttributes, [key]: value })
      say({ type: 'integration_attribute', key, value })
    },
    setVariantAttribute(name, value) {
      check('setVariantAttribute')
      requireAttribute(turn, name)
      requireText(value, `The value of the attribute ${name}`)
      weigh('setAttributes', { ...collector.writes.setAttributes, [name]: value })
      say({ type: 'variant_attribute', name, value })
    },
  }
}

/** Checks a text, because JavaScript hosts may pass any value. @throws SCHEMA_VALIDATION_FAILED */
export function requireText(value: unknown, what: string): void {
  if (typeof value === 'string') return
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', `${what} must be a string, not ${typeof value}.`)
}

/** The most attribute names that an error lists. */
const TOLD = 20

function requireAttribute({ content, variant }: WriterDeps['turn'], name: unknown): void {
  if (variant === null) {
    throw new PlatformError(
      'VARIANT_NOT_FOUND',
      'The conversation has no variant whose attributes can be set.',
    )
  }
  const names = [...content.tree.values()].flatMap(one => (one.kind === 'attributes' ? [one.value.name] : []))
  if (names.some(one => one === name)) return
  const known = names.length === 0 ? 'The agent has none' : `The agent has ${names.slice(0, TOLD).join(', ')}`
  throw new PlatformError('ATTRIBUTE_NOT_FOUND', `There is no attribute ${String(name)}. ${known}.`)
}
