import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { run } from './run.ts'
import { exportedModules, REPOSITORY, SOURCE_CONDITION, type WorkspacePackage } from './workspace-packages.ts'

const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc')

/** Returns the declarations of a source file. */
export type ReadDeclarations = (source: string) => Promise<string>

/**
 * Makes the declarations of all files that the entry points of these packages reach, in one run of TypeScript, and calls `use`
 * with them. Types are not checked here: `npm run types` does that.
 *
 * @throws Error with what TypeScript printed, if a declaration cannot be made
 */
export async function withDeclarations(
  packages: readonly WorkspacePackage[],
  use: (read: ReadDeclarations) => Promise<void>,
): Promise<void> {
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
    await use(source => {
      const file = relative(REPOSITORY, source).replace(/\.tsx?$/, '.d.ts')
      return readFile(join(made, file), 'utf8')
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
