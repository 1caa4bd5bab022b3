// Names what is not plain English, and fails where there is anything.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptFiles } from './specification.ts'
import { placesOfPage, placesOfSource } from './words/places.ts'
import { REPOSITORY } from './workspace-packages.ts'

let found = 0
for (const path of keptFiles('*.ts', '*.tsx', '*.md')) {
  if (/SPEC\.md$|\/spec\/|^api\/|\/tests\//.test(path)) continue
  const text = readFileSync(join(REPOSITORY, path), 'utf8')
  for (const { kind, line, said } of path.endsWith('.md') ? placesOfPage(text) : placesOfSource(text)) {
    found++
    console.error(`${path}:${line} ${kind}: ${said}`)
  }
}
console.log(`Plain words: ${found} places are not.`)
process.exitCode = found > 0 ? 1 : 0
