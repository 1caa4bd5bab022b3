import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { run } from './run.ts'
import { exportedModules, REPOSITORY, SOURCE_CONDITION, type WorkspacePackage } from './workspace-packages.ts'

const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc')

/** Imports of sources, which name files that are not shipped beside the declarations. */
const OF_SOURCE = /(\bfrom |\bimport\(|\bimport )(["']\.\.?\/[^"']*)\.tsx?(["'])/g

/** Copies the declarations of a package into its build, whose files have the names of the sources. */
async function copyDeclarations(made: string, { folder }: WorkspacePackage): Promise<void> {
  const from = join(made, relative(REPOSITORY, folder), 'src')
  for (const file of await readdir(from, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    const text = await readFile(join(from, file), 'utf8')
    const to = join(folder, 'dist', file)
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, text.replaceAll(OF_SOURCE, '$1$2.js$3'))
  }
}

/**
 * Writes the declarations of all files that the entry points of these packages reach into their builds, in one run of
 * TypeScript. Types are not checked here: `npm run types` does that.
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
    files: packages.flatMap(({ folder, manifest }) =>
      exportedModules(manifest).map(([, target]) => join(folder, target[SOURCE_CONDITION])),
    ),
    include: [],
  }
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await run(process.execPath, [TSC, '-p', folder], REPOSITORY)
    for (const one of packages) await copyDeclarations(made, one)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
