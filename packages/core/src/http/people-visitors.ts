import * as z from 'zod'
import { isoTimeOrNull } from '../domain/time.ts'
import { accountOfPrincipal } from './principal-account.ts'
import { describeRoute, type Route } from './route.ts'

/** Names a visitor in the body: what stands in an address is in the logs of servers on the way. */
const body = z.object({
  visitor_id: z.string().exactOptional(),
  phone_number: z.string().exactOptional(),
})

/** Returns a visitor in the names of the library, which checks it. */
const visitorOf = ({ visitor_id: visitorId, phone_number: phoneNumber }: z.output<typeof body>) => ({
  ...(visitorId === undefined ? {} : { visitorId }),
  ...(phoneNumber === undefined ? {} : { phoneNumber }),
})

const common = { family: 'desk', credential: 'own', method: 'POST', body } as const

const readVisitor = describeRoute({
  ...common,
  path: '/console/v1/visitor',
  operation: 'readVisitor',
  summary: 'Count what is stored about one visitor',
  async handle({ platform, principal, body: given }) {
    const accountId = accountOfPrincipal(principal)
    const found = await platform.conversations.visitor(accountId, visitorOf(given))
    const { conversations, firstAt, inProgress, lastAt, textNumbers } = found
    return {
      status: 200,
      json: {
        ...{ conversations, in_progress: inProgress, text_numbers: textNumbers },
        ...{ first_at: isoTimeOrNull(firstAt), last_at: isoTimeOrNull(lastAt) },
      },
    }
  },
})

const exportVisitor = describeRoute({
  ...common,
  path: '/console/v1/visitor/export',
  operation: 'exportVisitor',
  summary: 'Export everything that is stored about one visitor, as lines of JSON',
  async handle({ platform, principal, body: given }) {
    const accountId = accountOfPrincipal(principal)
    const lines = platform.conversations.exportVisitor(accountId, visitorOf(given))[Symbol.asyncIterator]()
    // The first one is read before there is a response, so that a refusal has its status.
    let next = await lines.next()
    async function* texts(): AsyncGenerator<string> {
      for (; next.done !== true; next = await lines.next()) yield `${JSON.stringify(next.value)}\n`
    }
    return { status: 200, headers: { 'Content-Type': 'application/jsonl; charset=utf-8' }, chunks: texts() }
  },
})

const removeVisitor = describeRoute({
  ...common,
  path: '/console/v1/visitor/remove',
  operation: 'removeVisitor',
  summary: 'Remove everything that is stored about one visitor, but for conversations in progress',
  async handle({ platform, principal, body: given }) {
    const accountId = accountOfPrincipal(principal)
    const removed = await platform.conversations.removeVisitor(accountId, visitorOf(given))
    return {
      status: 200,
      json: { conversations: removed.conversations, in_progress: removed.inProgress },
    }
  },
})

/** The routes about the data of one visitor, which only people may use (PE11). */
export const peopleVisitorRoutes: readonly Route[] = [readVisitor, exportVisitor, removeVisitor]
