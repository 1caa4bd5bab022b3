import type { LanguageModel } from 'ai'

/** The AI SDK's names of providers that the GenAI conventions of OpenTelemetry call otherwise; longer ones first. */
const OTHERWISE: readonly (readonly [begins: string, name: string])[] = [
  ['google.vertex', 'gcp.vertex_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['google', 'gcp.gemini'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
]

/**
 * Returns a model's provider, as `gen_ai.provider.name` of the GenAI conventions. If they have no name for it, returns
 * the provider's own. The string that names a model of a gateway begins with its provider: `openai/gpt-5`.
 */
export function providerOf(model: LanguageModel): string {
  const told = typeof model === 'string' ? (model.split('/')[0] ?? '') : model.provider
  const known = OTHERWISE.find(([begins]) => told === begins || told.startsWith(`${begins}.`))
  return known?.[1] ?? told.split('.')[0] ?? ''
}
