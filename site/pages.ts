import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '..')

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Returns the path of a page in the site, without `.md`: the README is its first page. */
function placeOf(source: string): string {
  if (source === 'README.md') return 'index'
  if (source === 'docs/README.md') return 'documents'
  return source
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '')
    .replace(/\.md$/, '')
}

/** The pages of the site: their files in the repository, and where they are in the site. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  globSync(
    ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'VERSIONS.md', 'docs/**/*.md', 'packages/*/README.md'],
    { cwd: ROOT },
  )
    .toSorted()
    .map(source => [source, source === 'docs/contract/README.md' ? 'contract/about' : placeOf(source)]),
)

/** A page in a list, with a sentence about it. */
export interface Listed {
  readonly title: string
  readonly place: string
  readonly about: string
}

/** A group of pages in the index. */
export interface Group {
  readonly title: string
  readonly pages: readonly Listed[]
}

const ITEM = /^- \[(?<title>[^\]]+)\]\((?<path>[^)#]+\.md)\)\*?(?:[:,] )?(?<about>.*)$/gm

function pagesIn(text: string): readonly Listed[] {
  return [...text.matchAll(ITEM)].flatMap(({ groups: { about = '', path = '', title = '' } = {} }) => {
    const place = PAGES.get(join('docs', path))
    return place === undefined ? [] : [{ title, place, about: plain(about) }]
  })
}

/** Headings and the lines between them that end with a colon. */
const GROUP = /^(?:## (?<part>.+)|(?<title>\w[^:\n]*):)$/m

/** The groups of the index `docs/README.md`, which lists every page of the documents. */
export function groups(): readonly Group[] {
  const [, ...pieces] = read('docs/README.md').split(GROUP)
  return Array.from({ length: pieces.length / 3 }, (_, at) => {
    const [part, title, text = ''] = pieces.slice(3 * at, 3 * at + 3)
    return { title: part ?? title ?? '', pages: pagesIn(text) }
  }).filter(({ pages }) => pages.length > 0)
}

/** Removes links from a line of Markdown. */
const plain = (line: string): string => line.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')

const LINK = /(?<image>!?)\[(?<text>(?:[^[\]]|\[[^\]]*\])*)\]\((?<target>[^)\s]+)\)/g
const ELSEWHERE = /^(?:[a-z]+:|#|\/)/

/** Resolves a link. */
export interface Links {
  /** Base URL of the repository's files; without it, links to files that are no pages become plain text. */
  readonly sources: string | undefined
  /** Takes the path of a picture in the repository. */
  picture(path: string): void
}

/**
 * Reads a page with its links as the site has them.
 *
 * @throws Error for a link to a file that does not exist
 */
export function pageText(source: string, links: Links): string {
  const place = PAGES.get(source) ?? source
  const link = (...match: readonly unknown[]): string => {
    const { image = '', target = '', text = '' } = match.at(-1) as Record<string, string>
    if (ELSEWHERE.test(target)) return String(match[0])
    const [path = '', anchor] = target.split('#')
    const file = join(dirname(source), path)
    if (!existsSync(join(ROOT, file)))
      throw new Error(`${source} has a link to ${target}, which does not exist.`)
    const page = PAGES.get(file) ?? PAGES.get(join(file, 'README.md'))
    if (page !== undefined)
      return `[${text}](${pathBetween(place, page)}${anchor === undefined ? '' : `#${anchor}`})`
    if (/\.(?:png|svg)$/.test(file)) {
      links.picture(file)
      return `${image}[${text}](/pictures/${basename(file)})`
    }
    return links.sources === undefined ? text : `${image}[${text}](${links.sources}/${file})`
  }
  // Blocks of code stay as they are.
  return read(source)
    .split(/^(```.*?^```$)/ms)
    .map((text, at) => (at % 2 === 1 ? text : text.replaceAll(LINK, link)))
    .join('')
}

function pathBetween(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return `${path.startsWith('.') ? path : `./${path}`}.md`
}
