import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MADE_FILES, OWNERSHIP } from './document/files.ts'
import { explored, ownershipPage } from './document/ownership-page.ts'
import { REPOSITORY } from './workspace-packages.ts'

// `npm run document` writes all that is made from the sources; with `-- --explore` also what an exploration counts.
for (const { path, make } of MADE_FILES) {
  const file = join(REPOSITORY, path)
  writeFileSync(file, await make(readFileSync(file, 'utf8')))
}
if (process.argv.includes('--explore')) writeFileSync(join(REPOSITORY, OWNERSHIP), ownershipPage(explored()))
