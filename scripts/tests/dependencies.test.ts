import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needsOf, REPOSITORY, workspacePackages } from '../workspace-packages.ts'

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8')

test('PK22 published packages ask for ranges of what others publish', () => {
  const asked = workspacePackages().flatMap(one =>
    Object.entries(needsOf(one)).flatMap(([name, range]) =>
      name.startsWith('@colloquy/') ? [] : [`${one.manifest.name}: ${name} ${range}`],
    ),
  )
  expect(asked.length).toBeGreaterThan(20)
  expect(asked.filter(line => !/ \^[\d.]+( \|\| \^[\d.]+)*$/.test(line))).toEqual([])
})

test('PK22 `npm ci` runs no install script, and newer versions of npm ask nothing about them', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m)
  const { packages } = JSON.parse(read('package-lock.json'))
  const { allowScripts } = JSON.parse(read('package.json'))
  const scripted = Object.entries<{ readonly hasInstallScript?: boolean; readonly optional?: boolean }>(
    packages,
  )
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  expect([...new Set(scripted)].filter(name => allowScripts[name] !== false)).toEqual([])
})
