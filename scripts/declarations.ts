import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { run } from './run.ts'
import {
  exportedModules,
  REPOSITORY,
  SOURCE_CONDITION,
  type WorkspacePackage,
  workspacePackages,
} from './workspace-packages.ts'

const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc')

/** Imports of sources, which name files that are not shipped beside the declarations. */
const OF_SOURCE = /(\bfrom |\bimport\(|\bimport )(["'])(\.\.?\/[^"']*)\.tsx?["']/g

/** Copies the declarations that a file needs, and its own, into a build, whose files have the names of the sources. */
async function copyDeclarations(from: string, to: string, file: string): Promise<void> {
  const target = join(to, `${file}.d.ts`)
  if (existsSync(target)) return
  const text = await readFile(join(from, `${file}.d.ts`), 'utf8')
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text.replaceAll(OF_SOURCE, '$1$2$3.js$2'))
  for (const [, , , imported = ''] of text.matchAll(OF_SOURCE))
    await copyDeclarations(from, to, join(dirname(file), imported))
}

/**
 * Writes the declarations that the entry points of these packages reach into their builds, in one run of TypeScript. Types are not checked here: `npm run types` does that.
 *
 * @throws Error with what TypeScript printed, if a declaration cannot be made
 */
export async function writeDeclarations(packages: readonly WorkspacePackage[]): Promise<void> {
  const folder = join(REPOSITORY, 'node_modules/.cache', `colloquy-declarations-${process.pid}`)
  const made = join(folder, 'made')
  const config = {
    extends: join(REPOSITORY, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, noCheck: true },
      ...{ rootDir: REPOSITORY, outDir: made },
      // Sources for pages use the types of pages.
      lib: ['ES2023', 'ES2024.String', 'DOM', 'DOM.Iterable'],
    },
    // All sources are named: one that is first found through another package would have no declarations.
    include: workspacePackages().map(({ folder }) => join(folder, 'src')),
    exclude: [],
  }
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await run(process.execPath, [TSC, '-p', folder], REPOSITORY)
    for (const { folder, manifest } of packages)
      for (const [, target] of exportedModules(manifest)) {
        const entry = target[SOURCE_CONDITION].replace(/^\.\/src\/|\.ts$/g, '')
        await copyDeclarations(join(made, relative(REPOSITORY, folder), 'src'), join(folder, 'dist'), entry)
      }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
