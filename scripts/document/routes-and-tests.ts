import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { declaredAnswers } from '../../packages/core/src/http/answers/declared.ts'
import type { Route } from '../../packages/core/src/http/route.ts'
import { routes } from '../../packages/core/src/http/routes.ts'
import type { SeenAnswers } from '../summary-reporter.ts'
import { REPOSITORY } from '../workspace-packages.ts'
import { MADE, table } from './table.ts'

/** A test that sees a status of an operation. */
export interface SeeingTest {
  /** Its path from the root of the repository. */
  readonly file: string
  /** As it stands in the file; a table of tests has placeholders in it. */
  readonly title: string
}

/** The test of each `operation status`. */
export type SeeingTests = ReadonlyMap<string, SeeingTest>

/** The groups of the page, and which routes are in each. */
const GROUPS: readonly (readonly [string, (route: Route) => boolean])[] = [
  ['Turn-based chat', ({ family }) => family === 'chat'],
  ['Texts', ({ family }) => family === 'texts'],
  ['Outbound calls', ({ family, path }) => family === 'calls' || path.includes('/outbound-calls')],
  ['Alerts', ({ family }) => family === 'alerts'],
  ['Handoff state', ({ family }) => family === 'handoff-state'],
  [
    'Telephony connectors and phone numbers',
    ({ path }) => /\/(?:telephony\/(?:connectors|phone-numbers)|telephony-connectors)\b/.test(path),
  ],
  ['Voice library', ({ path }) => path.includes('/voice-library')],
  ['Audio cache', ({ path }) => path.includes('/audio-cache')],
  [
    'Number reservation',
    ({ family, path }) => family === 'number-reservation' || /pooled-numbers/.test(path),
  ],
]

/** Text in place of a test if there is none. */
export const NONE = 'No test sees it.'

/** The tests that a page names. */
export function testsOn(page: string): SeeingTests {
  const rows = page.matchAll(/^### `(\w+)`$|^\| `(\d{3})` \| (.*) \| \[.*\]\(\.\.\/\.\.\/(.*)\) \|$/gm)
  const found = new Map<string, SeeingTest>()
  let operation = ''
  for (const [, named, status = '', title = '', file = ''] of rows)
    if (named === undefined)
      found.set(`${operation} ${status}`, { file, title: title.replaceAll('\\|', '|') })
    else operation = named
  return found
}

/** The routes of the page, in their groups. */
export const shownRoutes = (): readonly (readonly [string, readonly Route[]])[] =>
  GROUPS.map(([name, isIn]) => [name, routes.filter(isIn)])

function operationPart(route: Route, tests: SeeingTests): string {
  const { method, operation, path, summary } = route
  const statuses = [...declaredAnswers(route).keys()].sort((one, other) => one - other)
  const rows = statuses.map(status => {
    const test = tests.get(`${operation} ${status}`)
    return test === undefined
      ? [`\`${status}\``, NONE, '']
      : [`\`${status}\``, test.title, `[${test.file.replace(/^.*\/tests\//, '')}](../../${test.file})`]
  })
  return `### \`${operation}\`\n\n\`${method} ${path}\`: ${summary}.\n\n${table(['Status', 'Test', 'In'], rows)}`
}

/** The page of those tests: every operation of the families, and every status that is documented of it. */
export function routesAndTestsPage(tests: SeeingTests): string {
  const parts = shownRoutes().map(
    ([name, of]) => `## ${name}\n\n${of.map(route => operationPart(route, tests)).join('\n')}`,
  )
  return `# Routes and tests

${MADE}

Every operation of these families, every status that the [OpenAPI document](../../packages/core/openapi.json) names for it, and a test that sees it; what the answer looks like is compared with the document in all tests. A title may begin with the id of a rule: see [SPEC.md](../../SPEC.md).
\`npm run routes-tested\` runs the tests and chooses anew; of several tests it takes the one that sees the fewest answers.

${parts.join('\n')}`
}

/** The titles of a file that begin with a rule, as they stand there. */
const titlesIn = (file: string): readonly string[] =>
  [
    ...readFileSync(join(REPOSITORY, file), 'utf8').matchAll(/(['"`])([A-Z]{2}\d+(?:\\.|(?!\1)[^\n\\])+)\1/g),
  ].map(([, , title = '']) => title)

/** Whether a title as it stands in a file is that of a test which ran. */
function isTitleOf(written: string, ran: string): boolean {
  const pieces = written.replace(/\\(.)/g, '$1').split(/%[a-zA-Z#]|\$\{[^}]*\}|\$[\w.]+/)
  const pattern = pieces.map(piece => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')
  return new RegExp(`^${pattern}$`, 's').test(ran)
}

/** Whether the file has such a test. */
export const hasTest = ({ file, title }: SeeingTest): boolean => titlesIn(file).includes(title)

/**
 * Chooses a test for each answer: of those that saw it, the one that saw the fewest answers, which is the most
 * specific.
 */
export function chosenTests(all: readonly SeenAnswers[]): SeeingTests {
  const chosen = new Map<string, SeeingTest>()
  const named = all.flatMap(({ file, seen, title: ran }) => {
    const title = titlesIn(file).find(written => isTitleOf(written, ran))
    return title === undefined ? [] : [{ file, seen, title }]
  })
  const order = (one: (typeof named)[number]) =>
    `${String(one.seen.length).padStart(6)} ${one.file} ${one.title}`
  for (const { file, seen, title } of named.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)))
    for (const answer of seen) if (!chosen.has(answer)) chosen.set(answer, { file, title })
  return chosen
}
