import * as z from 'zod'
import { isoTime } from '../../domain/time.ts'
import { type Assignment, assignmentSchema } from '../../usecases/desk/assignments.ts'
import { type OpenQueue, queueHoursSchema } from '../../usecases/desk/queues.ts'
import { accountOfPrincipal } from '../principal-account.ts'
import { defineRoute, type Route } from '../route.ts'
import { strictBody } from './strict-body.ts'

const common = { family: 'desk', credential: 'desk' } as const
const byName = z.object({ queueName: z.string() })

const { holidays, timeZone, weekly } = queueHoursSchema.shape
const hoursBody = strictBody({ time_zone: timeZone, weekly, holidays })

const queueOnWire = ({ holidays, isOpen, opensAt, queueName, timeZone, weekly }: OpenQueue) => ({
  ...{ queue_name: queueName, time_zone: timeZone, weekly, holidays, is_open: isOpen },
  opens_at: opensAt === null ? null : isoTime(opensAt),
})

const assignmentBody = strictBody(assignmentSchema.shape)

const assignmentOnWire = ({ queueName, ...rest }: Assignment) => ({ queue_name: queueName, ...rest })

/** Hours and assignments of queues (contract/desk.md, Hours, Assignment). */
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
  defineRoute({
    ...common,
    method: 'GET',
    path: '/desk/v1/assignments',
    operation: 'listQueueAssignments',
    summary: 'List the queues whose visitors are assigned to live agents',
    async handle({ platform, principal }) {
      const assignments = await platform.desk.assignments.list(accountOfPrincipal(principal))
      return { status: 200, json: { assignments: assignments.map(assignmentOnWire) } }
    },
  }),
  defineRoute({
    ...common,
    method: 'PUT',
    path: '/desk/v1/queues/:queueName/assignment',
    operation: 'replaceQueueAssignment',
    summary: 'Set how the visitors of a queue are assigned to live agents',
    params: byName,
    body: assignmentBody,
    async handle({ platform, principal, params, body }) {
      const accountId = accountOfPrincipal(principal)
      const assignment = await platform.desk.assignments.set(accountId, params.queueName, body)
      return { status: 200, json: assignmentOnWire(assignment) }
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: '/desk/v1/queues/:queueName/assignment',
    operation: 'deleteQueueAssignment',
    summary: 'Leave the visitors of a queue to anyone',
    params: byName,
    async handle({ platform, principal, params }) {
      await platform.desk.assignments.remove(accountOfPrincipal(principal), params.queueName)
      return { status: 204 }
    },
  }),
]
