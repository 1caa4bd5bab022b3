import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY, workspacePackages } from '../workspace-packages.ts'

const PACKAGES = workspacePackages().map(one => ({ ...one, name: one.manifest.name }))
const PAGE = readFileSync(join(REPOSITORY, 'VERSIONS.md'), 'utf8')

/** The rows of the tables of a page, as their cells. */
const rowsOf = (page: string): readonly (readonly string[])[] =>
  page
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line =>
      line
        .split('|')
        .map(cell => cell.trim())
        .slice(1, -1),
    )

/** The section of a version in a changelog. */
function sectionOf(changelog: string, version: string): readonly string[] {
  const [, ...sections] = changelog.split(/^## /m)
  const found = sections.find(section => section.startsWith(`${version}\n`)) ?? ''
  return found
    .split('\n')
    .slice(1)
    .filter(line => line !== '')
}

test.each(PACKAGES)('PK26 the changelog of $name begins with its version', ({ folder, name, manifest }) => {
  const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
  expect(changelog.split('\n')[0]).toBe(`# Changelog of ${name}`)
  expect(/^## (.*)$/m.exec(changelog)?.[1]).toBe(manifest.version)
  expect(sectionOf(changelog, manifest.version).length).toBeGreaterThan(0)
  // In a package, links lead nowhere.
  expect(changelog).not.toMatch(/\]\((?!https:)/)
})

test.each(PACKAGES)('PK26 the changelog of $name is published with it', ({ folder }) => {
  const { files }: { files: readonly string[] } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  expect(files).toContain('CHANGELOG.md')
})

test.each(PACKAGES)(
  'PK26 the first release of $name lists its entry points',
  ({ folder, manifest, name }) => {
    const first = sectionOf(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), '0.1.0')
    expect(first.length).toBeGreaterThanOrEqual(9)
    expect(first.length).toBeLessThanOrEqual(25)
    const entries = Object.keys(manifest.exports).map(path => `\`${name}${path.slice(1)}\``)
    expect(entries.filter(entry => !first.join('\n').includes(entry))).toEqual([])
  },
)

test('PK26 the page about versions has the range of each library that packages ask for', () => {
  const asked = PACKAGES.flatMap(({ name, manifest }) =>
    Object.entries(manifest.peerDependencies ?? {})
      .filter(([peer]) => !peer.startsWith('@colloquy/'))
      .map(([peer, range]) => [`\`${peer}\``, `\`${range.replaceAll('||', 'or')}\``, `\`${name}\``]),
  )
  expect(asked.length).toBeGreaterThan(12)
  const peers = new Set(asked.map(([peer]) => peer))
  const told = rowsOf(PAGE).filter(([peer]) => peers.has(peer))
  expect(told.toSorted()).toEqual(asked.toSorted())
})

test('PK26 the page about versions has the lines of Node on which everything is tested', () => {
  const { engines, scripts }: { engines: { node: string }; scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(REPOSITORY, 'package.json'), 'utf8'),
  )
  const lowest = engines.node.replace('>=', '')
  expect(PAGE).toContain(`You need Node ${lowest} or newer.`)
  const others = scripts['test:landing']?.match(/\d+(?=\.\d+\.\d+)/g) ?? []
  const own = process.versions.node.split('.')[0] ?? ''
  const lines = [...new Set([...others, own])].sort()
  const told = rowsOf(PAGE).flatMap(([node = '', until = '']) =>
    /^\w+ 20\d\d$/.test(until) ? [node.split(',')[0]] : [],
  )
  expect(told).toEqual(lines)
  expect(told[0]).toBe(lowest.split('.')[0])
})

test.each(['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs/README.md'])(
  'PK26 %s leads to the page about versions',
  page => {
    expect(readFileSync(join(REPOSITORY, page), 'utf8')).toMatch(/\]\((\.\.\/)?VERSIONS\.md(#[a-z-]+)?\)/)
  },
)
