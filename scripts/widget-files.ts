import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { transform } from 'lightningcss'
import { build, type OutputOptions, type Plugin } from 'rolldown'
import { MICROPHONE_WORKLET } from '../packages/client/src/voice/worklet.ts'
import { LICENSES_FILE, licensesOf } from './bundled-code.ts'
import { textEntry } from './text-entry.ts'
import { REPOSITORY, sourceConditions } from './workspace-packages.ts'

const SOURCES = join(REPOSITORY, 'packages/widget/src')

/** The file that a page names. */
export const LAUNCHER_FILE = 'colloquy-widget.js'

/** The one that pages name whose chat is to be in a frame. */
export const FRAMED_LAUNCHER_FILE = 'colloquy-widget-framed.js'

/** The page of the chat's frame, for hosts whose policy lets nothing else connect. */
export const FRAME_PAGE = 'colloquy-frame.html'

/** The code of the microphone, which a policy lets a page load from its own server. */
const MICROPHONE_FILE = 'microphone.js'

/** Content security policy of the frame: it may run this widget, and connect to any platform that its page names. */
const FRAME_POLICY = [
  ...["default-src 'none'", "script-src 'self'", 'connect-src http: https: ws: wss:'],
  ...['img-src http: https: data:', "base-uri 'none'", "form-action 'none'"],
].join('; ')

const framePage = (script: string): Uint8Array =>
  new TextEncoder().encode(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${FRAME_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Chat</title>
<link rel="icon" href="data:,">
</head>
<body>
<script type="module" src="${script}"></script>
</body>
</html>
`)

/**
 * Names of fields that stay within the chat: none of them is an option, is told to the page, is kept on the device or
 * stands in a text, so the files may have shorter ones. A test holds that. Those that stand there most often come first.
 */
export const SHORTENED: readonly string[] = `
  conversation phase pending outbox known servedBy effects contextId avatarUrl doubting notice failures
  maxMessageBytes messageId attributes clientEventId config inFlight children heartbeatSeconds messageIds
  streams framedBy announces callActions maxReconnectAttempts holding silentBeats hasGap isBatch
  isComplete throttled madeOf scrolled endReason estimatedWaitSeconds verifies chosen forgetPending
  streamsUntil refusal rateAgain previewUrl pageHost trouble
  forgetSession goingAway storePending storeSession tooLarge tooSlow endsConversation clearHistory openHistory release chunks storeIdentity keepToStreams
`
  .trim()
  .split(/\s+/)

/** Styles stand in the sources as people read them. */
const smallStyles: Plugin = {
  name: 'small styles',
  transform(source, id) {
    if (!/[\\/]style\.ts$/.test(id)) return null
    const [, literal = ''] = /= (`[^`]*`)/.exec(source) ?? []
    const { code } = transform({
      filename: id,
      code: new TextEncoder().encode(literal.slice(1, -1)),
      minify: true,
    })
    return source.replace(literal, () => JSON.stringify(new TextDecoder().decode(code)))
  },
}

/**
 * Exports that the file of the chat and the one beside it share. The chat contains them, and the other imports them.
 */
const SHARED = {
  h: ['h'],
  markdown: ['link', 'markdown', 'safePicture'],
  'words/index': ['say'],
  'view/parts': [
    'bubble',
    'button',
    'drawing',
    'icon',
    'iconButton',
    'moment',
    'speakerOf',
    'strip',
    'unseen',
  ],
} as const

const SHARED_FILES = Object.keys(SHARED).map(name => join(SOURCES, 'chat', `${name}.ts`))

/** Files that are loaded later stand beside the chat, under names of their own. */
const asFiles: Plugin = {
  name: 'files beside the chat',
  resolveId(path, importer = '', { kind }) {
    if (!/^\.\.?\/|^@colloquy\/client\/(?:sse|voice)$/.test(path)) return null
    if (kind === 'dynamic-import') {
      const name = path.replace('/index.ts', '').replace('.ts', '').replace(/^.*\//, '')
      return { id: `./${name}.js`, external: true }
    }
    const isOfMore = /[\\/]chat[\\/](?:more|files|talk)[\\/]/.test(importer)
    const isShared = isOfMore && SHARED_FILES.includes(join(dirname(importer), path))
    return isShared ? { id: './chat.js', external: true } : null
  },
}

/** The first names; `d`, of drawings, and what places have are names already. */
const LETTERS = 'abcefghijklmnopqrstuvwzABCDEFGHIJKLMNOPQRSTUVWXYZ'

const MINIFY = {
  compress: { target: 'es2022' },
  mangle: { toplevel: true },
  mangleProps: {
    include: new RegExp(`^(${SHORTENED.join('|')})$`),
    // The same short names in every file.
    cache: Object.fromEntries(SHORTENED.map((name, at) => [name, LETTERS[at] ?? `_${at.toString(36)}`])),
  },
  codegen: { removeWhitespace: true },
} as const satisfies OutputOptions['minify']

/** Options of one file. */
interface FileOptions {
  readonly format: 'esm' | 'iife'
  readonly plugins: readonly Plugin[]
  readonly define: Record<string, string>
}

/** One file, as small as it gets. Adds the paths of its sources to `inputs`. */
async function bundle(entry: string, inputs: Set<string>, options: FileOptions): Promise<Uint8Array> {
  const { input, plugin } = textEntry(entry, SOURCES)
  const { output } = await build({
    input,
    plugins: [plugin, ...options.plugins],
    platform: 'browser',
    resolve: { conditionNames: sourceConditions('browser') },
    transform: { target: 'es2022', define: options.define },
    write: false,
    output: { format: options.format, minify: MINIFY, comments: false, codeSplitting: false },
  })
  const [{ code, modules }] = output
  for (const path of Object.keys(modules)) if (path !== input) inputs.add(relative(REPOSITORY, path))
  return new TextEncoder().encode(code.trimEnd())
}

const LANGUAGES = ['ar', 'de', 'es', 'fr']

/** A bundle for browsers. */
interface PageBundle {
  /** Its files, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Paths of the sources whose code is in them, from the root of the repository. */
  readonly inputs: readonly string[]
}

/**
 * The widget's files for `<script src>`, by path: the launcher, and a folder with the chat and what it loads later. The
 * folder is named by what is in it: its files may be kept for ever. The licenses of the code of others, if any, stand
 * beside them.
 */
export const bundleWidget = async (): Promise<PageBundle['files']> => (await bundleWidgetWithInputs()).files

/** Bundles the widget's files, and tells of which sources. */
export async function bundleWidgetWithInputs(): Promise<PageBundle> {
  const inputs = new Set<string>()
  const define = { MICROPHONE_FILE: JSON.stringify(`./${MICROPHONE_FILE}`) }
  const esm: FileOptions = { format: 'esm', plugins: [smallStyles, asFiles], define }
  const shared = Object.entries(SHARED).map(
    ([name, exported]) => `export { ${exported.join(', ')} } from './chat/${name}.ts'`,
  )
  const entries = [
    ['chat', [`export * from './chat/index.ts'`, ...shared].join('\n')],
    ['more', `export * from './chat/more/index.ts'`],
    ['files', `export * from './chat/files/index.ts'`],
    ['talk', `export * from './chat/talk/index.ts'`],
    ['talk-words', `export * from './chat/talk/talk-words.ts'`],
    ['voice', `export { createVoice } from '@colloquy/client/voice'`],
    ['extra', `export * from './extra/index.ts'`],
    ['extra-framed', `export * from './extra/framed.ts'`],
    ['sse', `export { overStreams } from '@colloquy/client/sse'`],
    ['framed', `export * from './frame/page.ts'`],
    ['inside', `export * from './frame/inside.ts'`],
    ['frame', `import { start } from './frame/frame.ts'\nstart()`],
    ...LANGUAGES.map(name => [name, `export * from './chat/words/${name}.ts'`] as const),
  ] as const
  const files = await Promise.all(
    entries.map(async ([name, entry]) => [`${name}.js`, await bundle(entry, inputs, esm)] as const),
  )
  files.push([MICROPHONE_FILE, new TextEncoder().encode(MICROPHONE_WORKLET)])
  const digest = createHash('sha256')
  for (const [, contents] of files) digest.update(contents)
  const folder = `colloquy-${digest.digest('hex').slice(0, 12)}`
  const launcher = (chat: string, extra: string, page: string | null): Promise<Uint8Array> => {
    const later = (file: string): string => {
      const contents = files.find(([name]) => name === file)?.[1] ?? ''
      const integrity = `sha256-${createHash('sha256').update(contents).digest('base64')}`
      return JSON.stringify([`${folder}/${file}`, integrity])
    }
    return bundle(`import { start } from './launcher/script-tag.ts'\nstart()`, inputs, {
      format: 'iife',
      plugins: [smallStyles],
      define: {
        CHAT_FILE: later(chat),
        EXTRA_FILE: later(extra),
        FRAME_PAGE: JSON.stringify(page),
      },
    })
  }
  const made: [string, Uint8Array][] = [
    [LAUNCHER_FILE, await launcher('chat.js', 'extra.js', null)],
    [FRAMED_LAUNCHER_FILE, await launcher('framed.js', 'extra-framed.js', FRAME_PAGE)],
    [FRAME_PAGE, framePage(`${folder}/frame.js`)],
    ...files.map(([name, contents]): [string, Uint8Array] => [`${folder}/${name}`, contents]),
  ]
  const licenses = licensesOf([...inputs], REPOSITORY)
  if (licenses !== null) made.push([LICENSES_FILE, new TextEncoder().encode(licenses)])
  return { files: new Map(made), inputs: [...inputs] }
}

/** Writes these files into the widget's `dist`. */
export async function writeWidget(target = join(REPOSITORY, 'packages/widget/dist/browser')): Promise<void> {
  await rm(target, { recursive: true, force: true })
  for (const [name, contents] of await bundleWidget()) {
    await mkdir(dirname(join(target, name)), { recursive: true })
    await writeFile(join(target, name), contents)
  }
}
