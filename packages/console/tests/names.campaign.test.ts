import type { NewAlertRule } from '@colloquy/core'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID } from '../../../examples/standalone/src/seed.ts'
import { lookAt } from './look.ts'
import { goTo, startSite } from './site.ts'

// Slow: a browser opens each place in both themes.

const pages = requireBrowser()

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-DE' }],
]

const SLOW: NewAlertRule = {
  ...{ name: 'Slow answers', metric: 'turn_latency_p95' },
  ...{ operator: '>', threshold: 9_000, window: '60m', agentId: DEMO_AGENT_ID },
}

/** Texts of a column, by its number, sorted: what is created at one moment has no order. */
const cells = async (page: Page, column: number) =>
  (await page.locator(`tbody tr td:nth-child(${column})`).allInnerTexts()).sort()

/** Texts of the choices of a filter. */
const choicesOf = (page: Page, label: string) =>
  page.getByRole('combobox', { name: label, exact: true }).locator('option').allTextContents()

test.each(WAYS)('CO691 keys, alert rules and the audit log have names: %s', async (way, options) => {
  const isGerman = way === 'german'
  const say = (english: string, german: string): string => (isGerman ? german : english)
  const site = await startSite()
  const { access, agents, alerts, conversations } = site.platform
  const of = { accountId: DEMO_ACCOUNT_ID } as const
  const agent = (await agents.list(DEMO_ACCOUNT_ID)).find(({ id }) => id === DEMO_AGENT_ID)?.name ?? ''
  const { id: gone } = await agents.create({ ...of, name: 'Night desk', greeting: 'Hello' })
  for (const [name, agentId] of [
    ['Nightly build', DEMO_AGENT_ID],
    ['Old', gone],
    ['Everything', null],
  ] as const)
    await access.createApiKey({ ...of, kind: 'workspace', name, ...(agentId === null ? {} : { agentId }) })
  const { live } = await agents.activeDeployments(DEMO_AGENT_ID)
  await alerts.createRule(DEMO_ACCOUNT_ID, { ...SLOW, deploymentId: live?.id ?? '' })
  await alerts.createRule(DEMO_ACCOUNT_ID, { ...SLOW, name: 'Slow anywhere', agentId: null })
  await agents.delete(gone)
  await conversations.start({
    ...{
      ...of,
      agentId: DEMO_AGENT_ID,
      environment: 'live',
      conversationId: 'C-1',
      startedAt: 0,
      channel: 'CHAT',
    },
  })
  await conversations.finish({ agentId: DEMO_AGENT_ID, conversationId: 'C-1', finishedAt: 1 })
  await site.platform
    .as({ type: 'person', id: 'u-eve', name: 'Eve' })
    .conversations.remove(DEMO_ACCOUNT_ID, DEMO_AGENT_ID, 'C-1')

  const page = await site.open(pages, 'ada', options)
  const findings: string[] = []
  const look = async (name: string) => findings.push(...(await lookAt(page, `${way}-names-${name}`)))
  await goTo(page, '#/settings/keys')
  const kind = say('Workspace', 'Arbeitsbereich')
  // An agent that is gone has no name any more.
  const kinds = [kind, `${kind} · ${gone}`, `${kind} · ${agent}`].sort()
  await expect.poll(() => cells(page, 2)).toEqual(kinds)
  await look('keys')

  await goTo(page, '#/alerts')
  const rules = page.locator('section').last().locator('tr')
  const rule = (name: string) =>
    rules.filter({ hasText: name }).locator('td:first-child .block').allTextContents()
  await expect.poll(() => rule('Slow anywhere')).toEqual([say('The whole account', 'Das ganze Konto')])
  const version = expect.stringMatching(/^Version \d+, in Live$/)
  await expect.poll(() => rule('Slow answers')).toEqual([agent, version])
  await look('alerts')

  await goTo(page, '#/settings/audit')
  const row = page.locator('tbody tr')
  const removed = say('Conversation: removed', 'Gespräch: entfernt')
  await expect.poll(() => row.first().allInnerTexts()).toEqual([expect.stringContaining(removed)])
  expect(await row.first().innerText()).toMatch(/Eve[\s\S]*C-1/)
  for (const text of [`Nightly build`, 'Slow answers', 'Night desk', agent])
    await row.getByText(text, { exact: true }).first().waitFor()
  await look('audit')

  const actions = page.getByRole('combobox', { name: say('What', 'Was') })
  await actions.selectOption({ label: say('API key: created', 'API-Schlüssel: angelegt') })
  const keys = ['Everything', 'Nightly build', 'Old']
  await expect.poll(() => cells(page, 4)).toEqual(keys)
  expect(page.url()).toContain('action=api_key.created')
  const targets = page.getByRole('combobox', { name: say('Target', 'Ziel') })
  await targets.selectOption({ label: say('Old · API key', 'Old · API-Schlüssel') })
  await expect.poll(() => cells(page, 4)).toEqual(['Old'])
  await actions.selectOption('')
  await targets.selectOption({ label: say('Slow answers · Alert rule', 'Slow answers · Alarmregel') })
  await expect.poll(() => cells(page, 3)).toEqual([say('Alert rule: created', 'Alarmregel: angelegt')])
  // A conversation has no name to be chosen by.
  await targets.selectOption({ label: say('By id', 'Nach Kennung') })
  await page.getByRole('searchbox', { name: say('By id', 'Nach Kennung') }).fill('C-1')
  await expect.poll(() => cells(page, 3)).toEqual([removed])
  await look('audit-by-id')
  // The address has the filters, also of a target and an action that are not known.
  await goTo(page, '#/settings/audit?id=C-2')
  await page.locator('.empty').waitFor()
  await goTo(page, '#/settings/audit?action=agent.deleted')
  await expect.poll(() => cells(page, 4)).toEqual(['Night desk'])
  expect(findings).toEqual([])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test.each(WAYS)('CO628 conversations are narrowed by names of the agent: %s', async (way, options) => {
  const isGerman = way === 'german'
  const site = await startSite()
  const { agents, conversations } = site.platform
  const { id: branchId } = await agents.createBranch(DEMO_AGENT_ID, { branchName: 'guests' })
  const { id: variantId } = await agents.createVariant(DEMO_AGENT_ID, branchId, { name: 'Regulars' })
  await agents.merge(DEMO_AGENT_ID, branchId)
  await agents.publish(DEMO_AGENT_ID, { environment: 'live' })
  const at = Date.UTC(2026, 0, 1)
  const said = { 'C-1': 'Breakfast', 'C-2': 'Old topic', 'C-3': 'Breakfast' }
  for (const [conversationId, topic] of Object.entries(said)) {
    const of = { agentId: DEMO_AGENT_ID, conversationId }
    await conversations.start({
      ...{
        accountId: DEMO_ACCOUNT_ID,
        environment: 'live',
        startedAt: at,
        channel: 'CHAT',
      },
      ...{ ...of, ...(conversationId === 'C-1' ? { variantId } : {}) },
    })
    await conversations.recordTurn({
      ...{ ...of, turnId: 'T-1', userInput: conversationId, userInputAt: at, agentResponse: 'Yes.' },
      ...{ agentResponseAt: at + 900, citedTopic: topic },
    })
  }
  const page = await site.open(pages, 'ben', options)
  await goTo(page, `#/conversations/${DEMO_AGENT_ID}`)
  const found = async () => (await page.locator('tbody .clipped').allTextContents()).sort()
  await expect.poll(found).toEqual(['C-1', 'C-2', 'C-3'])
  await page.locator('.unfold button').click()
  const [topic, variant, all] = isGerman ? ['Thema', 'Variante', 'Alle'] : ['Topic', 'Variant', 'All']
  await expect.poll(() => choicesOf(page, topic)).toContain('Breakfast')
  const topics = await agents.topics(DEMO_AGENT_ID, 'main')
  expect(await choicesOf(page, topic)).toEqual([all, ...topics.map(({ name }) => name).sort()])
  await page.getByRole('combobox', { name: topic }).selectOption('Breakfast')
  await expect.poll(found).toEqual(['C-1', 'C-3'])
  await page.getByRole('combobox', { name: variant }).selectOption('Regulars')
  await expect.poll(found).toEqual(['C-1'])
  const findings = await lookAt(page, `${way}-names-conversations`)
  expect(page.url()).toMatch(/topic=Breakfast.*variant=Regulars/)
  await page.getByRole('combobox', { name: variant }).selectOption({ label: all })
  await expect.poll(found).toEqual(['C-1', 'C-3'])
  // A topic of earlier conversations that main does not have any more: an address may still name it.
  await goTo(page, `#/conversations/${DEMO_AGENT_ID}?topic=Old+topic`)
  await expect.poll(found).toEqual(['C-2'])
  expect(await page.getByRole('combobox', { name: topic }).inputValue()).toBe('Old topic')
  // Across agents, topics are too many to choose from.
  await page.getByRole('combobox', { name: 'Agent' }).selectOption('')
  await expect.poll(() => page.getByRole('searchbox', { name: topic }).inputValue()).toBe('Old topic')
  await expect.poll(found).toEqual(['C-2'])
  expect(findings).toEqual([])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test.each(WAYS.slice(1))('CO10 no action, area or column is cut off in German: %s', async (_, options) => {
  const { open, platform, visit } = await startSite()
  await platform.access.createApiKey({
    ...{ kind: 'workspace', accountId: DEMO_ACCOUNT_ID, name: 'Nachtlauf', agentId: DEMO_AGENT_ID },
  })
  await visit('let me speak with a manager')
  const page = await open(pages, 'ada', { ...options, locale: 'de-DE' })
  const cut = () =>
    page.evaluate(
      `[...document.querySelectorAll('.areas, .head > .actions, .scrolls')]
        .filter(one => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth)
        .map(one => one.className)`,
    )
  for (const [place, shown] of [
    ['desk', 'Abwesend melden'],
    [`agents/${DEMO_AGENT_ID}`, 'Agenten löschen'],
    ['settings/keys', 'Widerrufen'],
  ] as const) {
    await goTo(page, `#/${place}`)
    await page.getByRole('button', { name: shown }).first().waitFor()
    await expect.poll(cut, { message: place }).toEqual([])
  }
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})
