import { type Account, defineFunction, type Platform } from '@colloquy/core'
import { z } from 'zod'
import { ROWS } from '../scope-matrix/rows.ts'
import { type Ids, idsAt, type SeededAgent, seedAgent } from '../scope-matrix/seeded-agent.ts'
import { collectionOf } from './pool.ts'

const KINDS = ['workspace', 'project', 'external_events', 'desk'] as const

/** One account of the world that is fuzzed, with a credential of each kind. */
export const tenantSchema = z.object({
  accountId: z.string(),
  slug: z.string(),
  agentId: z.string(),
  keys: z.record(z.enum(KINDS), z.string()),
  connectorToken: z.string(),
  /** Id of the telephony connector. `phoneNumber` is the number that it answers. */
  lineId: z.string(),
  recordId: z.string(),
  phoneNumber: z.string(),
  /** A messaging service, over which texts are sent. */
  sender: z.string(),
  connectorId: z.string(),
  keyIds: z.array(z.string()).readonly(),
  /** Ids and secrets that no other account may be told, and the text that stands in everything it wrote. */
  private: z.array(z.string()).readonly(),
  /** A path of each kind of thing that it has: what another account may try. */
  things: z.record(z.string(), z.record(z.string(), z.string())),
})

export type Tenant = z.output<typeof tenantSchema>

/** Questions that the agents of the fuzzed world answer. */
export const QUESTIONS = ['When do you open?', 'I want to pay', 'Fetch me a human', 'So long', 'Nonsense']

/** Expects an external event, and says what it was told. */
const pay = defineFunction({
  description: 'Takes a payment',
  parameters: z.object({}),
  async execute(conversation) {
    const event = conversation.externalEvent
    if (event !== null) conversation.say(`Paid: ${event.text}`)
    else conversation.setVariable('event_id', await conversation.expectExternalEvent())
    return null
  },
})

const bye = defineFunction({
  description: 'Ends the conversation',
  parameters: z.object({}),
  execute(conversation) {
    conversation.end()
    return null
  },
})

/** The functions of the fuzzed world. */
export const functions = { pay, bye }

const TOPICS = [
  ['Opening hours', 'When do you open?', 'We open at nine.', ''],
  ['Payment', 'I want to pay', 'Pay here.', '{{fn:pay}}'],
  ['Person', 'Fetch me a human', 'I am fetching somebody.', '{{ho:reception}}'],
  ['Farewell', 'So long', 'Goodbye!', '{{fn:bye}}'],
] as const

/** The agent with all that it has, which answers {@link QUESTIONS}. */
const seed = (platform: Platform, account: Account, marker: string): Promise<SeededAgent> =>
  seedAgent(platform, account, marker, {
    ...{ pay: 'I want to pay', person: 'Fetch me a human' },
    async content(id, branchId) {
      for (const [name, question, content, actions] of TOPICS)
        await platform.agents.createTopic(id, branchId, {
          ...{ name: `${name} ${marker}`, content: `${content} ${marker}`, actions },
          ...{ exampleQueries: [question], isActive: true },
        })
    },
  })

/** The parameters of each path that names something of the agent's, by the path of its kind. */
function thingsOf(agent: SeededAgent): Readonly<Record<string, Ids>> {
  const scope = { accountId: agent.account.id, account_id: agent.account.id }
  // Operators name what is everybody's.
  const { operator: _, ...families } = ROWS
  const rows = Object.values(families).flatMap(ofFamily => Object.entries(ofFamily))
  const pathOf = (route: string) => route.replace(/^\w+ /, '')
  // Some names are anybody's.
  const free = rows.filter(([, { anyName }]) => anyName).map(([route]) => collectionOf(pathOf(route)))
  return Object.fromEntries(
    rows.flatMap(([route]) => {
      const path = pathOf(route)
      const ids: Ids = { ...idsAt(path, agent), ...scope, agentId: agent.id, project_id: agent.id }
      const params = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, ids[name] ?? ''] as const)
      if (params.length === 0 || free.includes(collectionOf(path))) return []
      return [[collectionOf(path), Object.fromEntries(params)] as const]
    }),
  )
}

/** Writes an account with everything that an account can have, all in texts that hold the marker. */
export async function createTenant(
  platform: Platform,
  slug: string,
  marker: string,
): Promise<Tenant & SeededAgent> {
  const { access, telephony } = platform
  const account = await access.createAccount({ accountId: `ws-${slug}`, slug, name: `Account ${marker}` })
  const agent = await seed(platform, account, marker)
  const issued = await Promise.all(
    KINDS.map(kind => access.createApiKey({ kind, accountId: account.id, name: marker })),
  )
  const [workspace = '', project = '', external_events = '', desk = ''] = issued.map(({ secret }) => secret)
  const keys = { workspace, project, external_events, desk }
  const keyIds = issued.map(({ key }) => key.id)
  const { ids, connectorToken } = agent
  const { connectorId: lineId = '', phoneNumber = '', recordId = '', messagingConnectorId = '' } = ids
  const sender = `MG-${slug}`
  await telephony.importNumbers(agent.id, { phoneNumbers: [sender], connectorId: lineId })
  await telephony.addToPool(agent.id, [`+44207946010${slug.length}`])
  const things = thingsOf(agent)
  const named = Object.values(things).flatMap(thing => Object.values(thing))
  return {
    ...agent,
    ...{ accountId: account.id, slug, agentId: agent.id, keys, keyIds },
    ...{ lineId, recordId, phoneNumber, sender, connectorId: messagingConnectorId, things },
    private: [
      ...[marker, ...named.filter(id => id.length > 15), ...Object.values(keys)],
      ...[connectorToken, messagingConnectorId, ...keyIds],
    ],
  }
}
