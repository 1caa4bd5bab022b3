import type { Platform } from '../../src/platform.ts'
import type { Store } from '../../src/ports/store/store.ts'
import { aConversation, aNewEndpoint, type FakeClock, START } from '../../src/testing/index.ts'

/** A conversation whose visitor waits for a live agent. */
const waiting = (id: string, accountId: string, agentId: string) =>
  aConversation(id, {
    ...{ accountId, agentId },
    state: {
      ...{ owner: 'queue', handoffs: 1 },
      handoff: {
        ...{ id: `${id}.1`, status: 'waiting', queueName: 'reception', reason: '', destination: '' },
        ...{ requestedAt: START, timeoutAt: START + 10_000_000, liveAgent: null, acceptedBy: null },
        attendedUntil: null,
      },
    },
  })

/** Shares live with another version until a rule that fires at once takes its share away. */
async function rollOut(
  { agents, alerts }: Platform,
  clock: FakeClock,
  { accountId, agentId }: { readonly accountId: string; readonly agentId: string },
): Promise<void> {
  const { id: branchId } = await agents.createBranch(agentId, { branchName: 'candidate' })
  await agents.updateBehavior(agentId, branchId, 'Be brief.')
  const { deployment } = await agents.merge(agentId, branchId)
  const rule = await alerts.createRule(accountId, {
    ...{ name: 'Always', agentId, metric: 'call_volume', operator: '>=', threshold: 0, window: '5m' },
  })
  const guards = [rule.id]
  const { id } = await agents.rollouts.start(agentId, {
    deploymentId: deployment.id,
    basisPoints: 100,
    guards,
  })
  await agents.rollouts.setShare(agentId, id, { basisPoints: 200 })
  await clock.advance(60_000)
  await agents.rollouts.end(agentId, id, { winner: 'base' })
}

/** Does everything that the audit log notes at least once; returns the secrets that were issued on the way. */
export async function everyAction(
  platform: Platform,
  clock: FakeClock,
  { conversations: stored }: Pick<Store, 'conversations'>,
): Promise<readonly string[]> {
  const { access, agents, alerts, audit, conversations, telephony, voices, webhooks } = platform
  const account = await access.createAccount({ accountId: 'ws-one', slug: 'one', name: 'One' })
  const { id: agentId } = await agents.create({ accountId: account.id, name: 'Desk', greeting: 'Hello' })
  const kinds = ['workspace', 'project', 'external_events', 'desk'] as const
  const keys = await Promise.all(kinds.map(kind => access.createApiKey({ kind, accountId: account.id })))
  for (const { key } of keys.slice(1)) await access.revokeApiKey(key.id)
  const { connector, token } = await access.createConnector({
    ...{ accountId: account.id, agentId, environment: 'live', hosts: ['a.example'] },
  })
  await access.updateConnector(connector.id, { name: 'Site' })
  const { contextKey } = await access.rotateContextKeys(connector.id)
  await access.revokeContextKeys(connector.id)

  await access.rotateTokenKeys()

  const owned = { accountId: account.id, agentId, environment: 'live', name: 'Line' } as const
  const line = await access.createTelephonyConnector(owned)
  const phoneNumbers = ['+442079460018', '+442079460019']
  await telephony.importNumbers(agentId, { phoneNumbers })
  await telephony.assignNumber(agentId, '+442079460018', line.id)
  await telephony.deleteNumber(agentId, '+442079460019')
  await telephony.addToPool(agentId, ['+442079460020'])
  await telephony.removeFromPool('+442079460020')
  const speaker = { provider: 'OPENAI', providerVoiceId: 'alloy', config: {} }
  const spoken = { name: 'Ada', ...speaker }
  const { id: voiceId } = await voices.create(account.id, spoken)
  await voices.update(account.id, voiceId, { name: 'Grace' })
  await voices.say(agentId, { text: 'Hello.', ...speaker })
  const { entries } = await voices.cachedAudio(agentId)
  const ids = entries.map(({ id }) => id)
  for (const id of ids) {
    const { audio } = await voices.cachedSound(agentId, id)
    await voices.replaceCachedAudio(agentId, id, { audio })
  }
  await voices.deleteCachedAudio(agentId, ids)

  const branch = await agents.createBranch(agentId, { branchName: 'work' })
  const turns = [{ text: 'Hello', expectations: { contains: ['hello'] } }]
  await agents.testCases.create(agentId, branch.id, { name: 'Greeting', turns })
  await agents.startTestRun(agentId, { branchId: branch.id })
  const { deployment } = await agents.merge(agentId, branch.id)
  await agents.publish(agentId, { environment: 'live' })
  await agents.promote(agentId, deployment.id)
  await agents.rollback(agentId, deployment.id)
  await agents.deleteBranch(agentId, branch.id)
  await rollOut(platform, clock, { accountId: account.id, agentId })
  await agents.updateRealTimeConfigSchema(agentId, 'live', { type: 'object' })
  await agents.updateRealTimeConfigVariables(agentId, 'live', { door_code: 'variable-secret-1234' })

  const { endpoint, secret: endpointSecret } = await webhooks.createEndpoint(account.id, {
    ...aNewEndpoint('https://a.example/in/address-secret-123'),
    headers: { 'X-Key': 'header-secret-12345' },
  })
  await webhooks.updateEndpoint(account.id, endpoint.id, { name: 'Ours' })
  const rotated = await webhooks.rotateSecret(account.id, endpoint.id)

  const rule = await alerts.createRule(account.id, {
    ...{ name: 'Slow', metric: 'turn_latency_p95', operator: '>', threshold: 2_000, window: '5m' },
  })
  await alerts.updateRule(account.id, rule.id, { threshold: 3_000 })
  await alerts.deleteRule(account.id, rule.id)

  for (const id of ['CONV-1', 'CONV-2', 'CONV-3']) await stored.create(waiting(id, account.id, agentId))
  const [ada, ben] = ['Ada', 'Ben'].map(name => ({ id: name, name, avatarUrl: '' }))
  if (ada === undefined || ben === undefined) throw new Error('no live agents')
  await platform.desk.accept(account.id, 'CONV-1.1', ada)
  await platform.desk.accept(account.id, 'CONV-1.1', ben, { takeOver: true })
  await platform.desk.leave(account.id, 'CONV-1.1')
  await platform.desk.reject(account.id, 'CONV-2.1', null)
  await platform.desk.accept(account.id, 'CONV-3.1', ada)
  const leave = await platform.desk.watch(account.id, () => {}, { liveAgentId: 'Ben' })
  await platform.desk.transfer(account.id, 'CONV-3.1', { liveAgentId: 'Ben' })
  await platform.desk.return(account.id, 'CONV-3.1')
  leave()

  await platform.desk.queues.setHours(account.id, 'night', { timeZone: 'UTC', weekly: [] })
  await platform.desk.queues.removeHours(account.id, 'night')
  await conversations.views.save(account.id, { name: 'Open', filters: {} })
  await conversations.views.delete(account.id, 'open')
  await platform.desk.assignments.set(account.id, 'night', { mode: 'round_robin' })
  await platform.desk.assignments.remove(account.id, 'night')
  const reply = await platform.desk.replies.create(account.id, { code: 'hi', text: 'Hi' })
  await platform.desk.replies.update(account.id, reply.id, { text: 'Hello' })
  await platform.desk.replies.delete(account.id, reply.id)

  const call = { agentId, conversationId: 'VOICE-1' }
  await conversations.start({ ...call, accountId: account.id, environment: 'live', channel: 'VOICE-SIP' })
  await conversations.recordTurn({ ...call, turnId: 'T-1', userInput: 'Hello', userInputAt: clock.now() })
  await conversations.finish(call)
  const sound = { ...call, accountId: account.id, direction: 'combined', redacted: false } as const
  for await (const _ of (await platform.reading.audio(sound)).read());
  const replay = await agents.startReplay(agentId, { deploymentId: deployment.id })
  await platform.idle()
  for (const { verdict, reason, from, to } of (await agents.replay(agentId, replay.id)).groups)
    await agents.acceptReplayGroup(agentId, replay.id, { verdict, reason, from, to, why: 'As it was.' })
  await conversations.remove(account.id, agentId, call.conversationId)
  for await (const _ of conversations.exportVisitor(account.id, { visitorId: 'vera' }));
  await conversations.removeVisitor(account.id, { visitorId: 'vera' })
  await conversations.purge({ olderThan: clock.now() })
  await audit.purge({ olderThan: START - 1 })

  const { id: copyId } = await agents.duplicate(agentId, { newAgentName: 'Copy' })
  await agents.update(copyId, { name: 'Night desk' })
  await agents.delete(copyId)
  const { endpoint: other, secret: otherSecret } = await webhooks.createEndpoint(
    account.id,
    aNewEndpoint('https://b.example/'),
  )
  await webhooks.deleteEndpoint(account.id, other.id)
  await access.revokeConnector(connector.id)
  return [
    ...keys.map(({ secret }) => secret),
    token,
    contextKey.secret,
    endpointSecret,
    rotated.secret,
    otherSecret,
    'variable-secret-1234',
    'address-secret-123',
    'header-secret-12345',
  ]
}
