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
 * Who provides a model, as the GenAI conventions name it, `gen_ai.provider.name`; otherwise as its provider calls
 * itself. A model of a gateway, which is named by a string, begins with it: `openai/gpt-5`.
 */
export function providerOf(model: LanguageModel): string {
  const told = typeof model === 'string' ? (model.split('/')[0] ?? '') : model.provider
  const known = OTHERWISE.find(([begins]) => told === begins || told.startsWith(`${begins}.`))
  return known?.[1] ?? told.split('.')[0] ?? ''
}
