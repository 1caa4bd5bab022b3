import { type Api, isApiError } from '@colloquy/client/http'
import { check } from './failure.ts'
import type { Options } from './options.ts'
import type { Report } from './report.ts'

/** The agent's greeting. */
export const GREETING = 'Hello, this is the bicycle shop. What can I do for you?'

/** The agent's topics, and questions that are not among its examples. */
export const KNOWLEDGE = {
  hours: {
    name: 'Opening hours',
    content: 'We are open from 9 am to 6 pm, Monday to Saturday. On Sundays we are closed.',
    exampleQueries: {
      queries: ['When are you open?', 'What are your opening hours?', 'Are you open on Sunday?'],
    },
  },
  repair: {
    name: 'Repairs',
    content: 'A puncture is repaired while you wait and costs 15 euros. Other repairs take two days.',
    exampleQueries: {
      queries: ['How much is a puncture repair?', 'Can you fix a flat tyre?', 'How long does a repair take?'],
    },
  },
  person: {
    name: 'Speak to a person',
    content: 'I am fetching somebody from the workshop.',
    actions: 'Hand over at once: {{ho:workshop}}',
    exampleQueries: {
      queries: ['I want to speak to a person', 'Can I talk to somebody?', 'Let me talk to a human'],
    },
  },
} as const

/** Creates an agent, writes its content on a branch, is refused on main, and merges. Resolves with the agent's id. */
export async function buildAgent(api: Api, options: Options, report: Report): Promise<string> {
  const created = await api.createAgent({
    accountId: options.account,
    body: { name: 'Bicycle shop', responseSettings: { greeting: GREETING } },
  })
  const { agentId } = created
  check(created.branchCount === 1, 'A new agent must have one branch, main')
  report.step('Create an agent', created)

  const branch = await api.createBranch({ agentId, body: { branchName: 'first-content' } })
  const onBranch = { agentId, branchId: branch.branchId }
  report.step('Create a branch', branch)

  const body = { behavior: 'You answer for a bicycle shop. Be brief.' }
  report.step('Edit the behavior on the branch', await api.updateBehavior({ ...onBranch, body }))
  for (const topic of Object.values(KNOWLEDGE))
    report.step(`Add the topic “${topic.name}”`, await api.createTopic({ ...onBranch, body: topic }))

  const refused = await api
    .updateBehavior({ agentId, branchId: 'main', body })
    .catch((error: unknown) => error)
  check(
    isApiError(refused) && refused.is('MAIN_BRANCH_READ_ONLY') && refused.status === 422,
    'A write to main must be refused with 422',
  )
  report.step('Edit main: refused with 422', refused.body)

  const merged = await api.mergeBranch({ ...onBranch, body: { deploymentMessage: 'First content' } })
  check(
    merged.message === 'Branch merged to main and deployed to sandbox',
    'A merge must say that it was deployed to sandbox',
  )
  report.step('Merge: main is updated and deployed to sandbox', merged)
  return agentId
}
