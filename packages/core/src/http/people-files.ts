import * as z from 'zod'
import type { Platform } from '../platform.ts'
import type { FileAddress } from '../usecases/files/file-address.ts'
import { accountOfPrincipal } from './principal-account.ts'
import { describeRoute, type HttpRequest, type Route } from './route.ts'
import { existing } from './routes/agent-conversations.ts'
import { agentsApi, ofAgent } from './routes/agents-api.ts'
import { fileAnswer, fileParam } from './routes/files.ts'

/** Serves the file of an address, which nobody else gets. */
const contentOf = async (platform: Platform, request: HttpRequest, { token }: FileAddress) =>
  fileAnswer(request, await platform.messaging.openFile(token))

const readHandoffFile = describeRoute({
  family: 'desk',
  credential: 'own',
  method: 'GET',
  path: '/desk/v1/handoffs/:id/files/:fileId/content',
  operation: 'readHandoffFile',
  summary: "Read a file of the visitor's conversation",
  params: z.object({ id: z.string(), ...fileParam }),
  async handle({ platform, principal, params: { fileId, id }, request }) {
    const address = await platform.desk.fileAddress(accountOfPrincipal(principal), id, fileId)
    return contentOf(platform, request, address)
  },
})

const readConversationFile = describeRoute({
  ...agentsApi,
  ...ofAgent,
  method: 'GET',
  path: '/v1/agents/:agentId/conversations/:recordId/files/:fileId/content',
  operation: 'readConversationFile',
  summary: 'Read a file of a conversation of an agent',
  params: ofAgent.params.extend({ recordId: z.string(), ...fileParam }),
  async handle({ platform, agent, params: { fileId, recordId: conversationId }, request }) {
    const { accountId, id: agentId } = existing(agent)
    const wanted = { accountId, agentId, conversationId, fileId }
    return contentOf(platform, request, await platform.reading.fileAddress(wanted))
  },
})

/** Files, which people read without an address of their own. */
export const peopleFileRoutes: readonly Route[] = [readHandoffFile, readConversationFile]
