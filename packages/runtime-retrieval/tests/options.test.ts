import { expect, test } from 'vitest'
import { createRetrievalRuntime } from '../src/retrieval-runtime.ts'

const given = (options: unknown): unknown => Reflect.apply(createRetrievalRuntime, undefined, [options])

test.each([
  [
    { minConfidance: 0.4 },
    'createRetrievalRuntime has no option "minConfidance". Did you mean minConfidence?',
  ],
  [{ embedding: { batchsize: 4 } }, 'embedding has no option "batchsize". Did you mean batchSize?'],
  [{ embedding: 4 }, 'embedding takes an object of options, not number.'],
  [{ minConfidence: 65 }, 'minConfidence must be a number from 0 to 1, not 65.'],
  [{ closeScore: Number.NaN }, 'closeScore must be a number from 0 to 1, not NaN.'],
  [{ suggestions: 1.5 }, 'suggestions must be a whole number from 0 to 2147483647, not 1.5.'],
  [{ embedding: { batchSize: '4' } }, 'batchSize must be a whole number from 1 to 2147483647, not a string.'],
  [{ phrases: { de: { realted: [] } } }, 'phrases.de has no field "realted". Did you mean related?'],
  [{ phrases: { de: { related: 'kind familie' } } }, 'phrases.de.related must be a list of texts.'],
  [{ phrases: { de: { unknown: ['?'] } } }, 'phrases.de.unknown must be a text.'],
  [{ phrases: { de: { choices: ['eins'] } } }, 'phrases.de.choices must be a list of lists of texts.'],
  [
    { phrases: { de: { smallTalk: [{ to: ['hi'] }] } } },
    'phrases.de.smallTalk must be a list of objects with says and to, such as { says: "Hello!", to: ["hi"] }.',
  ],
  [
    { phrases: { de: { aspects: [null] } } },
    'phrases.de.aspects must be a list of objects with lists of texts, asked and told.',
  ],
  [
    { phrases: ['de'] },
    'phrases must be an object of phrases by language code, such as { de: { yes: ["ja"] } }.',
  ],
  [0.4, 'createRetrievalRuntime takes an object of options, not number.'],
])('EM4 a retrieval runtime of %j is refused', (options, message) => {
  expect(() => given(options)).toThrow(expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }))
})
