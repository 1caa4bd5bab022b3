import * as z from 'zod'
import type { SharedReply } from '../../domain/conversation/shared-reply.ts'
import { isoTime } from '../../domain/time.ts'
import { replyCodeSchema, replyLanguageSchema } from '../../usecases/desk/reply-fields.ts'
import { accountOfPrincipal } from '../principal-account.ts'
import { defineRoute, type Route } from '../route.ts'
import { strictBody } from './strict-body.ts'

const common = { family: 'desk', credential: 'desk' } as const
const byId = z.object({ replyId: z.string() })

const fields = {
  code: replyCodeSchema,
  text: z.string().min(1),
  project_id: z.string().nullable().exactOptional(),
  language: replyLanguageSchema.exactOptional(),
}
const changes = { ...fields, code: fields.code.exactOptional(), text: fields.text.exactOptional() }

/** A body with the names of the library. */
const fromWire = <Rest extends object>({
  project_id: agentId,
  ...rest
}: Rest & { readonly project_id?: string | null }) => ({
  ...rest,
  ...(agentId === undefined ? {} : { agentId }),
})

const replyOnWire = ({ agentId, code, createdAt, id, language, text }: SharedReply) => ({
  ...{ id, code, text, project_id: agentId, language, created_at: isoTime(createdAt) },
})

/** Replies that live agents share (contract/desk.md, Shared replies). */
export const sharedReplyRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/replies',
    operation: 'listSharedReplies',
    summary: 'List the replies that live agents share',
    async handle({ platform, principal }) {
      const replies = await platform.desk.replies.list(accountOfPrincipal(principal))
      return { status: 200, json: { replies: replies.map(replyOnWire) } }
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/desk/v1/replies',
    operation: 'createSharedReply',
    summary: 'Add a reply that live agents share',
    body: strictBody(fields),
    async handle({ platform, principal, body }) {
      const reply = await platform.desk.replies.create(accountOfPrincipal(principal), fromWire(body))
      return { status: 201, json: replyOnWire(reply) }
    },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/desk/v1/replies/:replyId',
    operation: 'updateSharedReply',
    summary: 'Change a shared reply; what is left out stays',
    params: byId,
    body: strictBody(changes),
    async handle({ platform, principal, params, body }) {
      const accountId = accountOfPrincipal(principal)
      const reply = await platform.desk.replies.update(accountId, params.replyId, fromWire(body))
      return { status: 200, json: replyOnWire(reply) }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/desk/v1/replies/:replyId',
    operation: 'deleteSharedReply',
    summary: 'Delete a shared reply',
    params: byId,
    async handle({ platform, principal, params }) {
      await platform.desk.replies.delete(accountOfPrincipal(principal), params.replyId)
      return { status: 204 }
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/handoffs/:id/replies',
    operation: 'listHandoffReplies',
    summary: 'List the shared replies for a visitor, filled in',
    params: z.object({ id: z.string() }),
    async handle({ platform, principal, params }) {
      const replies = await platform.desk.replies.filled(accountOfPrincipal(principal), params.id)
      const json = replies.map(reply => ({ ...replyOnWire(reply), filled: reply.filled }))
      return { status: 200, json: { replies: json } }
    },
  }),
]
