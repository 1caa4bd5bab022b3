import { describe, expect, it } from 'vitest'
import { aConversation, anAppend } from '../../conversation-fixtures.ts'
import {
  ACCOUNT,
  AGENT,
  aCount,
  aDeployment,
  anAccount,
  anAgent,
  anAuditEntry,
  aTextPair,
  aVoice,
  START,
} from '../../fixtures.ts'
import { testAccessStore } from './access-store.ts'
import { testAgentStore } from './agent-store.ts'
import { testAlertStore } from './alert-store.ts'
import { testAuditStore } from './audit-store.ts'
import { testConversationStore } from './conversation-store.ts'
import { wakesAt } from './stored.ts'
import { openForTest, reopenForTest, type StoreFactory } from './tools.ts'
import { testWebhookStore } from './webhook-store.ts'

function describeStore(name: string, factory: StoreFactory): void {
  describe(`${name}: store`, () => {
    it('ST1 two stores share nothing', async () => {
      const [one, two] = await Promise.all([openForTest(factory), openForTest(factory)])
      await one.agents.create(anAgent())
      await one.conversations.create(aConversation('AS-1', { wakeAt: 0 }))
      await one.access.accounts.create(anAccount())
      await one.access.tokenKeys.secret('token', 'one')
      expect(await two.agents.find(AGENT)).toBeNull()
      expect(await two.conversations.load('AS-1')).toBeNull()
      expect(await wakesAt(two.conversations, null)).toBe(true)
      expect(await two.access.accounts.list({}, 100)).toEqual([])
      expect(await two.access.tokenKeys.secret('token', 'two')).toBe('two')
    })

    it('ST2 the parts are independent: what one holds says nothing about the others', async () => {
      const { agents, conversations, access } = await openForTest(factory)
      expect(await conversations.create(aConversation('AS-1'))).toBe('created')
      expect(await agents.create(anAgent())).toBe('created')
      expect(await agents.delete(AGENT, START)).toBe(true)
      expect(await conversations.load('AS-1')).toMatchObject({ version: 1 })
      expect(await conversations.records.find(ACCOUNT, AGENT, 'AS-1')).not.toBeNull()
      expect(await access.accounts.find(ACCOUNT)).toBeNull()
    })

    it('ST3 after `close` every part rejects its calls', async () => {
      const store = await factory.open()
      await store.agents.create(anAgent())
      await store.close()
      const calls = [
        () => store.agents.find(AGENT),
        () => store.agents.create(anAgent('PROJECT-TWO')),
        () => store.agents.deployments.create(aDeployment(1), null),
        () => store.conversations.load('AS-1'),
        () => store.conversations.create(aConversation('AS-1')),
        () => store.conversations.append(anAppend(aConversation('AS-1'), 1)),
        () => store.conversations.timers.claimDue(1, 1, 2),
        () => store.access.accounts.list({}, 100),
        () => store.access.accounts.create(anAccount()),
        () => store.access.tokenKeys.secret('token', 'late'),
        () => store.access.phoneNumbers.find(['+1555']),
        () => store.access.numberPool.find('+1555'),
        () => store.access.voices.list(ACCOUNT),
        () => store.access.audioCache.use('1', START),
        () => store.webhooks.endpoints.list(ACCOUNT, {}, 100),
        () => store.webhooks.deliveries.dueEndpoints(START, 1),
        () => store.alerts.rules.list(ACCOUNT),
        () => store.alerts.counters.add([aCount('api_errors')]),
        () => store.conversations.textPairs.save(aTextPair(), 0),
        () => store.conversations.outboundCalls.due(START, 1),
        () => store.audit.list({}, 1),
        () => store.audit.append(anAuditEntry('AUDIT-1')),
      ]
      for (const call of calls) {
        const pending = call()
        expect(pending).toBeInstanceOf(Promise)
        await expect(pending).rejects.toThrow(/./)
      }
    })

    it('ST4 `close` waits for writes under way: each resolves as it would have', async () => {
      const store = await factory.open()
      await store.access.voices.create(aVoice('V-1'), 9)
      const ids = ['AS-1', 'AS-2', 'AS-3']
      const writes = ids.map(id => store.conversations.create(aConversation(id)))
      const agent = store.agents.create(anAgent())
      const voice = store.access.voices.update(1, aVoice('V-1', { version: 2 }))
      const pair = store.conversations.textPairs.save(aTextPair(), 0)
      await Promise.all([store.close(), store.close()])
      expect(await Promise.all(writes)).toEqual(['created', 'created', 'created'])
      expect([await agent, await voice, await pair]).toEqual(['created', 'written', 'saved'])
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('ST5 writes that were under way at `close` are there when the store is opened again', async () => {
        const store = await factory.open()
        const writes = [
          store.conversations.create(aConversation('AS-1')),
          store.agents.create(anAgent()),
          store.access.accounts.create(anAccount()),
        ]
        const again = await reopenForTest(reopen, store)
        expect(await Promise.all(writes)).toEqual(['created', 'created', 'created'])
        expect(await again.conversations.load('AS-1')).toMatchObject({ version: 1 })
        expect(await again.agents.find(AGENT)).toEqual(anAgent().agent)
        expect(await again.access.accounts.find(ACCOUNT)).toEqual(anAccount())
      })

      it('ST6 a store that holds nothing can be opened again, and again', async () => {
        const first = await factory.open()
        await first.close()
        const second = await reopen(first)
        expect(await second.access.accounts.list({}, 100)).toEqual([])
        await second.access.accounts.create(anAccount())
        const third = await reopenForTest(reopen, second)
        expect(await third.access.accounts.list({}, 100)).toEqual([anAccount()])
      })
    }
  })
}

/**
 * Declares the tests of the store ports for one adapter: the store as a whole (rules ST1 to ST9) and its six parts.
 * To be called at the top level of a vitest file:
 *
 *     testStore('my adapter', { open: async () => createMyStore() })
 *
 * An adapter that passes may be handed to the platform.
 */
export function testStore(name: string, factory: StoreFactory): void {
  describeStore(name, factory)
  testAgentStore(name, factory)
  testConversationStore(name, factory)
  testAccessStore(name, factory)
  testWebhookStore(name, factory)
  testAlertStore(name, factory)
  testAuditStore(name, factory)
}
