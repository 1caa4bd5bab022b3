import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'vitepress'
import { groups, PAGES, pageText, ROOT } from './pages.ts'

// Builds the documents as static pages in `dist`, with each page as Markdown beside it, `llms.txt`, and a skill folder.

const HERE = import.meta.dirname
const STAGED = join(HERE, 'pages')
const PICTURES = join(STAGED, 'public/pictures')
const { SITE_BASE = '/', SITE_SOURCES: sources } = process.env

rmSync(STAGED, { recursive: true, force: true })
mkdirSync(PICTURES, { recursive: true })
copyFileSync(join(HERE, 'mark.svg'), join(STAGED, 'public/mark.svg'))
const picture = (path: string): void => copyFileSync(join(ROOT, path), join(PICTURES, basename(path)))
for (const [source, place] of PAGES) {
  const file = join(STAGED, `${place}.md`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, pageText(source, { sources, picture }))
}
await build(HERE)

for (const place of PAGES.values()) cpSync(join(STAGED, `${place}.md`), join(HERE, 'dist', `${place}.md`))
const listed = groups().flatMap(({ pages, title }) => [
  `\n## ${title}\n`,
  ...pages.map(
    ({ about, place, title: name }) =>
      `- [${name}](${SITE_BASE}${place}.md)${about === '' ? '' : `: ${about}`}`,
  ),
])
const about =
  '> A library that runs conversational agents inside your own Node application, in chat and on the phone.'
const start = `- [What it is, and how to begin](${SITE_BASE}index.md)`
writeFileSync(
  join(HERE, 'dist/llms.txt'),
  `${['# Colloquy\n', about, '\n## Start\n', start, ...listed].join('\n')}\n`,
)

// The same pages for coding agents: a folder that is copied to where they look for skills.
const SKILL = join(HERE, 'dist/skill')
const chosen = groups().filter(({ title }) => title !== 'Decisions')
for (const { place } of chosen.flatMap(({ pages }) => pages))
  cpSync(join(STAGED, `${place}.md`), join(SKILL, 'pages', `${place}.md`))
const references = chosen.flatMap(({ pages, title }) => [
  `## ${title}\n`,
  ...pages.map(({ about, place, title: name }) => `- [${name}](pages/${place}.md)${about && `: ${about}`}`),
  '',
])
const idea = readFileSync(join(ROOT, 'e2e/src/idea.ts'), 'utf8').trim()
const begun = readFileSync(join(HERE, 'skill.md'), 'utf8').replace('IDEA', () => idea)
writeFileSync(join(SKILL, 'SKILL.md'), begun + references.join('\n'))
