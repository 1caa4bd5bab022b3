import { describe, expect, it } from 'vitest'
import type { CreatedFilter, CreatedPosition } from '../../../../../ports/store/accounts.ts'
import type { Store } from '../../../../../ports/store/store.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aConnector,
  anAccount,
  anAgent,
  anAlertRule,
  anApiKey,
  anEndpoint,
  aPhoneNumber,
  aPooledNumber,
  aTelephonyConnector,
  aVoice,
  START,
} from '../../../../fixtures.ts'
import { count, ORDERED_IDS, openForTest, RACERS, race, type StoreFactory } from '../../tools.ts'

/** The owner of a value, and the time of its making. */
interface Made {
  readonly accountId: string
  readonly agentId: string
  readonly createdAt: number
}

/** A list of what was created, oldest first. */
interface CreatedList {
  readonly name: string
  make(store: Store, id: string, of: Made): Promise<unknown>
  list(store: Store, filter: CreatedFilter, limit: number): Promise<readonly CreatedPosition[]>
  /** Such a list comes whole, whatever page is asked for. @default it comes in pages */
  readonly isWhole?: true
}

const LISTS: readonly CreatedList[] = [
  {
    name: 'API keys',
    make: ({ access }, id, of) => access.apiKeys.create(anApiKey(id, of)),
    list: ({ access }, filter, limit) => access.apiKeys.list({ accountId: ACCOUNT, ...filter }, limit),
  },
  {
    name: 'connectors',
    make: ({ access }, id, of) => access.connectors.create(aConnector(id, of)),
    list: ({ access }, filter, limit) => access.connectors.list({ accountId: ACCOUNT, ...filter }, limit),
  },
  {
    name: 'telephony connectors',
    make: ({ access }, id, of) => access.connectors.create(aTelephonyConnector(id, of)),
    list: ({ access }, filter, limit) => access.connectors.listTelephony(AGENT, filter, limit),
  },
  {
    ...{ name: 'voices', isWhole: true },
    make: ({ access }, id, of) => access.voices.create(aVoice(id, of), 99),
    list: ({ access }) => access.voices.list(ACCOUNT),
  },
  {
    ...{ name: 'agents', isWhole: true },
    make: ({ agents }, id, { accountId, createdAt }) => agents.create(anAgent(id, { accountId, createdAt })),
    list: ({ agents }) => agents.list(ACCOUNT),
  },
  {
    ...{ name: 'branches', isWhole: true },
    make: async ({ agents }, id, { agentId, createdAt }) => {
      await agents.create(anAgent(agentId, { createdAt: START + 9 }))
      return agents.branches.create(aBranch(id, { agentId, createdAt }))
    },
    list: async ({ agents }) => (await agents.branches.list(AGENT)).slice(0, -1),
  },
  {
    name: 'endpoints',
    make: ({ webhooks }, id, of) => webhooks.endpoints.create(anEndpoint(id, of), 99),
    list: ({ webhooks }, filter, limit) => webhooks.endpoints.list(ACCOUNT, filter, limit),
  },
  {
    ...{ name: 'alert rules', isWhole: true },
    make: ({ alerts }, id, of) => alerts.rules.create(anAlertRule(id, of), 99),
    list: ({ alerts }) => alerts.rules.list(ACCOUNT),
  },
  {
    name: 'accounts',
    make: ({ access }, id, { accountId, createdAt }) =>
      access.accounts.create(anAccount(id, { createdAt: accountId === ACCOUNT ? createdAt : START + 9 })),
    list: async ({ access }, filter, limit) =>
      (await access.accounts.list(filter, limit)).filter(({ id }) => id !== 'foreign'),
  },
]

/** A kind of things of which an owner may have a limited number. */
interface Room {
  readonly name: string
  add(store: Store, id: string, most: number, owner: string): Promise<unknown>
  list(store: Store, owner: string): Promise<readonly unknown[]>
  /** @default nothing goes */
  remove?(store: Store, id: string): Promise<unknown>
}

const ROOMS: readonly Room[] = [
  {
    name: 'phone numbers',
    add: async ({ access }, id, most, agentId) =>
      (await access.phoneNumbers.add([aPhoneNumber(id, { agentId })], most)).outcome,
    list: ({ access }, owner) => access.phoneNumbers.list(owner, {}, 99),
    remove: ({ access }, id) => access.phoneNumbers.remove(ACCOUNT, id),
  },
  {
    name: 'numbers of a pool',
    add: async ({ access }, id, most, agentId) =>
      (await access.numberPool.add([aPooledNumber(id, { agentId })], most)).outcome,
    list: ({ access }, owner) => access.numberPool.list(owner, {}, 99),
    remove: ({ access }, id) => access.numberPool.remove(ACCOUNT, id),
  },
  {
    name: 'voices',
    add: ({ access }, id, most, accountId) => access.voices.create(aVoice(id, { accountId }), most),
    list: ({ access }, owner) => access.voices.list(owner),
  },
  {
    name: 'endpoints',
    add: ({ webhooks }, id, most, accountId) =>
      webhooks.endpoints.create(anEndpoint(id, { accountId }), most),
    list: ({ webhooks }, owner) => webhooks.endpoints.list(owner, {}, 99),
    remove: ({ webhooks }, id) => webhooks.endpoints.delete(ACCOUNT, id),
  },
  {
    name: 'alert rules',
    add: ({ alerts }, id, most, accountId) => alerts.rules.create(anAlertRule(id, { accountId }), most),
    list: ({ alerts }, owner) => alerts.rules.list(owner),
    remove: ({ alerts }, id) => alerts.rules.delete(ACCOUNT, id, 1),
  },
]

/** Tests of what lists hold, and how much there may be (SX4 and SX62). */
export function describeLists(factory: StoreFactory): void {
  describe('lists', () => {
    for (const { isWhole, list, make, name } of LISTS) {
      const ordered = ['z-early', ...ORDERED_IDS, 'A-late']
      const open = async () => {
        const store = await openForTest(factory)
        const whose = { accountId: ACCOUNT, agentId: AGENT }
        await make(store, 'A-late', { ...whose, createdAt: START + 1 })
        for (const id of ORDERED_IDS.toReversed()) await make(store, id, { ...whose, createdAt: START })
        await make(store, 'z-early', { ...whose, createdAt: 0 })
        await make(store, 'foreign', { accountId: 'ws-other', agentId: 'PROJECT-TWO', createdAt: 1 })
        return async (filter: CreatedFilter, limit = 99) =>
          (await list(store, filter, limit)).map(({ id }) => id)
      }

      it(`SX4 they are oldest first, then by the code points of the id, without those of others: ${name}`, async () => {
        const ids = await open()
        expect(await ids({})).toEqual(ordered)
      })
      if (!isWhole)
        it(`SX4 they come in pages after a position, whether or not anything is at it: ${name}`, async () => {
          const ids = await open()
          expect(await ids({}, 3)).toEqual(ordered.slice(0, 3))
          for (const [at, id] of ordered.entries()) {
            const createdAt = id === 'z-early' ? 0 : id === 'A-late' ? START + 1 : START
            expect(await ids({ after: { createdAt, id } }, 2)).toEqual(ordered.slice(at + 1, at + 3))
          }
          expect(await ids({ after: { createdAt: -1, id: 'nobody' } })).toEqual(ordered)
          expect(await ids({ after: { createdAt: START, id: 'K-9x' } })).toEqual(ordered.slice(3))
          expect(await ids({ after: { createdAt: START + 1, id: 'nobody' } })).toEqual([])
        })
    }
  })

  describe('room', () => {
    for (const { add, list, name, remove } of ROOMS)
      it(`SX62 nobody has more than they may, whoever adds at once: ${name}`, async () => {
        const store = await openForTest(factory)
        expect(await add(store, '+9', 0, ACCOUNT)).toBe('full')
        const results = await race(racer => add(store, `+${racer}`, 3, ACCOUNT))
        expect(count(results, 'full')).toBe(RACERS - 3)
        expect(await list(store, ACCOUNT)).toHaveLength(3)
        expect(await add(store, '+9', 3, 'ws-other')).not.toBe('full')
        if (remove === undefined) return
        await remove(store, `+${results.findIndex(result => result !== 'full')}`)
        expect(await add(store, '+10', 3, ACCOUNT)).not.toBe('full')
        expect(await add(store, '+11', 3, ACCOUNT)).toBe('full')
      })
  })
}
