import { mkdirSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_ACCOUNT_ID } from '../../../examples/standalone/src/seed.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

/** A folder for pictures of all that is looked at here; without it none are taken. */
const SHOTS = process.env.COLLOQUY_SHOTS

const AGENT = 'PROJECT-DEMO'

type Site = Awaited<ReturnType<typeof startSite>>

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-AT' }],
]

test.each(WAYS)(
  'CO10 no place of the console has a finding of axe, light or dark: %s',
  async (way, options) => {
    const { open, platform, talk } = await startSite()
    await talk('When is check-in?')
    const branch = await platform.agents.createBranch(AGENT, { branchName: 'Opening hours' })
    await platform.agents.updateBehavior(AGENT, branch.id, 'Answer in two sentences at most.')
    const page = await open(pages, 'ada', options)
    if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })
    const findings: string[] = []
    const look = async (place: string): Promise<void> => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        if (SHOTS !== undefined)
          await page.screenshot({ path: `${SHOTS}/console-${way}-${place}-${colorScheme}.png` })
        const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
        if (fits !== true) findings.push(`${place}: wider than its window`)
        const cut = `[...document.querySelectorAll('.sheet')].some(one => one.scrollWidth > one.clientWidth)`
        if (await page.evaluate(cut)) findings.push(`${place}: a table is cut off`)
        findings.push(...(await findingsOf(page)).map(one => `${place}, ${colorScheme}: ${one}`))
      }
    }
    await page.getByRole('link', { name: 'Hotel front desk' }).waitFor()
    await page.locator('.empty').waitFor()
    await look('home-empty')
    await page.locator('.choice .button').last().click()
    await page.locator('.tile .change-of, .tile .figure').nth(7).waitFor()
    await look('home')
    await goTo(page, '#/agents')
    await page.locator('tbody code').waitFor()
    await look('agents')
    await goTo(page, `#/agents/${AGENT}`)
    await page.locator('.lane').nth(2).waitFor()
    await look('releases')
    await page.locator('.lane .button').first().click()
    await page.locator('dialog').waitFor()
    await look('release-dialog')
    await page.keyboard.press('Escape')
    await goTo(page, `#/agents/${AGENT}/compare`)
    await page.locator('.sides select').first().waitFor()
    await look('compare')
    await goTo(page, `#/agents/${AGENT}/branches`)
    await page.getByRole('link', { name: 'Opening hours' }).waitFor()
    await look('branches')
    await goTo(page, `#/agents/${AGENT}/branches/${branch.id}`)
    await page.locator('textarea').nth(1).waitFor()
    await look('content')
    await goTo(page, `#/agents/${AGENT}/branches/${branch.id}/topics`)
    await page.locator('.rows a').first().click()
    await page.locator('textarea').nth(2).waitFor()
    await look('topics')
    await goTo(page, `#/agents/${AGENT}/branches/${branch.id}/cases`)
    await page.locator('.change').first().waitFor()
    await look('cases')
    await goTo(page, `#/agents/${AGENT}/branches/${branch.id}/changes`)
    await page.locator('.change').first().waitFor()
    await look('changes')
    await goTo(page, `#/agents/${AGENT}/tests`)
    await page.locator('tbody a').first().waitFor()
    await look('tests')
    await page.locator('tbody a').first().click()
    await page.locator('.turn').first().waitFor()
    await look('test-run')
    await goTo(page, `#/agents/${AGENT}/debug`)
    await page.locator('.filters .button').click()
    await page.locator('.bubble').first().waitFor()
    await page.locator('.say input').fill('When is check-in?')
    await page.keyboard.press('Enter')
    await page.locator('.bubble.own').waitFor()
    await look('debug')
    await goTo(page, '#/conversations')
    await page.locator('tbody a').first().waitFor()
    await look('conversations')
    await page.locator('tbody a').first().click()
    await page.locator('.bubble').first().waitFor()
    await look('conversation')
    await goTo(page, '#/nowhere')
    await look('nowhere')
    expect(findings).toEqual([])
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test('CO11 and CO22 an author changes an answer on a branch, merges it and promotes it, and a visitor hears it', async () => {
  const { open, talk } = await startSite()
  const page = await open(pages, 'ada')
  await page.getByRole('link', { name: 'Hotel front desk' }).click()
  await page.getByRole('link', { name: 'Branches' }).click()
  await page.getByRole('button', { name: 'New branch' }).click()
  await page.getByLabel('Name').fill('Later check-in')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Later check-in' }).waitFor()
  await page.getByRole('link', { name: 'Topics' }).click()
  await page.getByLabel('Find a topic').fill('check-in')
  await page.getByRole('link', { name: 'Check-in', exact: true }).click()
  await page.getByLabel('Content').fill('Check-in starts at 5 pm.')
  await page.getByText('All changes are saved').waitFor()
  await page.getByRole('link', { name: 'Changes' }).click()
  await page.locator('ins', { hasText: '5' }).waitFor()
  await page.getByRole('button', { name: 'Merge into main' }).click()
  await page.locator('dialog').getByRole('button', { name: 'Merge into main' }).click()
  await page.getByRole('heading', { name: 'Merged: version 3 is in the sandbox.' }).waitFor()
  await page.getByText('Visitors get it once it is promoted').waitFor()
  for (const lane of ['Pre-release', 'Live']) {
    await page.getByRole('button', { name: `Promote to ${lane}` }).click()
    await page.getByText(`What this changes in ${lane}`).click()
    await page.locator('dialog ins', { hasText: '5' }).waitFor()
    await page
      .locator('dialog')
      .getByRole('button', { name: `Promote to ${lane}` })
      .click()
    await page.locator('dialog').waitFor({ state: 'detached' })
  }
  await page.getByLabel('Live', { exact: true }).getByText('Version 3').waitFor()
  await page.getByLabel('Live', { exact: true }).getByText('by Ada').waitFor()
  await goTo(page, `#/agents/${AGENT}`)
  await page.getByRole('link', { name: 'Compare two of them' }).click()
  await page.getByLabel('Compare').locator('option').nth(3).waitFor({ state: 'attached' })
  await page.locator('ins', { hasText: '5' }).waitFor()
  await page.getByLabel('Compare').selectOption({ index: 0 })
  await page.getByText('The two have the same content.').waitFor()
  expect(await talk('When is check-in?')).toContain('Check-in starts at 5 pm.')
  await goTo(page, '#/conversations')
  await page.locator('tbody a').first().click()
  await page.getByText('Check-in starts at 5 pm.').waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO11 who promotes or rolls back sees the tests of that version before, and how they end', async () => {
  const { open, platform } = await startSite()
  const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Later check-in' })
  const topics = await platform.agents.topics(AGENT, branchId)
  const topicId = topics.find(({ name }) => name === 'Check-in')?.id ?? ''
  await platform.agents.updateTopic(AGENT, branchId, topicId, { content: 'Check-in starts at 5 pm.' })
  const expectations = { citedTopic: 'Check-in', contains: ['5 pm'] }
  const turns = [{ text: 'When is check-in?', expectations }]
  await platform.agents.testCases.create(AGENT, branchId, { name: 'Knows the later check-in', turns })
  await platform.agents.merge(AGENT, branchId)
  const page = await open(pages, 'ada')
  const dialog = page.locator('dialog')
  let letThrough = (): void => {}
  const held = new Promise<void>(resolve => {
    letThrough = resolve
  })
  await page.route(/test-runs/, route => held.then(() => route.continue()))
  await goTo(page, `#/agents/${AGENT}/releases`)
  await page.getByRole('button', { name: 'Promote to Pre-release' }).click()
  await dialog.getByRole('heading', { name: 'Tests of this version' }).waitFor()
  // Nobody promotes what they have not seen.
  await expect
    .poll(() => dialog.getByRole('button', { name: 'Promote to Pre-release' }).isDisabled())
    .toBe(true)
  letThrough()
  await dialog.getByText('failed', { exact: true }).waitFor()
  await dialog.getByText('5 of 6 passed').waitFor()
  await dialog.getByRole('button', { name: 'Run them now' }).click()
  await expect.poll(() => dialog.getByText('failed', { exact: true }).count()).toBe(2)
  await dialog.getByRole('button', { name: 'Promote to Pre-release' }).click()
  const lane = page.getByLabel('Pre-release', { exact: true })
  await lane.getByText('Version 3').waitFor()

  const before = page.getByRole('row').filter({ hasText: 'Pre-release' }).filter({ hasText: 'Version 2' })
  await before.getByRole('button', { name: 'Roll back to this' }).click()
  await dialog.getByRole('heading', { name: 'Roll Pre-release back to version 2?' }).waitFor()
  // The demo's site lacks what takes deposits.
  await dialog.getByText('4 of 5 passed').waitFor()
  await dialog.getByText('What this changes in Pre-release').click()
  await dialog.locator('del', { hasText: /^5$/ }).waitFor()
  await dialog.getByRole('button', { name: 'Roll back to this' }).click()
  await lane.getByText('Version 2').waitFor()
  expect((await platform.agents.activeDeployments(AGENT))['pre-release']?.type).toBe('rollback')
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

/** Has conversations in an environment, and ends them. */
async function hold({ platform }: Pick<Site, 'platform'>, ...said: readonly (readonly string[])[]) {
  const { connector } = await platform.access.createConnector({
    ...{ accountId: DEMO_ACCOUNT_ID, agentId: AGENT, environment: 'live', hosts: [] },
  })
  for (const messages of said) {
    const { conversationId } = await platform.chat.create(connector, {})
    for (const message of messages) await platform.chat.respond(connector, { conversationId, message })
    await platform.chat.close(connector, conversationId)
  }
}

test('CO41 who promotes replays conversations before, reads what is otherwise beside what was recorded, and accepts it', async () => {
  const site = await startSite()
  const { open, platform } = site
  await hold(site, ['When is check-in?', 'Do you have a sauna?'], ['When is check-in?'])
  const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Later check-in' })
  const topics = await platform.agents.topics(AGENT, branchId)
  const topicId = topics.find(({ name }) => name === 'Check-in')?.id ?? ''
  await platform.agents.updateTopic(AGENT, branchId, topicId, { content: 'Check-in starts at 5 pm.' })
  const author = await open(pages, 'ada')
  await goTo(author, `#/agents/${AGENT}/branches/${branchId}/changes`)
  await author.getByLabel('History').selectOption('As recorded, each turn alone')
  await author.getByRole('button', { name: 'Replay them' }).click()
  await author.getByText('Reworded: 2').waitFor()
  await author.close()
  await platform.agents.merge(AGENT, branchId)
  await platform.idle()
  const page = await open(pages, 'ada')
  const dialog = page.locator('dialog')
  await goTo(page, `#/agents/${AGENT}/releases`)
  await page.getByRole('button', { name: 'Promote to Pre-release' }).click()
  await dialog.getByRole('heading', { name: 'Replay of conversations' }).waitFor()
  await dialog.getByRole('button', { name: 'Replay them' }).click()
  await dialog.getByText('Reworded: 2').waitFor()
  await dialog.getByText('Same: 3').waitFor()
  const group = dialog.locator('details', { hasText: 'Reworded' })
  await group.locator('summary', { hasText: 'Check-in' }).click()
  await expect.poll(() => group.locator('ins', { hasText: /^5$/ }).count()).toBe(2)
  await expect.poll(() => group.getByRole('link', { name: 'Open the conversation' }).count()).toBe(2)
  const findings: string[] = []
  for (const [width, way] of [
    [1280, 'desk'],
    [390, 'phone'],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}/console-${way}-replay-${colorScheme}.png` })
      findings.push(...(await findingsOf(page)))
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  expect(findings).toEqual([])
  const [replay] = await platform.agents.replays(AGENT)
  const { turns } = await platform.agents.replayTurns(AGENT, replay?.id ?? '', { verdict: 'reworded' })
  await platform.conversations.remove(DEMO_ACCOUNT_ID, AGENT, turns[0]?.conversationId ?? '')
  await group.getByLabel('Why this is right').fill('Check-in is later from May.')
  await group.getByRole('button', { name: 'Accept' }).click()
  await group.getByText('Accepted by Ada: Check-in is later from May.').waitFor()
  await dialog.getByText('Conversations that were erased since: 1. Their answers count').waitFor()
  await dialog.getByText('Reworded: 2').waitFor()
  const { entries } = await platform.audit.list({ action: 'replay.accepted' })
  expect(entries).toMatchObject([{ actor: { name: 'Ada' }, details: { why: 'Check-in is later from May.' } }])

  await dialog.getByRole('button', { name: 'Promote to Pre-release' }).click()
  await page.getByLabel('Pre-release', { exact: true }).getByText('Version 3').waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO18 a debug chat becomes a test case, which the next release is tested by', async () => {
  const { open, platform } = await startSite()
  await platform.agents.createBranch(AGENT, { branchName: 'Checks' })
  const page = await open(pages, 'ada')
  await goTo(page, `#/agents/${AGENT}/debug`)
  await page.getByRole('button', { name: 'Start a chat' }).click()
  await page.getByLabel('Message').fill('May I bring my dog?')
  await page.keyboard.press('Enter')
  await page.locator('.bubble.own').waitFor()
  await page.getByRole('button', { name: 'Test this turn: May I bring my dog?' }).click()
  const keep = page.getByRole('button', { name: 'Keep as a test' })
  await page.getByText('What should have happened?').waitFor()
  await expect.poll(() => keep.isDisabled()).toBe(true)
  await page.getByLabel('The answer has these words').fill('dog')
  await keep.click()
  await page.getByText('The test case is on the branch Checks.').waitFor()
  await goTo(page, `#/agents/${AGENT}/branches`)
  await page.getByRole('link', { name: 'Checks' }).click()
  await page.getByRole('link', { name: 'Test cases' }).click()
  await page.getByRole('heading', { name: 'May I bring my dog?' }).waitFor()
  await page.getByRole('link', { name: 'Changes' }).click()
  await page.getByRole('button', { name: 'Merge into main' }).click()
  await page.locator('dialog').getByRole('button', { name: 'Merge into main' }).click()
  await page.getByRole('heading', { name: 'Merged: version 3' }).waitFor()
  await goTo(page, `#/agents/${AGENT}/tests`)
  await page.locator('.trend a').last().waitFor()
  await expect.poll(() => page.locator('.trend a').count()).toBe(await page.locator('tbody tr').count())
  await page.locator('.trend a').last().click()
  const kept = page.getByRole('article').filter({ hasText: 'May I bring my dog?' })
  await kept.getByText('passed', { exact: true }).waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO9 an address of a place leads there through a sign-in', async () => {
  const { open } = await startSite()
  const page = await open(pages, null)
  const place = '#/agents/PROJECT-DEMO/branches?find=x'
  await goTo(page, place)
  await page.getByText('You are signed out.').waitFor()
  // What a login does: its own page, a cookie, and back to the console without a place.
  const home = page.url().replace(/#.*/, '')
  await page.goto(new URL('/login', home).href)
  await page.context().addCookies([{ name: 'session', value: 'ada', url: home }])
  await page.goto(home)
  await page.getByRole('button', { name: 'New branch' }).waitFor()
  expect(page.url()).toBe(`${home}${place}`)
  await page.goto('about:blank')
  await page.goto(home)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(page.url()).toBe(home)
})

test('an agent among many is found, duplicated, renamed and deleted', async () => {
  const { open, platform } = await startSite()
  for (let at = 1; at <= 9; at++)
    await platform.agents.create({ accountId: DEMO_ACCOUNT_ID, name: `Agént ${at}`, greeting: 'Hello' })
  const page = await open(pages, 'ada')
  await goTo(page, '#/agents')
  await page.getByLabel('Find an agent').fill('agent 7')
  await page.waitForURL(/find=agent/)
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await page.getByRole('link', { name: 'Content' }).click()
  await expect.poll(() => page.getByLabel('Greeting').inputValue()).toBe('Hello')
  await page.getByRole('link', { name: 'Agént 7' }).click()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByLabel('Name').fill('Agént 7b')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Agént 7b' }).waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Night desk')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Night desk' }).waitFor()
  expect(await platform.agents.list(DEMO_ACCOUNT_ID)).toContainEqual(
    expect.objectContaining({ name: 'Night desk' }),
  )
  await page.getByRole('button', { name: 'Delete agent' }).click()
  await page.locator('dialog').getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('heading', { name: 'Agents', exact: true }).waitFor()
  const left = await platform.agents.list(DEMO_ACCOUNT_ID)
  expect(left.map(({ name }) => name).filter(name => name.startsWith('Agént 7'))).toEqual(['Agént 7'])
  expect(page.complaints).toEqual([])
})

test('an environment has one colour wherever it is named, areas have signs, and empty places pictures', async () => {
  const { open, talk } = await startSite()
  await talk('When is check-in?')
  const page = await open(pages, 'ada')
  const coloursOf = (name: string) =>
    page.evaluate(`[...new Set([...document.querySelectorAll('.environment.${name}')].map(one => {
      const { color, backgroundColor } = getComputedStyle(one)
      return color + ' on ' + backgroundColor
    }))]`)
  await goTo(page, `#/agents/${AGENT}`)
  await page.locator('tbody .environment').nth(2).waitFor()
  const colours = await Promise.all(['sandbox', 'pre-release', 'live'].map(coloursOf))
  expect(colours).toEqual([[expect.any(String)], [expect.any(String)], [expect.any(String)]])
  expect(new Set(colours.flat()).size).toBe(3)
  await goTo(page, '#/conversations')
  await page.locator('tbody a').first().click()
  await page.locator('.environment').waitFor()
  expect(await coloursOf('live')).toEqual(colours[2])
  const areas = page.getByRole('navigation').first().getByRole('link')
  expect(await areas.locator('svg').count()).toBe(await areas.count())
  await goTo(page, '#/alerts')
  await page.locator('.empty').getByRole('heading', { name: 'No alert rules yet' }).waitFor()
  await page.locator('.empty .picture svg').waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO9 and CO10 who may read alone is offered nothing else, and who is not signed in is told where to', async () => {
  const { open } = await startSite()
  const reader = await open(pages, 'ben')
  for (const place of [`#/agents`, `#/agents/${AGENT}`, `#/agents/${AGENT}/branches`]) {
    await goTo(reader, place)
    await reader.locator('table').waitFor()
    await expect.poll(() => reader.getByRole('button').allTextContents()).toEqual(['Skip to the content'])
    await expect.poll(() => reader.getByRole('link', { name: 'Debug chat' }).count()).toBe(0)
  }
  await goTo(reader, `#/agents/${AGENT}/branches/main`)
  expect(await reader.getByLabel('Greeting').isEditable()).toBe(false)
  // What is only read looks otherwise, and is reached by the keyboard.
  await reader.getByLabel('Greeting').focus()
  expect(await reader.evaluate('getComputedStyle(document.activeElement).borderTopStyle')).toBe('dashed')
  await reader.keyboard.press('Tab')
  await reader.getByLabel('Behaviour').and(reader.locator(':focus')).waitFor()
  const nobody = await open(pages, null)
  const link = nobody.getByRole('link', { name: 'Sign in' })
  await expect.poll(() => link.getAttribute('href')).toBe('/login')
  const idle = await open(pages, 'cem')
  await idle.getByText('You are signed in, but have no role.').waitFor()
})

test('CO18 from an answer to its topic in two clicks, and to a test of what should have been said', async () => {
  const { open, platform, talk } = await startSite()
  await talk('When is check-in?')
  const page = await open(pages, 'ada')
  await goTo(page, '#/conversations')
  await page.locator('tbody a').first().click()
  const place = new URL(page.url()).hash
  await page.getByRole('button', { name: 'Change this answer: When is check-in?' }).click()
  await page.locator('dialog').getByText('the topic “Check-in”').waitFor()
  await page.getByRole('button', { name: 'Open the topic' }).click()
  await page.getByRole('region', { name: 'Check-in' }).getByLabel('Content').waitFor()
  await page.getByRole('heading', { name: 'When is check-in?' }).waitFor()
  const made = (await platform.agents.branches(AGENT)).find(({ id }) => id !== 'main')
  await goTo(page, place)
  await page.getByRole('button', { name: 'Test this turn: When is check-in?' }).click()
  const keep = page.getByRole('button', { name: 'Keep as a test' })
  await page.getByText('What should have happened?').waitFor()
  await expect.poll(() => keep.isDisabled()).toBe(true)
  await page.getByLabel('Answer from the topic').selectOption('Late check-out')
  await keep.click()
  await page.getByText('The test case is on the branch When is check-in?.').waitFor()
  const cases = await platform.agents.testCases.list(AGENT, made?.id ?? '')
  expect(cases.find(({ name }) => name === 'When is check-in?')?.turns).toEqual([
    { text: 'When is check-in?', expectations: { citedTopic: 'Late check-out' } },
  ])
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/console-turn-acts.png` })
  expect(page.complaints).toEqual([])
})

test('CO18 a conversation of a visitor becomes a test case, and never of what was answered alone', async () => {
  const { open, platform, talk } = await startSite()
  const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Checks' })
  const before = (await platform.agents.testCases.list(AGENT, branchId)).length
  await talk('May I bring my dog?')
  const reader = await open(pages, 'ben')
  await goTo(reader, '#/conversations')
  await reader.locator('tbody a').click()
  await reader.locator('.bubble.own').waitFor()
  await expect.poll(() => reader.getByRole('button', { name: 'Test this turn' }).count()).toBe(0)
  const page = await open(pages, 'ada')
  await goTo(page, '#/conversations')
  await page.locator('tbody a').click()
  await page.getByRole('button', { name: 'Test this turn: May I bring my dog?' }).click()
  // Its name is what the visitor said, its branch the one that there is.
  await page.getByLabel('The answer has none of these words').fill('cat')
  await page.locator('dialog button[type=submit]:enabled').press('Enter')
  await page.getByText('The test case is on the branch Checks.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Make a test case of it' }).count()).toBe(0)
  const cases = await platform.agents.testCases.list(AGENT, branchId)
  expect(cases).toHaveLength(before + 1)
  const made = cases.find(({ name }) => name === 'May I bring my dog?')
  expect(made?.turns).toEqual([{ text: 'May I bring my dog?', expectations: { notContains: ['cat'] } }])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO39 what takes longer than 300 ms is said, and what did not get through may be tried again', async () => {
  const { open, talk } = await startSite()
  await talk('When is check-in?')
  const page = await open(pages, 'ada')
  await page.getByRole('link', { name: 'Hotel front desk' }).waitFor()
  let letThrough = (): void => {}
  let held = Promise.resolve()
  const hold = (): void => {
    held = new Promise(resolve => {
      letThrough = resolve
    })
  }
  await page.route(/\/api\//, route => held.then(() => route.continue()))
  const places = [`#/agents/${AGENT}`, '#/conversations', '#/concurrency', '#/alerts', '#/settings/keys']
  for (const place of places) {
    hold()
    await goTo(page, place)
    await page.getByRole('status').getByText('Loading …').first().waitFor()
    await page.locator('.skeleton').first().waitFor()
    letThrough()
    await page.getByText('Loading …').first().waitFor({ state: 'detached' })
  }
  await goTo(page, `#/agents/${AGENT}/branches`)
  await page.getByRole('button', { name: 'New branch' }).click()
  await page.getByLabel('Name').fill('Slow')
  hold()
  await page.keyboard.press('Enter')
  await page.locator('dialog').getByText('Working on it …').waitFor()
  letThrough()
  await page.getByRole('heading', { name: 'Slow' }).waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])

  await page.unrouteAll()
  await page.route(/\/api\/v1\/agents\/[^/]+\/branches$/, route => route.abort())
  await goTo(page, `#/agents/${AGENT}/branches`)
  const failure = page.getByRole('alert')
  await failure.getByText('The server did not answer. Check your connection.').waitFor()
  await page.unrouteAll()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Slow' }).waitFor()
  await expect.poll(() => failure.count()).toBe(0)
})

test('CO10 Tab goes past a list of topics in one step, and arrows lead from topic to topic', async () => {
  const { open, platform } = await startSite()
  const { id } = await platform.agents.createBranch(AGENT, { branchName: 'Keys' })
  const page = await open(pages, 'ada')
  await goTo(page, `#/agents/${AGENT}/branches/${id}/topics`)
  const focused = () => page.evaluate('document.activeElement.textContent.trim()')
  const list = page.getByRole('region', { name: 'Topics' })
  await list.getByRole('link', { name: 'Accessibility' }).click()
  await page.getByLabel('Content').waitFor()
  await page.keyboard.press('ArrowUp')
  expect(await focused()).toBe('About the deposit')
  for (let steps = 0; steps < 40; steps++) await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Wi-Fi')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Wi-Fi')
  await list.getByRole('link', { name: 'Wi-Fi' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate('document.activeElement.matches(".rows a")')).toBe(false)
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO10 from an answer to a changed one that is live, by the keyboard alone', async () => {
  const { open, talk } = await startSite()
  const page = await open(pages, 'ada')
  await page.getByRole('link', { name: 'Hotel front desk' }).waitFor()
  /** Goes on with Tab until the focus is on what has the name. */
  const reach = async (name: string): Promise<void> => {
    for (let steps = 0; steps < 120; steps++) {
      await page.keyboard.press('Tab')
      const there = await page.evaluate(`(({ ariaLabel, labels, textContent }) =>
        (ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? '').trim())(document.activeElement)`)
      if (there === name) return
    }
    throw new Error(`Tab does not lead to "${name}".`)
  }
  const press = async (name: string): Promise<void> => {
    await reach(name)
    await page.keyboard.press('Enter')
  }
  const rewrite = async (name: string, text: string): Promise<void> => {
    await reach(name)
    await page.keyboard.press('ControlOrMeta+KeyA')
    await page.keyboard.type(text)
  }
  await press('Hotel front desk')
  await press('Change the agent')
  await page.locator('dialog').waitFor()
  await page.keyboard.type('By keys')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'By keys' }).waitFor()
  await press('Topics')
  await page.getByLabel('Find a topic').waitFor()
  await rewrite('Find a topic', 'check-in')
  await press('Check-in')
  await page.getByLabel('Content').waitFor()
  await rewrite('Content', 'Check-in starts at 6 pm.')
  await page.getByText('All changes are saved').waitFor()
  await press('Changes')
  await page.getByRole('button', { name: 'Merge into main' }).waitFor()
  await press('Merge into main')
  await page.locator('dialog').waitFor()
  await press('Merge into main')
  await page.getByRole('heading', { name: 'Merged: version 3 is in the sandbox.' }).waitFor()
  for (const lane of ['Pre-release', 'Live']) {
    const promote = page.locator('.lane').getByRole('button', { name: `Promote to ${lane}` })
    await promote.waitFor()
    await press(`Promote to ${lane}`)
    const send = page.locator('dialog').getByRole('button', { name: `Promote to ${lane}` })
    await expect.poll(() => send.isEnabled()).toBe(true)
    await press(`Promote to ${lane}`)
    await page.locator('dialog').waitFor({ state: 'detached' })
  }
  await page.getByLabel('Live', { exact: true }).getByText('Version 3').waitFor()
  expect(await talk('When is check-in?')).toContain('Check-in starts at 6 pm.')
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test.each([
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
] as const)(
  'who chooses the compact density has more in sight, and has it again: %s',
  async (way, options) => {
    const { open, talk } = await startSite()
    await talk('When is check-in?')
    const page = await open(pages, 'ada', options)
    await goTo(page, `#/agents/${AGENT}/releases`)
    const rows = page.locator('tbody tr')
    await rows.first().waitFor()
    const heightOf = async (): Promise<number> => (await rows.first().boundingBox())?.height ?? 0
    const before = await heightOf()
    await page.locator('.who summary').click()
    await page.getByLabel('Density').selectOption({ label: 'Compact' })
    await page.locator('.who summary').click()
    const compact = await heightOf()
    expect(compact).toBeLessThan(before)
    await page.reload()
    await rows.first().waitFor()
    expect(await heightOf()).toBe(compact)
    const findings: string[] = []
    for (const place of [`agents/${AGENT}`, 'conversations', 'alerts', 'settings'])
      for (const colorScheme of ['light', 'dark'] as const) {
        await goTo(page, `#/${place}`)
        await page.locator('h1').waitFor()
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        if (SHOTS !== undefined)
          await page.screenshot({
            path: `${SHOTS}/console-${way}-compact-${place.split('/')[0]}-${colorScheme}.png`,
          })
        findings.push(...(await findingsOf(page)).map(one => `${place}, ${colorScheme}: ${one}`))
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      }
    expect(findings).toEqual([])
    // What is pressed can be hit.
    const low = await page.evaluate(
      `[...document.querySelectorAll('button, select, input')].filter(one => one.offsetParent !== null && one.type !== 'checkbox' && one.getBoundingClientRect().height < 24).length`,
    )
    expect(low).toBe(0)
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test.each(WAYS.slice(0, 2))(
  'CO10 what is pressed is at least 24 px high and wide, and 44 on a phone: %s',
  async (way, options) => {
    const { open, platform, talk } = await startSite()
    await talk('When is check-in?')
    const branch = await platform.agents.createBranch(AGENT, { branchName: 'Opening hours' })
    await platform.agents.updateBehavior(AGENT, branch.id, 'Answer in two sentences at most.')
    const page = await open(pages, 'ada', options)
    const onBranch = `agents/${AGENT}/branches/${branch.id}`
    const places: readonly (readonly [string, string])[] = [
      ['agents', 'tbody a'],
      [`agents/${AGENT}`, '.lane .button'],
      [`agents/${AGENT}/branches`, 'tbody a'],
      [onBranch, 'textarea'],
      [`${onBranch}/topics`, '.rows a'],
      [`${onBranch}/variants`, '.grid input'],
      [`${onBranch}/cases`, '.change'],
      [`${onBranch}/changes`, '.change'],
      [`agents/${AGENT}/tests`, 'tbody a'],
      [`agents/${AGENT}/debug`, '.filters .button'],
      ['conversations', 'tbody a'],
      ['concurrency', '.moment'],
      ['alerts', '.tabs a, .button'],
      ['desk', 'h1'],
      ['settings', 'h1'],
      ['settings/keys', 'h1'],
      ['settings/webhooks', 'h1'],
    ]
    const small: string[] = []
    const least = way === 'phone' ? 44 : 24
    // Within a sentence a link is as high as its line; bars of a trend stand in the table below it, too.
    const measure = `[...document.querySelectorAll('a[href], button, select, input, textarea, summary')]
      .filter(one => !one.matches('.skip, p a, .trend a'))
      .map(one => one.closest('label') ?? one)
      .map(one => [one, one.getBoundingClientRect()])
      .filter(([one, box]) => one.checkVisibility() && box.width > 1 && Math.round(Math.min(box.width, box.height)) < ${least})
      .concat([...document.querySelectorAll('.areas a, .tabs a, .button')]
        .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => [one, { width: 'cut' }]))
      .map(([one, box]) => one.outerHTML.slice(0, 90) + ' ' + box.width + ' x ' + box.height)`
    await page.locator('.who summary').click()
    for (const [place, sign] of places) {
      await goTo(page, `#/${place}`)
      await page.locator(sign).first().waitFor()
      const found = await page.evaluate(measure)
      small.push(...(Array.isArray(found) ? found : []).map(one => `${place}: ${one}`))
      if ((await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) !== true)
        small.push(`${place}: wider than its window`)
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}/console-touch-${way}-${place.replaceAll('/', '-')}.png` })
    }
    expect(small).toEqual([])
  },
)
