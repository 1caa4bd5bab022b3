import { expect, test } from 'vitest'
import { createAiSdkRuntime } from '../src/index.ts'

const given = (options?: unknown): unknown => Reflect.apply(createAiSdkRuntime, undefined, [options])
const model = { specificationVersion: 'v2', doGenerate() {}, doStream() {} }
const NEEDED = 'model must be a language model of the AI SDK, or a function that chooses one for a turn, not '

test.each([
  [undefined, `${NEEDED}undefined. For example createAiSdkRuntime({ model: provider('name') }).`],
  [{}, `${NEEDED}undefined. For example createAiSdkRuntime({ model: provider('name') }).`],
  [{ model: null }, `${NEEDED}null. For example createAiSdkRuntime({ model: provider('name') }).`],
  [{ model: '' }, `${NEEDED}an empty string. For example createAiSdkRuntime({ model: provider('name') }).`],
  [
    { model: Promise.resolve(model) },
    `${NEEDED}object. For example createAiSdkRuntime({ model: provider('name') }).`,
  ],
  [{ modell: model }, 'createAiSdkRuntime has no option "modell". Did you mean model?'],
  [{ model, topicLenght: 5 }, 'createAiSdkRuntime has no option "topicLenght". Did you mean topicLength?'],
  [{ model, attempts: 0 }, 'attempts must be a whole number from 1 to 2147483647, not 0.'],
  [{ model, steps: null }, 'steps must be a whole number from 1 to 2147483647, not null.'],
  [{ model, phrases: { en: { failed: 1 } } }, 'phrases.en.failed must be a text.'],
  ['gpt', 'createAiSdkRuntime takes an object of options, not string.'],
])('EM4 a language-model runtime of %j is refused', (options, message) => {
  expect(() => given(options)).toThrow(expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }))
})

test.each([
  ['a model', model],
  ['a name', 'provider/model'],
  ['a choice', () => model],
])('EM4 %s makes a language-model runtime', (_, chosen) => {
  expect(given({ model: chosen, steps: 5 })).toMatchObject({ respond: expect.any(Function) })
})
