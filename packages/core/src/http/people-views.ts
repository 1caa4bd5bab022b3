import * as z from 'zod'
import type { SavedView } from '../domain/conversation/saved-view.ts'
import { accountOfPrincipal } from './principal-account.ts'
import { describeRoute, type Route } from './route.ts'

const common = { family: 'desk', credential: 'own' } as const
const byName = { path: '/console/v1/views/:name', params: z.object({ name: z.string() }) } as const

const viewOnWire = ({ filters, name }: SavedView) => ({ name, filters })

/** Saved views of the list of conversations (PE12). */
export const peopleViewRoutes: readonly Route[] = [
  describeRoute({
    ...common,
    method: 'GET',
    path: '/console/v1/views',
    operation: 'listViews',
    summary: 'List the saved views of an account, by name',
    async handle({ platform, principal }) {
      const views = await platform.conversations.views.list(accountOfPrincipal(principal))
      return { status: 200, json: { views: views.map(viewOnWire) } }
    },
  }),
  describeRoute({
    ...common,
    ...byName,
    method: 'PUT',
    operation: 'saveView',
    summary: 'Save the filters of a list under a name, over those of that name',
    body: z.object({ filters: z.record(z.string(), z.string()) }),
    async handle({ platform, principal, params: { name }, body: { filters } }) {
      const view = await platform.conversations.views.save(accountOfPrincipal(principal), { name, filters })
      return { status: 200, json: viewOnWire(view) }
    },
  }),
  describeRoute({
    ...common,
    ...byName,
    method: 'DELETE',
    operation: 'deleteView',
    summary: 'Delete a saved view',
    async handle({ platform, principal, params: { name } }) {
      await platform.conversations.views.delete(accountOfPrincipal(principal), name)
      return { status: 204 }
    },
  }),
]
