import { readFile, writeFile } from 'node:fs/promises'
import { scopeMatrixPage } from '../e2e/tests/scope-matrix/page.ts'
import { ownershipDiagram } from '../packages/core/src/domain/conversation/ownership.ts'
import { explore } from '../packages/core/tests/conversation/exploration/explore.ts'
import { exploredRow, exploredTable } from '../packages/core/tests/conversation/exploration/explored-table.ts'
import { SETTINGS } from '../packages/core/tests/conversation/exploration/settings.ts'
import { rulesFromTitles } from './rules-from-titles.ts'
import { specificationFiles } from './specification.ts'
import { REPOSITORY } from './workspace-packages.ts'

const FILE = new URL('../docs/how-it-works/ownership.md', import.meta.url)
const SCOPE_MATRIX = new URL('../docs/reference/scope-matrix.md', import.meta.url)

/** The page about who owns a conversation: the diagram as the table has it now, and what an exploration has counted. */
export const ownershipPage = (explored: string): string => `# Who owns a conversation

Every conversation has exactly one owner. The table in
[ownership.ts](../../packages/core/src/domain/conversation/ownership.ts) says which signal moves it to which owner, and which events the
visitor sees on the way. A signal without a row is refused and changes nothing. From every owner the visitor can end the session, the visitor's
silence ends it, and the host can close it.

\`\`\`mermaid
${ownershipDiagram()}
\`\`\`

The queue has two stages: the live-agent system was asked (\`requested\`), and it has taken the visitor in (\`waiting\`). With a live agent the
handoff is active; at every other stage it is over. When it is over and the live-agent system did not end it itself, that system is told by a
\`cancel\`.

## Explored

A conversation is small enough to look at every situation that it can get into. The
[exploration](../../packages/core/tests/conversation/exploration) starts with a new conversation and sends each command to each state that it
reaches, until no new state turns up: of each kind of command the current one, the late one and the unknown one, each also a second time,
and the passing of time up to every deadline and beyond. States that differ in names and numbers alone are one. Limits are small: two
messages wait, a turn is tried twice, two handoffs have calls that nobody confirmed. In every state and at every step it checks that there is
one owner; that the log has no gap; that each message has one place or one fate; that refused and late commands change nothing; that each call
to the live-agent system is made in order and none is forgotten; that nothing waits without a deadline; and that wake-ups alone
lead to the end.

${explored}

This page is made by \`npm run document\`.
`

/** The page as it is kept. */
export const keptOwnershipPage = (): Promise<string> => readFile(FILE, 'utf8')

/** The page about who gets what, as it is kept. */
export const keptScopeMatrixPage = (): Promise<string> => readFile(SCOPE_MATRIX, 'utf8')

if (process.argv[1] === import.meta.filename) {
  const rows = SETTINGS.map(setting => exploredRow(setting, explore(setting)))
  await writeFile(FILE, ownershipPage(exploredTable(rows)))
  await writeFile(SCOPE_MATRIX, scopeMatrixPage())
  for (const file of specificationFiles()) {
    const path = `${REPOSITORY}/${file}`
    await writeFile(path, rulesFromTitles(await readFile(path, 'utf8')))
  }
}
