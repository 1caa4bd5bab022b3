import { type Api, withKey } from './api.ts'
import { GREETING, KNOWLEDGE } from './build-agent.ts'
import { check } from './failure.ts'
import { at, listAt, textAt } from './json.ts'
import type { Options } from './options.ts'
import type { Report } from './report.ts'

/** Talks to the agent where no visitor is, then promotes it to live. */
export async function tryAndPromote(
  api: Api,
  options: Options,
  report: Report,
  agentId: string,
): Promise<void> {
  const headers = withKey(options.workspaceKey)
  const chat = `/v1/agents/${agentId}/debug-chat`
  const started = await api(chat, { method: 'POST', headers, body: { clientEnv: 'sandbox' }, status: 201 })
  check(textAt(started, 'response') === GREETING, 'A debug chat must begin with the greeting')
  report.step('Start a debug chat in sandbox', { response: at(started, 'response') })

  const conversationId = textAt(started, 'conversationId')
  const asked = await api(`${chat}/${conversationId}`, {
    method: 'POST',
    headers,
    body: { clientEnv: 'sandbox', message: 'What are your opening hours?' },
    status: 200,
  })
  check(textAt(asked, 'response').includes('9 am to 6 pm'), 'The answer must come from the knowledge base')
  check(
    listAt(asked, 'metadata.retrievedTopics').includes(KNOWLEDGE.hours.name),
    'The topic must be among retrievedTopics',
  )
  report.step('Ask in the debug chat', {
    response: at(asked, 'response'),
    retrievedTopics: at(asked, 'metadata.retrievedTopics'),
  })

  const deployments = `/v1/agents/${agentId}/deployments`
  const before = await api(`${deployments}/active`, { headers, status: 200 })
  const sandbox = textAt(before, 'activeDeployments.sandbox.id')
  check(at(before, 'activeDeployments.live') === null, 'Nothing may be live before it is promoted')
  const promoted = await api(`${deployments}/${sandbox}/promote`, {
    method: 'POST',
    headers,
    body: { targetEnvironment: 'live' },
    status: 200,
  })
  const after = await api(`${deployments}/active`, { headers, status: 200 })
  check(
    textAt(after, 'activeDeployments.live.id') === textAt(promoted, 'deployment.id'),
    'The promoted deployment must be active in live',
  )
  report.step('Promote to live', at(promoted, 'deployment'))
}
