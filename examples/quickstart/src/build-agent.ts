import { type Api, withKey } from './api.ts'
import { check } from './failure.ts'
import { at, textAt } from './json.ts'
import type { Options } from './options.ts'
import type { Report } from './report.ts'

/** How the agent greets. */
export const GREETING = 'Hello, this is the bicycle shop. What can I do for you?'

/** What the agent knows, and questions that are not among its examples. */
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
  const headers = withKey(options.workspaceKey)
  const created = await api(`/v1/accounts/${options.account}/agents`, {
    method: 'POST',
    headers,
    body: { name: 'Bicycle shop', responseSettings: { greeting: GREETING } },
    status: 200,
  })
  const agentId = textAt(created, 'agentId')
  check(at(created, 'branchCount') === 1, 'A new agent must have one branch, main')
  report.step('Create an agent', created)

  const agent = `/v1/agents/${agentId}`
  const branch = await api(`${agent}/branches`, {
    method: 'POST',
    headers,
    body: { branchName: 'first-content' },
    status: 201,
  })
  const onBranch = `${agent}/branches/${textAt(branch, 'branchId')}`
  report.step('Create a branch', branch)

  const behavior = { behavior: 'You answer for a bicycle shop. Be brief.' }
  const edited = await api(`${onBranch}/behavior`, { method: 'PATCH', headers, body: behavior, status: 200 })
  report.step('Edit the behavior on the branch', edited)
  for (const body of Object.values(KNOWLEDGE)) {
    const topic = await api(`${onBranch}/knowledge-base/topics`, {
      method: 'POST',
      headers,
      body,
      status: 201,
    })
    report.step(`Add the topic “${body.name}”`, topic)
  }

  const onMain = `${agent}/branches/main/behavior`
  const refused = await api(onMain, { method: 'PATCH', headers, body: behavior, status: 422 })
  const message = 'Cannot directly update main branch'
  check(textAt(refused, 'error_message') === message, `A write to main must be refused with “${message}”`)
  report.step('Edit main: refused with 422', refused)

  const deploymentMessage = 'First content'
  const merged = await api(`${onBranch}/merge`, {
    method: 'POST',
    headers,
    body: { deploymentMessage },
    status: 200,
  })
  check(
    textAt(merged, 'message') === 'Branch merged to main and deployed to sandbox',
    'A merge must say that it was deployed to sandbox',
  )
  report.step('Merge: main is updated and deployed to sandbox', merged)
  return agentId
}
