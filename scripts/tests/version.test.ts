import { expect, test } from 'vitest'
import { VERSION } from '../../packages/core/src/version.ts'
import { needsOf, workspacePackages } from '../workspace-packages.ts'

test('PK26 all packages have one version, which is what they ask for of each other, and VERSION of core', () => {
  const packages = workspacePackages()
  expect([...new Set(packages.map(({ manifest }) => manifest.version))]).toEqual([VERSION])
  const asked = packages.flatMap(one =>
    Object.entries(needsOf(one))
      .filter(([name]) => name.startsWith('@colloquy/'))
      .map(([name, range]) => [one.manifest.name, name, range]),
  )
  expect(asked.length).toBeGreaterThan(12)
  expect(asked.filter(([, , range]) => range !== VERSION)).toEqual([])
})
