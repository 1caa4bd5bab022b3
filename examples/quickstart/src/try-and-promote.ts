import type { Api } from '@colloquy/client/http'
import { GREETING, KNOWLEDGE } from './build-agent.ts'
import { check } from './failure.ts'
import { listAt, textAt } from './json.ts'
import type { Report } from './report.ts'

/** Talks to the agent where no visitor is, then promotes it to live. */
export async function tryAndPromote(api: Api, report: Report, agentId: string): Promise<void> {
  const started = await api.startDebugChat({ agentId, body: { clientEnv: 'sandbox' } })
  check(started.response === GREETING, 'A debug chat must begin with the greeting')
  report.step('Start a debug chat in sandbox', { response: started.response })

  const asked = await api.continueDebugChat({
    agentId,
    conversationId: started.conversationId,
    body: { clientEnv: 'sandbox', message: 'What are your opening hours?' },
  })
  const { metadata, response } = asked
  check(textAt(asked, 'response').includes('9 am to 6 pm'), 'The answer must come from the knowledge base')
  check(
    listAt(metadata, 'retrievedTopics').includes(KNOWLEDGE.hours.name),
    'The topic must be among retrievedTopics',
  )
  report.step('Ask in the debug chat', { response, retrievedTopics: metadata?.retrievedTopics })

  const { activeDeployments: before } = await api.listActiveDeployments({ agentId })
  check(before.live === null, 'Nothing may be live before it is promoted')
  const promoted = await api.promoteDeployment({
    agentId,
    deploymentId: before.sandbox?.id ?? '',
    body: { targetEnvironment: 'live' },
  })
  const { activeDeployments: after } = await api.listActiveDeployments({ agentId })
  check(after.live?.id === promoted.deployment.id, 'The promoted deployment must be active in live')
  report.step('Promote to live', promoted.deployment)
}
