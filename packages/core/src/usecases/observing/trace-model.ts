import type { Json, JsonObject } from '../../domain/json.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Begin, TelemetryFields } from '../../ports/telemetry.ts'

const numberOr = (value: Json | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise

/** Fields of a request that are traced, by their names in the GenAI conventions. */
const NAMES = {
  input_tokens: 'gen_ai.usage.input_tokens',
  output_tokens: 'gen_ai.usage.output_tokens',
  first_output_ms: 'colloquy.model.first_output_ms',
  attempt: 'colloquy.model.attempt',
  step: 'colloquy.model.step',
} as const

/** Traces a request to a language model, which its runtime reported after its end (OB11, LM40). */
export function traceModel(begin: Begin, clock: Pick<Clock, 'now'>, request: JsonObject): void {
  const model = typeof request.model === 'string' ? request.model : ''
  const fields: Record<string, TelemetryFields[string]> = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
  }
  for (const [name, told] of Object.entries(NAMES)) {
    const value = request[name]
    if (typeof value === 'number') fields[told] = value
  }
  if (typeof request.provider === 'string') fields['gen_ai.provider.name'] = request.provider
  if (typeof request.finish_reason === 'string')
    fields['gen_ai.response.finish_reasons'] = request.finish_reason
  const startedAt = clock.now() - numberOr(request.latency_ms, 0)
  const span = begin({ kind: 'model', name: model, fields, startedAt })
  span.end(typeof request.error === 'string' ? 'MODEL_FAILED' : null)
}
