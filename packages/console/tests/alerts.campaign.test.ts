import { mkdirSync } from 'node:fs'
import type { NewAlertRule } from '@colloquy/core'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

/** A folder for pictures of all that is looked at here; without it none are taken. */
const SHOTS = process.env.COLLOQUY_SHOTS

const ACCOUNT = 'ws-demo'
const AGENT = 'PROJECT-DEMO'

/** Rules are evaluated often enough for a test to see it. */
const OFTEN = { evaluationInterval: 500 }

const PHONE: BrowserContextOptions = {
  ...{ viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
}

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', PHONE],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-AT' }],
]

/** Nobody talks to the agent; true from the first evaluation until somebody does. */
const NOBODY: NewAlertRule = {
  ...{ name: 'Nobody calls', metric: 'call_volume' },
  ...{ operator: '<', threshold: 1, window: '60m' },
}

/** Too many talk to it; true once one does. */
const BUSY: NewAlertRule = { ...NOBODY, name: 'Busy', operator: '>=', agentId: AGENT }

/** Answers are slow; without a turn there is nothing to measure. */
const SLOW: NewAlertRule = {
  ...{ name: 'Slow answers', metric: 'turn_latency_p95' },
  ...{ operator: '>', threshold: 4_000, window: '10m' },
  agentId: AGENT,
}

/** What the browser writes down of an answer that refuses. */
const refused = (status: string): string =>
  `Failed to load resource: the server responded with a status of ${status}`

const rowOf = (page: Page, section: 'Now' | 'Rules', name: string) =>
  page.getByRole('region', { name: section, exact: true }).getByRole('row').filter({ hasText: name })

const dialogOf = (page: Page) => page.locator('dialog')

/** Whether an element has the focus; for elements of a page. */
const isFocused = (element: { matches(selectors: string): boolean }): boolean => element.matches(':focus')

/** Looks at a place in both themes, and gives back what is wrong with it. */
async function lookAt(page: Page, place: string): Promise<readonly string[]> {
  if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })
  const findings: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined)
      await page.screenshot({ path: `${SHOTS}/console-${place}-${colorScheme}.png`, fullPage: true })
    const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    if (fits !== true) findings.push(`${place}: wider than its window`)
    findings.push(...(await findingsOf(page)).map(one => `${place}, ${colorScheme}: ${one}`))
  }
  return findings
}

test('CO19 a reader sees what fires, against which bound, and what is resolved, without doing anything', async () => {
  const { open, platform, visit } = await startSite({ alerts: OFTEN })
  for (const rule of [NOBODY, BUSY, SLOW]) await platform.alerts.createRule(ACCOUNT, rule)
  const page = await open(pages, 'ben')
  await page.getByRole('link', { name: 'Alerts', exact: true }).click()
  const status = page.getByRole('status')
  await status.getByText('One alert is firing.').waitFor()
  const firing = rowOf(page, 'Now', NOBODY.name)
  const cells = await firing.getByRole('cell').allTextContents()
  expect(cells.map(text => text.replaceAll('\u00a0', ' ').trim())).toEqual([
    'Nobody calls The whole account',
    'firing',
    '0 Conversations that began, 60 minutes',
    'less than 1',
    expect.stringMatching(/\d\d:\d\d$/),
  ])
  await rowOf(page, 'Rules', BUSY.name).getByText('in bounds').waitFor()
  await rowOf(page, 'Rules', SLOW.name).getByText('no data').first().waitFor()
  await rowOf(page, 'Rules', SLOW.name)
    .getByText('Answer time, 95th percentile: more than 4,000 ms in 10 minutes')
    .waitFor()
  await expect
    .poll(() => page.getByRole('button').allTextContents())
    .toEqual(['Skip to the content', 'Refresh'])

  await visit('When is check-in?')
  await rowOf(page, 'Now', BUSY.name).getByText('firing').waitFor()
  await firing.getByText('resolved').waitFor()
  await status.getByText('One alert is firing.').waitFor()
  await rowOf(page, 'Rules', NOBODY.name).getByText('in bounds').waitFor()
  const busy = (await platform.alerts.rules(ACCOUNT, { state: 'alert' }))[0]
  const since = rowOf(page, 'Now', BUSY.name).locator('time')
  await expect.poll(() => since.getAttribute('datetime')).toBe(new Date(busy?.since ?? 0).toISOString())

  await page.reload()
  await rowOf(page, 'Now', BUSY.name).waitFor()
  await expect.poll(() => firing.count()).toBe(0)
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO19 where nothing is watched the page says what to do, and to whom', async () => {
  const { open, platform } = await startSite({ alerts: OFTEN })
  const reader = await open(pages, 'ben')
  await goTo(reader, '#/alerts')
  await reader.getByText('Ask an administrator to create one.').waitFor()
  const operator = await open(pages, 'ada')
  await goTo(operator, '#/alerts')
  await operator.getByRole('button', { name: 'New rule' }).waitFor()
  await platform.alerts.createRule(ACCOUNT, { ...NOBODY, enabled: false })
  await operator.getByText('every rule is switched off. Switch one on below.').waitFor()
  await reader.getByText('Ask an administrator to switch one on.').waitFor()
  const desk = await open(pages, 'dora')
  await desk.getByRole('link', { name: 'Desk' }).waitFor()
  await expect.poll(() => desk.getByRole('link', { name: 'Alerts' }).count()).toBe(0)
  for (const page of [reader, operator, desk]) expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO19 without a network the page keeps what it had, says so once, and looks again by itself', async () => {
  const { open, platform } = await startSite({ alerts: OFTEN })
  const rule = await platform.alerts.createRule(ACCOUNT, NOBODY)
  const page = await open(pages, 'ben')
  await goTo(page, '#/alerts')
  await rowOf(page, 'Now', NOBODY.name).waitFor()
  await page.context().setOffline(true)
  const lost = page.getByText('The server did not answer. Check your connection.')
  await lost.waitFor()
  await expect.poll(() => rowOf(page, 'Now', NOBODY.name).count()).toBe(1)
  await platform.alerts.deleteRule(rule.accountId, rule.id)
  await page.context().setOffline(false)
  await page.getByText('No alert rules yet').waitFor()
  await expect.poll(() => lost.count()).toBe(0)
  const others = page.complaints.filter(text => !text.startsWith('Failed to load resource: net::ERR_'))
  expect([others, page.elsewhere]).toEqual([[], []])
})

test('CO19 an operator makes a rule by keyboard, and is told at the field what the server refuses', async () => {
  const { open, platform } = await startSite({ alerts: { ...OFTEN, rules: 1 } })
  const other = await platform.agents.create({ accountId: ACCOUNT, name: 'Bar', greeting: 'Hello.' })
  const page = await open(pages, 'ada')
  await goTo(page, '#/alerts')
  await page.getByRole('button', { name: 'New rule' }).focus()
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('Name').evaluate(isFocused)).toBe(true)
  await page.keyboard.type('Nobody calls')
  await page.getByLabel('Agent').selectOption(other.id)
  await page.getByLabel('Watched figure').selectOption('call_volume')
  await page.getByLabel('Fires when that is').selectOption('<')
  const threshold = page.getByLabel('Threshold')
  const fault = page.getByText(/^Give a whole number without a sign, in digits alone/)
  for (const wrong of ['1.000', '-1', '1e3', 'one', '99999999999999999999']) {
    await threshold.fill(wrong)
    await page.keyboard.press('Enter')
    await fault.waitFor()
    await vi.waitFor(async () => expect(await threshold.evaluate(isFocused)).toBe(true))
    await expect.poll(() => threshold.getAttribute('aria-invalid')).toBe('true')
    const described = (await threshold.getAttribute('aria-describedby')) ?? ''
    expect(described.split(' ')).toContain(await fault.getAttribute('id'))
  }
  await threshold.fill('1')
  await page.getByLabel('Name').fill('x'.repeat(256))
  await platform.agents.delete(other.id)
  await page.keyboard.press('Enter')
  await page.getByText('A name has 1 to 255 characters. Shorten it.').waitFor()
  await expect.poll(() => fault.count()).toBe(0)
  await page.getByLabel('Name').fill('Nobody calls')
  await page.keyboard.press('Enter')
  await page.getByText('The account has no such agent any more. Choose another one.').waitFor()
  await vi.waitFor(async () => expect(await page.getByLabel('Agent').evaluate(isFocused)).toBe(true))
  await page.getByLabel('Agent').selectOption('')
  await page.getByLabel('Name').press('Enter')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.getByRole('status').getByText('One alert is firing.').waitFor()

  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByLabel('Name').fill('One more')
  await threshold.fill('1')
  await page.keyboard.press('Enter')
  await page.getByText('The limit is reached. Delete one').waitFor()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  const { entries } = await platform.audit.list({ action: 'alert_rule.created' })
  expect(entries).toMatchObject([{ actor: { type: 'person', id: 'u-ada', name: 'Ada' } }])
  const refusals = ['422 (Unprocessable Entity)', '404 (Not Found)', '409 (Conflict)'].map(refused)
  expect([[...new Set(page.complaints)], page.elsewhere]).toEqual([refusals, []])
})

test('CO19 a rule is changed without undoing what others changed, switched off and on, and deleted', async () => {
  const { open, platform } = await startSite({ alerts: OFTEN })
  const { id, accountId } = await platform.alerts.createRule(ACCOUNT, NOBODY)
  const page = await open(pages, 'ada')
  await goTo(page, '#/alerts')
  await rowOf(page, 'Now', NOBODY.name).waitFor()
  await page.getByRole('button', { name: 'Change: Nobody calls' }).click()
  await page.getByLabel('Threshold').fill('3')
  await platform.alerts.updateRule(accountId, id, { name: 'Hardly anyone calls' })
  await page.keyboard.press('Enter')
  await dialogOf(page).waitFor({ state: 'detached' })
  await rowOf(page, 'Rules', 'Hardly anyone calls').getByText('less than 3 in 60 minutes').waitFor()

  await rowOf(page, 'Now', 'Hardly anyone calls').getByText('firing').waitFor()
  const turn = (word: string) => page.getByRole('button', { name: `${word}: Hardly anyone calls` })
  await turn('Switch off').focus()
  await page.keyboard.press('Enter')
  await turn('Switch on').waitFor()
  await rowOf(page, 'Now', 'Hardly anyone calls').getByText('Switched off while it fired').waitFor()
  expect(await platform.alerts.rule(accountId, id)).toMatchObject({ enabled: false, threshold: 3 })
  expect(await turn('Switch on').evaluate(isFocused)).toBe(true)
  await page.keyboard.press('Enter')
  await turn('Switch off').waitFor()
  expect(await platform.alerts.rule(accountId, id)).toMatchObject({ enabled: true })

  await turn('Delete').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Hardly anyone calls is deleted. Undo creates it again').waitFor()
  await page.getByText('No alert rules yet').waitFor()
  expect(await page.getByRole('button', { name: 'Undo' }).evaluate(isFocused)).toBe(true)
  expect(await platform.alerts.rules(accountId)).toEqual([])
  await page.keyboard.press('Enter')
  await rowOf(page, 'Now', 'Hardly anyone calls').getByText('firing').waitFor()
  expect(await page.locator('#main').evaluate(isFocused)).toBe(true)
  const [again] = await platform.alerts.rules(accountId)
  expect(again).toMatchObject({ ...NOBODY, name: 'Hardly anyone calls', threshold: 3, agentId: null })

  // Someone else is quicker.
  await page.route('**/alert-rules/*', async route => {
    await platform.alerts.deleteRule(accountId, again?.id ?? '')
    await route.continue()
  })
  await turn('Delete').click()
  await page.getByText('This does not exist any more.').waitFor()
  await page.getByText('No alert rules yet').waitFor()
  const { entries } = await platform.audit.list({ accountId, limit: 100 })
  const byAda = entries.filter(({ actor }) => actor.id === 'u-ada').map(({ action }) => action)
  const changes = ['changed', 'changed', 'changed', 'deleted', 'created'].map(one => `alert_rule.${one}`)
  expect(byAda.filter(action => action.startsWith('alert_rule.')).reverse()).toEqual(changes)
  await goTo(page, '#/settings/audit')
  const deleted = page.getByRole('row').filter({ hasText: 'Alert rule: deleted' })
  await deleted.filter({ hasText: 'Ada' }).waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[refused('404 (Not Found)')], []])
})

test.each(WAYS)(
  'CO10 no place of the alerts has a finding of axe, light or dark: %s',
  async (way, options) => {
    const { open, platform, visit } = await startSite({ alerts: OFTEN })
    const page = await open(pages, 'ada', options)
    const findings: string[] = []
    const look = async (place: string): Promise<void> => {
      findings.push(...(await lookAt(page, `alerts-${way}-${place}`)))
    }
    await goTo(page, '#/alerts')
    await page.locator('.empty').waitFor()
    await look('none')
    for (const rule of [NOBODY, BUSY, SLOW, { ...SLOW, name: 'Spare', enabled: false }])
      await platform.alerts.createRule(ACCOUNT, rule)
    await page.locator('.badge.bad').first().waitFor()
    await look('firing')
    await visit('When is check-in?')
    await page.locator('section').first().locator('.badge.good').waitFor()
    await look('resolved')
    await page.locator('.head .button.main').click()
    await page.locator('dialog input').first().fill('x'.repeat(256))
    await page.locator('dialog input').nth(1).fill('four')
    await page.keyboard.press('Enter')
    await page.locator('dialog .fault').nth(1).waitFor()
    await look('faults')
    await page.keyboard.press('Escape')
    await page.locator('.row-acts .button').last().click()
    await page.locator('.note').waitFor()
    await look('undo')
    expect(findings).toEqual([])
    expect([page.complaints, page.elsewhere]).toEqual([[refused('422 (Unprocessable Entity)')], []])
  },
)

test.each(WAYS)(
  'a conversation shows what its visitor thought of it, and what else was measured: %s',
  async (way, options) => {
    const { open, platform, visit } = await startSite()
    const visitor = await visit('When is check-in?')
    await visitor.rate(4, 'Quick, and kind.\nThe price would have been good to know.')
    const call = { agentId: AGENT, conversationId: 'call-1' }
    const started = { accountId: ACCOUNT, environment: 'live', channel: 'VOICE-SIP' } as const
    await platform.conversations.start({ ...call, ...started })
    const metrics = { csat: '5', reasons: ['price', 'a room with a view'] }
    const turn = { turnId: 'one', userInputAt: Date.now(), agentResponse: 'Hello.' }
    await platform.conversations.recordTurn({ ...call, ...turn, metrics })
    const page = await open(pages, 'ben', options)
    await goTo(page, '#/conversations')
    const findings: string[] = []
    const isGerman = way === 'german'
    const about = page.getByRole('complementary')
    await page.locator('tbody a').nth(1).waitFor()
    await page.getByRole('row').filter({ hasText: 'check-in' }).getByRole('link').click()
    await about.getByText(isGerman ? '4 von 5' : '4 of 5').waitFor()
    await about.getByText('The price would have been good to know.').waitFor()
    await expect.poll(() => about.getByText(isGerman ? 'Metriken' : 'Metrics').count()).toBe(0)
    findings.push(...(await lookAt(page, `rating-${way}`)))
    await goTo(page, `#/conversations/${AGENT}/call-1`)
    await about.getByText(isGerman ? 'Metriken' : 'Metrics').waitFor()
    await expect
      .poll(() => about.getByRole('listitem').allTextContents())
      .toEqual(['price', 'a room with a view'])
    await about.getByText('csat: 5').waitFor()
    await expect.poll(() => about.getByText(isGerman ? 'Bewertung' : 'rating').count()).toBe(0)
    findings.push(...(await lookAt(page, `metrics-${way}`)))
    expect(findings).toEqual([])
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

/** What assistive technology is told of the page: how many elements have each role. */
async function rolesOf(page: Page): Promise<Readonly<Record<string, number>>> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const counts: Record<string, number> = {}
  for (const { ignored, role } of nodes)
    if (!ignored && typeof role?.value === 'string') counts[role.value] = (counts[role.value] ?? 0) + 1
  return counts
}

test('on a phone the tables of retention and alerts are read without scrolling sideways, and stay tables', async () => {
  const { open, platform } = await startSite({ alerts: OFTEN })
  await platform.alerts.createRule(ACCOUNT, { ...NOBODY, agentId: AGENT })
  const page = await open(pages, 'ada', PHONE)
  const widest =
    'Math.max(...[...document.querySelectorAll(".scrolls")].map(one => one.scrollWidth - one.clientWidth))'
  await goTo(page, '#/settings/retention')
  await page.getByText('webhooks.retention').waitFor()
  expect(await page.evaluate(widest)).toBe(0)
  expect(await rolesOf(page)).toMatchObject({ table: 1, row: 9, columnheader: 3, cell: 24 })
  // Facts stand beside each other, and none of them is squeezed into lines of its own.
  const squeezed = `[...document.querySelectorAll("tbody td")].filter(one =>
    one.clientWidth < 300 && one.clientHeight > 2 * parseFloat(getComputedStyle(one).lineHeight)).length`
  expect(await page.evaluate(squeezed)).toBe(0)
  const title = await page.evaluate(
    'getComputedStyle(document.querySelector("tbody td:nth-child(2)"), "::before").content',
  )
  expect(title).toContain('How long')
  await goTo(page, '#/alerts')
  await page.locator('.badge.bad').first().waitFor()
  expect(await page.evaluate(widest)).toBe(0)
  expect(await rolesOf(page)).toMatchObject({ table: 2, row: 4, columnheader: 10, cell: 10 })
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('on a phone the area and the tab that are open are in sight, and the page stays where it is', async () => {
  const { open } = await startSite()
  const page = await open(pages, 'ada', PHONE)
  const shown = async (): Promise<readonly unknown[]> => {
    const links = await page.locator('nav [aria-current]').all()
    const boxes = await Promise.all(links.map(link => link.boundingBox()))
    return boxes.map(box => box !== null && box.x >= 0 && box.x + box.width <= 390)
  }
  for (const place of [
    '#/settings/audit',
    '#/agents',
    '#/settings/connectors',
    '#/desk',
    '#/settings/retention',
  ]) {
    await goTo(page, place)
    await page.locator(`.areas [aria-current][href="${place.split('/').slice(0, 2).join('/')}"]`).waitFor()
    const isTabbed = place.startsWith('#/settings')
    if (isTabbed) await page.locator(`.tabs [aria-current][href="${place}"]`).waitFor()
    await vi.waitFor(async () => expect(await shown()).not.toContain(false))
    expect(await page.evaluate('scrollX + scrollY')).toBe(0)
  }
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})
