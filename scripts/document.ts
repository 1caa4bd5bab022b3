import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MADE_FILES } from './document/files.ts'
import { REPOSITORY } from './workspace-packages.ts'

// `npm run document` writes all that is made from the sources.
for (const { path, make } of MADE_FILES) writeFileSync(join(REPOSITORY, path), await make())
