import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { minify } from 'rolldown/utils'
import { LICENSES_FILE, licensesOf } from './bundled-code.ts'
import { REPOSITORY } from './workspace-packages.ts'

const PAGE = join(REPOSITORY, 'packages/console/page')
const ENTRY = 'packages/console/page/main.tsx'

/** Output folder of esbuild, whose files are never written. */
const OUT = join(REPOSITORY, 'packages/console/dist/page')

/** The page with its script and its style, by addresses relative to it: it is served at any path (CO1). */
function pageOf(
  template: string,
  files: { readonly script: string; readonly needs: readonly string[]; readonly style: string | null },
): string {
  const tags = [
    ...(files.style === null ? [] : [`<link rel="stylesheet" href="./${files.style}">`]),
    ...files.needs.map(path => `<link rel="modulepreload" href="./${path}">`),
    `<script type="module" src="./${files.script}"></script>`,
  ]
  return template.replace('</head>', () => `${tags.join('\n')}\n</head>`)
}

/** A script once more, which takes 3 % off it; other files are small already. */
async function smaller(path: string, contents: Uint8Array): Promise<Uint8Array> {
  if (!path.endsWith('.js')) return contents
  const { code, errors } = await minify(path, new TextDecoder().decode(contents), {
    module: true,
    compress: { target: 'es2022' },
    mangle: { toplevel: true },
    codegen: { removeWhitespace: true },
  })
  if (code === '' || errors.length > 0) throw new Error(`${path} cannot be made smaller.`)
  return new TextEncoder().encode(code)
}

/** A bundle for browsers. */
interface PageBundle {
  /** Its files, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Paths of the sources whose code is in them, from the root of the repository. */
  readonly inputs: readonly string[]
}

/**
 * The files of the console's page, by path: `index.html`, and its scripts and style in `assets`, whose names say what
 * is in them, so they may be kept for ever. The licenses of the code of others in them stand beside them.
 */
export const bundleConsole = async (): Promise<PageBundle['files']> => (await bundleConsoleWithInputs()).files

/** Bundles the console's page, and tells of which sources. */
export async function bundleConsoleWithInputs(): Promise<PageBundle> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: REPOSITORY,
    entryPoints: [ENTRY],
    outdir: OUT,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['@colloquy/source'],
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const named = (path: string): string => relative(OUT, join(REPOSITORY, path)).replaceAll('\\', '/')
  const [script, about] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === ENTRY) ?? []
  if (script === undefined || about === undefined) throw new Error('The console has no script.')
  const needs = about.imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => named(path))
  const style = about.cssBundle === undefined ? null : named(about.cssBundle)
  const template = await readFile(join(PAGE, 'index.html'), 'utf8')
  const page = pageOf(template, { script: named(script), needs, style })
  const inputs = Object.keys(metafile.inputs)
  const licenses = licensesOf(inputs, REPOSITORY)
  if (licenses === null) throw new Error('The console has no code of others. Leave their licenses out.')
  const files = new Map([
    [LICENSES_FILE, new TextEncoder().encode(licenses)],
    ['index.html', new TextEncoder().encode(page)],
    ...(await Promise.all(
      outputFiles.map(
        async ({ path, contents }) =>
          [relative(OUT, path).replaceAll('\\', '/'), await smaller(path, contents)] as const,
      ),
    )),
  ])
  return { files, inputs }
}

/** Writes these files into the package's `dist`. */
export async function writeConsole(target = OUT): Promise<void> {
  await rm(target, { recursive: true, force: true })
  for (const [name, contents] of await bundleConsole()) {
    await mkdir(dirname(join(target, name)), { recursive: true })
    await writeFile(join(target, name), contents)
  }
}
