import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf } from '../run-tests.ts'
import { TEST_CHOICES, TEST_KINDS, type TestKind } from '../test-kinds.ts'
import { REPOSITORY } from '../workspace-packages.ts'

const kinds: readonly (readonly [string, TestKind])[] = Object.entries(TEST_KINDS)

test('TS6 each campaign and each property is in exactly one kind', () => {
  const all = globSync('**/*.{campaign,property}.test.ts', { cwd: REPOSITORY, exclude: ['**/node_modules'] })
  const found = kinds.flatMap(([, { files }]) => filesOf(files))
  expect(found.toSorted()).toEqual(all.toSorted())
})

test('TS6 each pattern of a kind and of a choice finds a file', () => {
  const patterns = [...kinds.flatMap(([, { files }]) => files), ...Object.values(TEST_CHOICES).flat()]
  expect(patterns.filter(pattern => filesOf([pattern]).length === 0)).toEqual([])
})

test('TS6 each kind is in the matrix of the nightly workflow, and the Nodes that landings run on', () => {
  const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')
  const [, listed = ''] = /kind: \[(.*)\]/.exec(read('.github/workflows/nightly.yml')) ?? []
  const [, nodes = ''] = /"test:landing": ".* landing (.*)"/.exec(read('package.json')) ?? []
  expect(listed.split(', ')).toEqual([...Object.keys(TEST_KINDS), ...nodes.split(' '), 'quick'])
})
