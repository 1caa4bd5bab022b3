import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import extractor from '@microsoft/api-extractor'
import { buildWhatIsOld } from './build.ts'
import {
  exportedModules,
  REPOSITORY,
  type WorkspacePackage,
  workspacePackages,
} from './workspace-packages.ts'

// `npm run api-report`: writes what each entry point offers to TypeScript into `api/`, from the builds.

const { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } = extractor

/** The folder of the reports. */
export const API_FOLDER = join(REPOSITORY, 'api')

const COMPILER_OPTIONS = {
  module: 'nodenext',
  moduleResolution: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
}

/** An entry point of a package, with the types of its build. */
interface EntryPoint {
  readonly folder: string
  readonly types: string
  /** File of its report: `core-testing.md` for `@colloquy/core/testing`. */
  readonly file: string
}

const entryPointsOf = ({ folder, manifest }: WorkspacePackage): readonly EntryPoint[] =>
  exportedModules(manifest).map(([path, { types }]) => ({
    folder,
    types: join(folder, types),
    file: `${manifest.name.replace('@colloquy/', '')}${path.slice(1).replaceAll('/', '-')}.md`,
  }))

function configOf({ folder, types, file }: EntryPoint, reports: string) {
  const quiet = { default: { logLevel: ExtractorLogLevel.None } }
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [types] } },
      apiReport: {
        enabled: true,
        reportFileName: file,
        reportFolder: join(reports, 'kept'),
        reportTempFolder: reports,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: quiet,
        tsdocMessageReporting: quiet,
        compilerMessageReporting: quiet,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
  })
}

/**
 * Returns the exports of the entry points of all packages, by the file of the report. Reads the builds, and makes those
 * that are out of date.
 */
export async function apiReports(): Promise<ReadonlyMap<string, string>> {
  await buildWhatIsOld()
  const reports = await mkdtemp(join(tmpdir(), 'colloquy-api-'))
  try {
    const entries = workspacePackages().flatMap(entryPointsOf)
    const configs = entries.map(entry => configOf(entry, reports))
    const [first] = configs
    if (first === undefined) throw new Error('There are no packages.')
    const compilerState = CompilerState.create(first, {
      additionalEntryPoints: entries.map(({ types }) => types),
    })
    return new Map(
      configs.map((config, n) => {
        Extractor.invoke(config, {
          compilerState,
          localBuild: true,
          messageCallback: message => {
            message.handled = true
          },
        })
        const file = entries[n]?.file ?? ''
        return [file, withoutNoise(readFileSync(config.reportTempFilePath, 'utf8'))]
      }),
    )
  } finally {
    await rm(reports, { recursive: true, force: true })
  }
}

/** Whether something has a comment is not what it offers. */
const withoutNoise = (report: string): string =>
  report.replaceAll('\r\n', '\n').replace(/^ *\/\/ (@public|\(undocumented\))\n/gm, '')

/** The reports that are kept, by file. */
export const keptReports = (): ReadonlyMap<string, string> =>
  new Map(readdirSync(API_FOLDER).map(file => [file, readFileSync(join(API_FOLDER, file), 'utf8')]))

if (process.argv[1] === import.meta.filename) {
  const reports = await apiReports()
  rmSync(API_FOLDER, { recursive: true, force: true })
  for (const [file, text] of reports) {
    mkdirSync(dirname(join(API_FOLDER, file)), { recursive: true })
    writeFileSync(join(API_FOLDER, file), text)
  }
  console.log(`${reports.size} reports are in api/.`)
}
