// Counts, folder by folder, what is not plain English, and fails where that is more than it was: `--write` keeps lower
// counts, and `--list folder` names the places.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptFiles } from './specification.ts'
import { type Counts, countsOf, type Place, placesOfPage, placesOfSource } from './words/count.ts'
import { REPOSITORY } from './workspace-packages.ts'

const KEPT = new URL('words/counts.json', import.meta.url)

/** Packages and the documents by their parts, all else by the first folder. */
const folderOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('packages/') ? 3 : path.startsWith('docs/') ? 2 : 1)
    .join('/')

const found = new Map<string, readonly (Place & { readonly path: string })[]>()
for (const path of keptFiles('*.ts', '*.tsx', '*.md')) {
  if (/SPEC\.md$|\/spec\/|^api\/|\/tests\//.test(path)) continue
  const text = readFileSync(join(REPOSITORY, path), 'utf8')
  const places = path.endsWith('.md') ? placesOfPage(text) : placesOfSource(text)
  const folder = folderOf(path)
  found.set(folder, [...(found.get(folder) ?? []), ...places.map(place => ({ ...place, path }))])
}

const kept: Readonly<Record<string, Counts>> = JSON.parse(readFileSync(KEPT, 'utf8'))
const counts: Readonly<Record<string, Counts>> = Object.fromEntries(
  [...found].map(([folder, places]) => [folder, countsOf(places)]).sort(),
)
const names = ['clauses', 'dialect', 'long'] as const
const list = process.argv.indexOf('--list')
for (const { line, path, said } of list === -1 ? [] : (found.get(process.argv[list + 1] ?? '') ?? []))
  console.log(`${path}:${line} ${said}`)
const sum = (all: Readonly<Record<string, Counts>>, name: keyof Counts): number =>
  Object.values(all).reduce((total, one) => total + one[name], 0)
const worse = names.flatMap(name => {
  const judged = (folder: string, now: number, allowed: number): readonly string[] =>
    now > allowed ? [`${folder}: ${now} ${name}, at most ${allowed} are allowed.`] : []
  return [
    // A folder that is new may have what others had before.
    ...Object.entries(counts).flatMap(([folder, now]) =>
      judged(folder, now[name], kept[folder]?.[name] ?? now[name]),
    ),
    ...judged('all folders', sum(counts, name), sum(kept, name)),
  ]
})
for (const line of worse) console.error(line)
if (worse.length > 0) console.error('`npm run lint:words -- --list <folder>` names the places.')
const better = JSON.stringify(kept) !== JSON.stringify(counts)
if (process.argv.includes('--write') && worse.length === 0)
  writeFileSync(KEPT, `${JSON.stringify(counts, null, 2)}\n`)
else if (worse.length === 0 && better)
  console.log('Some counts are lower. `npm run lint:words -- --write` keeps them.')
console.log(`Plain words: ${names.map(name => `${sum(counts, name)} ${name}`).join(', ')}.`)
process.exitCode = worse.length > 0 ? 1 : 0
