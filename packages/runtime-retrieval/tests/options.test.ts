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
  [0.4, 'createRetrievalRuntime takes an object of options, not number.'],
])('EM4 a retrieval runtime of %j is refused', (options, message) => {
  expect(() => given(options)).toThrow(expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message }))
})
