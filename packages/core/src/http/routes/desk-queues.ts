import * as z from 'zod'
import { isoTime } from '../../domain/time.ts'
import type { OpenQueue } from '../../usecases/desk/queues.ts'
import { accountOfPrincipal } from '../principal-account.ts'
import { defineRoute, type Route } from '../route.ts'
import { strictBody } from './strict-body.ts'

const common = { family: 'desk', credential: 'desk' } as const
const byName = z.object({ queueName: z.string() })

const hoursBody = strictBody({
  time_zone: z.string(),
  weekly: z.array(z.object({ day: z.int(), from: z.string(), to: z.string() })).max(70),
  holidays: z.array(z.string()).max(400).default([]),
})

const queueOnWire = ({ holidays, isOpen, opensAt, queueName, timeZone, weekly }: OpenQueue) => ({
  ...{ queue_name: queueName, time_zone: timeZone, weekly, holidays, is_open: isOpen },
  opens_at: opensAt === null ? null : isoTime(opensAt),
})

/** Hours of queues (contract/desk.md, Hours). */
export const deskQueueRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/queues',
    operation: 'listDeskQueues',
    summary: 'List the queues that have hours, and whether each is open now',
    async handle({ platform, principal }) {
      const queues = await platform.desk.queues.list(accountOfPrincipal(principal))
      return { status: 200, json: { queues: queues.map(queueOnWire) } }
    },
  }),
  defineRoute({
    ...common,
    method: 'PUT',
    path: '/desk/v1/queues/:queueName/hours',
    operation: 'replaceQueueHours',
    summary: 'Set the hours of a queue',
    params: byName,
    body: hoursBody,
    async handle({ platform, principal, params, body: { time_zone: timeZone, ...hours } }) {
      const accountId = accountOfPrincipal(principal)
      const queue = await platform.desk.queues.setHours(accountId, params.queueName, { timeZone, ...hours })
      return { status: 200, json: queueOnWire(queue) }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/desk/v1/queues/:queueName/hours',
    operation: 'deleteQueueHours',
    summary: 'Remove the hours of a queue, which is always open then',
    params: byName,
    async handle({ platform, principal, params }) {
      await platform.desk.queues.removeHours(accountOfPrincipal(principal), params.queueName)
      return { status: 204 }
    },
  }),
]
