import * as z from 'zod'
import type { DeskFigures } from '../../domain/conversation/desk-figures.ts'
import { isoTime } from '../../domain/time.ts'
import { accountOfPrincipal } from '../principal-account.ts'
import { defineRoute, type Route } from '../route.ts'
import { integer, text, time } from './query-values.ts'

const seconds = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : Math.round(milliseconds / 100) / 10

const figuresOnWire = (figures: DeskFigures) => ({
  answered: figures.answered,
  answered_within: figures.answeredWithin,
  abandoned: figures.abandoned,
  unanswered: figures.unanswered,
  median_wait_seconds: seconds(figures.medianWait),
  longest_wait_seconds: seconds(figures.longestWait),
  handled: figures.handled,
  median_handling_seconds: seconds(figures.medianHandling),
  total_handling_seconds: Math.round(figures.totalHandling / 100) / 10,
  declined: figures.declined,
})

/** Figures of the desk (contract/desk.md, Figures). */
export const deskFigureRoutes: readonly Route[] = [
  defineRoute({
    family: 'desk',
    credential: 'desk',
    method: 'GET',
    path: '/desk/v1/figures',
    operation: 'readDeskFigures',
    summary: 'Read how long visitors waited, and how many were answered, by queue and by live agent',
    query: z.object({
      ...{ from: time, to: time, answered_within: integer(1, 86_400).default(60) },
      deployment_id: text.exactOptional(),
    }),
    async handle({ platform, principal, query: { from, to, ...query } }) {
      const { answered_within: answeredWithin, deployment_id: deploymentId } = query
      const given = { from, to, answeredWithin, ...(deploymentId !== undefined && { deploymentId }) }
      const report = await platform.desk.figures(accountOfPrincipal(principal), given)
      const json = {
        ...{ from: isoTime(report.from), to: isoTime(report.to), all: figuresOnWire(report.all) },
        queues: report.queues.map(one => ({ queue_name: one.queueName, ...figuresOnWire(one) })),
        live_agents: report.liveAgents.map(one => ({ ...one.liveAgent, ...figuresOnWire(one) })),
        times: report.times.map(one => ({ ...one, from: isoTime(one.from) })),
      }
      return { status: 200, json }
    },
  }),
]
