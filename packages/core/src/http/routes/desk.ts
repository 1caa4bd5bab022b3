import * as z from 'zod'
import { liveAgentsOf } from '../../domain/access/permissions.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { queueNameSchema } from '../../domain/conversation/desk-service.ts'
import { PlatformError } from '../../errors.ts'
import { type DeskActing, nameOfPerson } from '../../usecases/desk/desk-acting.ts'
import type { LiveAgent } from '../../usecases/desk/desk-handoff.ts'
import {
  attachmentsSchema,
  callActionsSchema,
  fileIdsSchema,
  liveAgentIdSchema,
  liveAgentSchema,
  messageIdSchema,
  suggestionsSchema,
} from '../../usecases/desk/desk-input.ts'
import {
  colleagueOnWire,
  handoffOnWire,
  handoffWithTranscriptOnWire,
  noteOnWire,
  summaryOnWire,
  visitorOnWire,
} from '../desk-wire.ts'
import { accountOfPrincipal } from '../principal-account.ts'
import { defineRoute, type Route } from '../route.ts'
import { addressOnWire, fileOfRequest, fileParam, fileQuery } from './files.ts'
import { noteFields, noteGiven } from './note-body.ts'
import { integer } from './query-values.ts'

const common = { family: 'desk', credential: 'desk' } as const
const byId = z.object({ id: z.string() })

const acceptBody = z
  .object({
    /** Required of keys; a person is the live agent. */
    agent: z
      .object({
        id: liveAgentSchema.shape.id,
        name: liveAgentSchema.shape.name,
        avatar_url: liveAgentSchema.shape.avatarUrl.default(''),
      })
      .exactOptional(),
    take_over: z.boolean().exactOptional(),
  })
  .default({})

const declineBody = z
  .object({
    /** Required of keys; a person is the live agent. */
    agent: z.object({ id: liveAgentIdSchema }).exactOptional(),
  })
  .default({})

/** Returns the actor on the desk for the holder of a key, or for a signed-in person (DK40). */
function actingAs(principal: Principal): DeskActing {
  switch (principal.type) {
    case 'api_key':
      return { liveAgentIds: liveAgentsOf(principal.key) }
    case 'person':
      return { isOperator: principal.person.roles.includes('operator') }
    case 'anyone':
      return { liveAgentIds: [] }
  }
}

/** Returns the live agent who accepts: of a person the person, with what the host shows of them. */
function liveAgentOf(principal: Principal, given: z.output<typeof acceptBody>['agent']): LiveAgent {
  if (principal.type === 'person') {
    const { avatarUrl = '', id } = principal.person
    const own = { id, name: nameOfPerson(principal.person), avatarUrl }
    const picture = given?.avatar_url ?? ''
    if (picture !== '' && picture !== avatarUrl)
      throw new PlatformError(
        'USER_ACCESS_FORBIDDEN',
        'agent.avatar_url must not be another picture than yours. Leave it out.',
      )
    return { ...own, ...(given === undefined ? {} : { id: given.id, name: given.name }) }
  }
  if (given !== undefined) return { id: given.id, name: given.name, avatarUrl: given.avatar_url }
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    '"agent" is required. It must be {id, name, avatar_url?}.',
  )
}

const noteBody = z.object({
  ...noteFields,
  /** Required of keys; a person is the writer. */
  agent: liveAgentSchema.pick({ id: true, name: true }).exactOptional(),
})

const messageBody = z.object({
  text: z.string().default(''),
  attachments: attachmentsSchema.default([]),
  chat_call_actions: callActionsSchema.default([]),
  response_suggestions: suggestionsSchema.default([]),
  /** Files that were sent for it before. */
  file_ids: fileIdsSchema.default([]),
  message_id: messageIdSchema.exactOptional(),
})

/** The built-in live-agent desk (contract/desk.md). */
export const deskRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/handoffs',
    operation: 'listHandoffs',
    summary: 'List visitors who wait for, or talk to, a live agent',
    query: z.object({ status: z.enum(['waiting', 'active']).default('waiting') }),
    async handle({ platform, principal, query }) {
      const handoffs = await platform.desk.handoffs(accountOfPrincipal(principal), query.status)
      return { status: 200, json: { handoffs: handoffs.map(handoffOnWire) } }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/handoffs/:id',
    operation: 'readHandoff',
    summary: 'Read a handoff with the transcript so far',
    params: byId,
    async handle({ platform, principal, params }) {
      const handoff = await platform.desk.handoff(accountOfPrincipal(principal), params.id)
      return { status: 200, json: handoffWithTranscriptOnWire(handoff) }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/handoffs/:id/visitor',
    operation: 'readHandoffVisitor',
    summary: 'Read what is known of a visitor, with earlier conversations',
    params: byId,
    async handle({ platform, principal, params }) {
      const visitor = await platform.desk.visitor(accountOfPrincipal(principal), params.id)
      return { status: 200, json: visitorOnWire(visitor) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/accept',
    operation: 'acceptHandoff',
    summary: 'Take a visitor; of several live agents one wins',
    params: byId,
    body: acceptBody,
    async handle({ platform, principal, params, body: { agent, take_over: takeOver = false } }) {
      const handoff = await platform.desk.accept(
        accountOfPrincipal(principal),
        params.id,
        liveAgentOf(principal, agent),
        { ...actingAs(principal), takeOver },
      )
      return { status: 200, json: handoffWithTranscriptOnWire(handoff) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/decline',
    operation: 'declineHandoff',
    summary:
      'Decline a visitor who is offered to the live agent; the next one is offered the visitor at once',
    params: byId,
    body: declineBody,
    async handle({ platform, principal, params, body: { agent } }) {
      const id = agent?.id ?? (principal.type === 'person' ? principal.person.id : null)
      if (id === null)
        throw new PlatformError('SCHEMA_VALIDATION_FAILED', '"agent" is required. It must be {id}.')
      await platform.desk.decline(accountOfPrincipal(principal), params.id, id, actingAs(principal))
      return { status: 204 }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/typing',
    operation: 'showHandoffTyping',
    summary: 'Show or hide that the live agent types',
    params: byId,
    body: z.object({ state: z.enum(['started', 'stopped', 'TYPING_STATE_STARTED', 'TYPING_STATE_STOPPED']) }),
    async handle({ platform, principal, params, body }) {
      const state = body.state === 'started' || body.state === 'TYPING_STATE_STARTED' ? 'started' : 'stopped'
      await platform.desk.typing(accountOfPrincipal(principal), params.id, state, actingAs(principal))
      return { status: 204 }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/messages',
    operation: 'sendHandoffMessage',
    summary: 'Say something to the visitor',
    params: byId,
    body: messageBody,
    async handle({ platform, principal, params, body }) {
      const { message_id, chat_call_actions, file_ids: fileIds, response_suggestions, ...said } = body
      const message = {
        ...{
          ...said,
          fileIds,
          chatCallActions: chat_call_actions,
          responseSuggestions: response_suggestions,
        },
        ...(message_id === undefined ? {} : { messageId: message_id }),
      }
      const accountId = accountOfPrincipal(principal)
      const { messageId } = await platform.desk.send(accountId, params.id, message, actingAs(principal))
      return { status: 201, json: { message_id: messageId } }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/summary',
    operation: 'summarizeHandoff',
    summary: 'Ask for the summary of a conversation again',
    params: byId,
    async handle({ platform, principal, params }) {
      const summary = await platform.desk.summarize(accountOfPrincipal(principal), params.id)
      return { status: 202, json: summaryOnWire(summary) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/suggestions',
    operation: 'suggestReplies',
    summary: 'Ask for replies that the live agent may send; none is sent',
    params: byId,
    async handle({ platform, principal, params }) {
      const accountId = accountOfPrincipal(principal)
      const suggestions = await platform.desk.suggest(accountId, params.id, actingAs(principal))
      return { status: 200, json: { suggestions } }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/files',
    operation: 'uploadHandoffFile',
    summary: 'Send a file for a message that names it: its bytes are the body',
    params: byId,
    query: fileQuery,
    body: 'raw',
    async handle({ platform, principal, params, query, request }) {
      const file = fileOfRequest(request, query)
      const accountId = accountOfPrincipal(principal)
      const sent = await platform.desk.uploadFile(accountId, params.id, file, actingAs(principal))
      return { status: 201, json: sent }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/handoffs/:id/files/:fileId',
    operation: 'readHandoffFileAddress',
    summary: "Get an address of a file of the visitor's conversation, which expires",
    params: byId.extend(fileParam),
    async handle({ platform, principal, params: { fileId, id }, request }) {
      const address = await platform.desk.fileAddress(accountOfPrincipal(principal), id, fileId)
      return { status: 200, json: addressOnWire(address, request) }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/handoffs/:id/notes',
    operation: 'listHandoffNotes',
    summary: 'List the notes of colleagues about a conversation',
    params: byId,
    query: z.object({ after: integer(0, Number.MAX_SAFE_INTEGER).default(0) }),
    async handle({ platform, principal, params: { id: handoffId }, query }) {
      const notes = await platform.desk.notes(accountOfPrincipal(principal), { handoffId }, query.after)
      return { status: 200, json: { notes: notes.map(noteOnWire) } }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/notes',
    operation: 'writeHandoffNote',
    summary: 'Write or change a note for colleagues, which the visitor never gets',
    params: byId,
    body: noteBody,
    async handle({ platform, principal, params: { id: handoffId }, body: { agent, ...body } }) {
      const { id, name } = liveAgentOf(principal, agent && { ...agent, avatar_url: '' })
      const given = noteGiven(body, { id, name })
      const accountId = accountOfPrincipal(principal)
      const note = await platform.desk.writeNote(accountId, { handoffId }, given, actingAs(principal))
      return { status: 201, json: noteOnWire(note) }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/leave',
    operation: 'leaveHandoff',
    summary: 'Leave the visitor; the session ends',
    params: byId,
    async handle({ platform, principal, params }) {
      await platform.desk.leave(accountOfPrincipal(principal), params.id, actingAs(principal))
      return { status: 204 }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/return',
    operation: 'returnHandoff',
    summary: 'Return the visitor to the agent; the session goes on',
    params: byId,
    async handle({ platform, principal, params }) {
      await platform.desk.return(accountOfPrincipal(principal), params.id, actingAs(principal))
      return { status: 204 }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/transfer',
    operation: 'transferHandoff',
    summary: 'Transfer the visitor to a colleague or to a queue',
    params: byId,
    body: z.object({
      agent_id: liveAgentIdSchema.exactOptional(),
      queue_name: queueNameSchema.exactOptional(),
      reason: z.string().max(500).exactOptional(),
    }),
    async handle({ platform, principal, params, body }) {
      const { agent_id: liveAgentId, queue_name: queueName, reason } = body
      const target = {
        ...(liveAgentId === undefined ? {} : { liveAgentId }),
        ...(queueName === undefined ? {} : { queueName }),
        ...(reason === undefined ? {} : { reason }),
      }
      const accountId = accountOfPrincipal(principal)
      const handoff = await platform.desk.transfer(accountId, params.id, target, actingAs(principal))
      return { status: 200, json: handoffOnWire(handoff) }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/colleagues',
    operation: 'listColleagues',
    summary: 'List the live agents who are at the desk',
    async handle({ platform, principal }) {
      const colleagues = await platform.desk.colleagues(accountOfPrincipal(principal))
      return { status: 200, json: { colleagues: colleagues.map(colleagueOnWire) } }
    },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/desk/v1/colleagues/:liveAgentId',
    operation: 'updateColleague',
    summary: 'Set a live agent away, who is transferred no visitor then, or back',
    params: z.object({ liveAgentId: liveAgentIdSchema }),
    body: z.object({ away: z.boolean() }),
    async handle({ platform, principal, params: { liveAgentId }, body: { away } }) {
      const accountId = accountOfPrincipal(principal)
      await platform.desk.setAway(accountId, liveAgentId, away, actingAs(principal))
      return { status: 204 }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/handoffs/:id/reject',
    operation: 'rejectHandoff',
    summary: 'Refuse a visitor; the handoff has failed',
    params: byId,
    body: z.object({ reason: z.string().max(500).exactOptional() }).default({}),
    async handle({ platform, principal, params, body }) {
      await platform.desk.reject(accountOfPrincipal(principal), params.id, body.reason ?? null)
      return { status: 204 }
    },
  }),
]
