import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findingsOf } from '../expressions/findings.ts'
import { expressionsOfSources } from '../expressions/sources.ts'

test('AR57 what is kept about expressions is what a check of all of them finds', () => {
  const { faults, linear } = findingsOf(expressionsOfSources(), new Set())
  expect(faults).toEqual([])
  const kept = readFileSync(new URL('../expressions/linear.json', import.meta.url), 'utf8')
  expect(JSON.parse(kept)).toEqual(linear)
})
