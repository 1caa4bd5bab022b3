import { ownershipDiagram } from '../../packages/core/src/domain/conversation/ownership.ts'
import { MADE } from './table.ts'

/** The page about who owns a conversation, with the diagram as the table has it now. */
export const ownershipPage = (): string => `# Who owns a conversation

${MADE}

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
reaches, until no new state turns up: a current, a late and an unknown command of each kind, each also a second time; and time that passes
every deadline. States that differ in names and numbers alone are one. Limits are small: two
messages wait, a turn is tried twice, two handoffs have unconfirmed calls. In every state and at every step it checks that there is
one owner; that the log has no gap; that each message has one place or one fate; that refused and late commands change nothing; that each call
to the live-agent system is made in order and none is forgotten; that nothing waits without a deadline; and that wake-ups alone
lead to the end.
`
