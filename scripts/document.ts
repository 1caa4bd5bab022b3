import { readFile, writeFile } from 'node:fs/promises'
import { ownershipDiagram } from '../packages/core/src/domain/conversation/ownership.ts'

const FILE = new URL('../docs/ownership.md', import.meta.url)

/** The page about who owns a conversation, with the diagram as the table has it now. */
export const ownershipPage = (): string => `# Who owns a conversation

Every conversation has exactly one owner. The table in
[ownership.ts](../packages/core/src/domain/conversation/ownership.ts) says which signal moves it to which owner, and which events the
visitor sees on the way. A signal without a row is refused and changes nothing. From every owner the visitor can end the session, the visitor's
silence ends it, and the host can close it.

\`\`\`mermaid
${ownershipDiagram()}
\`\`\`

This page is made by \`npm run document\`.
`

/** The page as it is kept. */
export const keptOwnershipPage = (): Promise<string> => readFile(FILE, 'utf8')

if (process.argv[1] === import.meta.filename) await writeFile(FILE, ownershipPage())
