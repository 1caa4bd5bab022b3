import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleAsync } from 'lightningcss'
import { build, type OutputAsset, type OutputChunk, type Plugin } from 'rolldown'
import { LICENSES_FILE, licensesOf } from './bundled-code.ts'
import { REPOSITORY, sourceConditions } from './workspace-packages.ts'

const PAGE = join(REPOSITORY, 'packages/console/page')

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

/** Makes one file of the styles that a script imports. Adds the paths of their sources to `inputs`. */
const oneStyle = (inputs: Set<string>): Plugin => ({
  name: 'one style',
  async load(id) {
    if (!id.endsWith('.css')) return null
    const { code } = await bundleAsync({
      filename: id,
      minify: true,
      resolver: {
        read(path) {
          inputs.add(path)
          return readFile(path, 'utf8')
        },
        resolve: (path, from) =>
          path.startsWith('.') ? join(dirname(from), path) : fileURLToPath(import.meta.resolve(path)),
      },
    })
    this.emitFile({ type: 'asset', name: 'main.css', source: code })
    return { code: '', moduleSideEffects: false, moduleType: 'js' }
  },
})

const bytesOf = (file: OutputChunk | OutputAsset): Uint8Array => {
  const contents = file.type === 'chunk' ? file.code : file.source
  return typeof contents === 'string' ? new TextEncoder().encode(contents) : contents
}

/** Puts the code that several areas share into one file, because many small ones take more bytes. */
const SHARED = { name: 'shared', test: /console[\\/]page[\\/](?!views[\\/])/, minShareCount: 2 }

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
  const styles = new Set<string>()
  const { output } = await build({
    input: join(PAGE, 'main.tsx'),
    plugins: [oneStyle(styles)],
    platform: 'browser',
    resolve: { conditionNames: sourceConditions('browser') },
    transform: {
      target: 'es2022',
      define: { 'process.env.NODE_ENV': '"production"' },
    },
    write: false,
    output: {
      ...{ format: 'esm', comments: false, hashCharacters: 'base36' },
      ...{ entryFileNames: 'assets/[name]-[hash].js', chunkFileNames: 'assets/[name]-[hash].js' },
      assetFileNames: 'assets/[name]-[hash][extname]',
      codeSplitting: { groups: [SHARED] },
      minify: {
        compress: { target: 'es2022' },
        mangle: { toplevel: true },
        codegen: { removeWhitespace: true },
      },
    },
  })
  const [script] = output
  const style = output.find(({ fileName }) => fileName.endsWith('.css'))?.fileName ?? null
  const template = await readFile(join(PAGE, 'index.html'), 'utf8')
  const page = pageOf(template, { script: script.fileName, needs: script.imports, style })
  const scripts = output.flatMap(file => (file.type === 'chunk' ? Object.keys(file.modules) : []))
  const inputs = [...scripts, ...styles].map(path => relative(REPOSITORY, path))
  const licenses = licensesOf(inputs, REPOSITORY)
  if (licenses === null) throw new Error('The console has no code of others. Leave their licenses out.')
  const files = new Map([
    [LICENSES_FILE, new TextEncoder().encode(licenses)],
    ['index.html', new TextEncoder().encode(page)],
    ...output.map(file => [file.fileName, bytesOf(file)] as const),
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
