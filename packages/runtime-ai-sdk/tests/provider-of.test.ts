import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { providerOf } from '../src/provider-of.ts'

test.each([
  ['openai.responses', 'openai'],
  ['anthropic.messages', 'anthropic'],
  ['azure.chat', 'azure.ai.openai'],
  ['google.generative-ai', 'gcp.gemini'],
  ['google.vertex.chat', 'gcp.vertex_ai'],
  ['vertex.anthropic.messages', 'gcp.vertex_ai'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['mistral.chat', 'mistral_ai'],
  ['xai.chat', 'x_ai'],
  ['groq.chat', 'groq'],
  ['azureous.chat', 'azureous'],
  ['my own', 'my own'],
])('LM40 the provider %s of the AI SDK is told as %s', (provider, told) => {
  expect(providerOf(new MockLanguageModelV4({ provider }))).toBe(told)
})

test('LM40 a model of a gateway is told with the provider in its name', () => {
  expect(providerOf('openai/gpt-5')).toBe('openai')
  expect(providerOf('google/gemini-3-pro')).toBe('gcp.gemini')
})
