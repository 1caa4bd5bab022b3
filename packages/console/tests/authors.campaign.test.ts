import { mkdirSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()
const SHOTS = process.env.COLLOQUY_SHOTS
const AGENT = 'PROJECT-DEMO'

/** What the browser writes down of an answer of 409. */
const REFUSED = 'Failed to load resource: the server responded with a status of 409 (Conflict)'

const DESK = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const WAYS = [
  ['desk', DESK],
  ['phone', PHONE],
] as const

/** What axe finds here, light and dark, and whether it is wider than its window. */
async function look(page: Page, place: string): Promise<readonly string[]> {
  const findings: string[] = []
  if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/console-${place}-${colorScheme}.png` })
    if ((await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) !== true)
      findings.push(`${place}: wider than its window`)
    findings.push(...(await findingsOf(page)).map(one => `${place}, ${colorScheme}: ${one}`))
  }
  return findings
}

/** The demo with a branch, and another one that was merged since the first began. */
async function startConflict() {
  const site = await startSite()
  const { agents } = site.platform
  const { id: branchId } = await agents.createBranch(AGENT, { branchName: 'Opening hours' })
  const { id: other } = await agents.createBranch(AGENT, { branchName: 'Earlier' })
  await agents.updateResponseSettings(AGENT, branchId, { greeting: 'Good evening from the branch!' })
  await agents.updateBehavior(AGENT, branchId, 'Answer in two sentences at most.')
  await agents.updateResponseSettings(AGENT, other, { greeting: 'Good morning from main!' })
  await agents.merge(AGENT, other)
  return { ...site, branchId }
}

describe('CO22 a conflict', () => {
  test.each(WAYS)(
    'is resolved with what main becomes in sight, before the merge: %s',
    async (way, options) => {
      const { open, platform, branchId } = await startConflict()
      const page = await open(pages, 'ada', options)
      await goTo(page, `#/agents/${AGENT}/branches/${branchId}/changes`)
      const result = page.getByRole('region', { name: 'Result on main' })
      const merge = page.getByRole('button', { name: 'Merge into main' })
      await result.getByText('Answer in two sentences at most.').waitFor()
      await expect.poll(() => merge.isDisabled()).toBe(true)
      await expect.poll(() => result.getByText('Good evening').count()).toBe(0)
      expect(await look(page, `conflict-${way}`)).toEqual([])

      await page.getByRole('button', { name: 'Use the branch’s' }).click()
      await result.locator('ins', { hasText: 'evening' }).waitFor()
      await page.getByRole('button', { name: 'Use main’s' }).click()
      await result.getByText('Good evening').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Write a new one' }).click()
      await page.getByLabel('New value for main').fill('Good day from both!')
      await result.locator('ins', { hasText: 'day' }).waitFor()
      expect(await look(page, `conflict-resolved-${way}`)).toEqual([])

      const promised = await result.locator('article').count()
      await page.getByText(`Fields of main that change: ${promised}.`).waitFor()
      await merge.click()
      await page.locator('dialog').getByText(`Fields of main that change: ${promised}.`).waitFor()
      await page.locator('dialog').getByRole('button', { name: 'Merge into main' }).click()
      await page.getByRole('heading', { name: /^Merged: version/ }).waitFor()
      expect((await platform.agents.responseSettings(AGENT, 'main')).greeting).toBe('Good day from both!')
      expect(await platform.agents.behavior(AGENT, 'main')).toBe('Answer in two sentences at most.')
      expect([page.complaints, page.elsewhere]).toEqual([[], []])
    },
  )

  test('that comes up while somebody merges is shown, and nothing is merged', async () => {
    const { open, platform, branchId } = await startConflict()
    const page = await open(pages, 'ada', DESK)
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/changes`)
    await page.getByRole('button', { name: 'Use main’s' }).click()
    await page.getByRole('button', { name: 'Merge into main' }).click()
    const { id: late } = await platform.agents.createBranch(AGENT, { branchName: 'Late' })
    await platform.agents.updateBehavior(AGENT, late, 'Answer at length.')
    await platform.agents.merge(AGENT, late)
    await page.locator('dialog').getByRole('button', { name: 'Merge into main' }).click()
    await page.getByRole('alert').getByText('This has changed since it was shown').waitFor()
    await page.getByRole('heading', { name: 'Conflicts: 2. Choose for each.' }).waitFor()
    expect(await platform.agents.behavior(AGENT, 'main')).toBe('Answer at length.')
  })

  test('CO11 what is edited while somebody confirms is shown first, and is not merged unseen', async () => {
    const { open, platform, branchId } = await startConflict()
    const page = await open(pages, 'ada', DESK)
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/changes`)
    await page.getByRole('button', { name: 'Use main’s' }).click()
    const merge = page.getByRole('button', { name: 'Merge into main' })
    await merge.click()
    await platform.agents.createTopic(AGENT, branchId, { name: 'Unseen', content: 'Nobody has read this.' })
    await page.locator('dialog').getByRole('button', { name: 'Merge into main' }).click()
    await page.getByRole('alert').getByText('This has changed since it was shown').waitFor()
    await page.getByRole('region', { name: 'Result on main' }).getByText('Nobody has read this.').waitFor()
    await expect.poll(() => page.locator('dialog').count()).toBe(0)
    expect((await platform.agents.topics(AGENT, 'main')).map(({ name }) => name)).not.toContain('Unseen')
    await merge.click()
    await page.locator('dialog').getByRole('button', { name: 'Merge into main' }).click()
    await page.getByRole('heading', { name: /^Merged: version/ }).waitFor()
    expect((await platform.agents.topics(AGENT, 'main')).map(({ name }) => name)).toContain('Unseen')
  })
})

describe('CO11 a release', () => {
  /** The demo with a later main, and the sandbox rolled back. */
  async function start() {
    const site = await startSite()
    const { agents } = site.platform
    const { id: branchId } = await agents.createBranch(AGENT, { branchName: 'Opening hours' })
    const merge = async (behavior: string) => {
      await agents.updateBehavior(AGENT, branchId, behavior)
      await agents.merge(AGENT, branchId)
    }
    const first = (await agents.activeDeployments(AGENT)).sandbox?.id ?? ''
    const rollBack = () => agents.rollback(AGENT, first)
    await merge('Answer in two sentences.')
    return { ...site, merge, rollBack }
  }

  test('publishes the main that was shown, and shows another one first', async () => {
    const { open, platform, merge, rollBack } = await start()
    await rollBack()
    const page = await open(pages, 'ada', DESK)
    await goTo(page, `#/agents/${AGENT}`)
    await page.getByRole('button', { name: 'Publish main here' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByText('What this changes in Sandbox').click()
    await dialog.locator('ins', { hasText: 'two' }).waitFor()
    expect(await look(page, 'publish-desk')).toEqual([])
    await page.setViewportSize(PHONE.viewport)
    expect(await look(page, 'publish-phone')).toEqual([])
    await merge('Answer in nine sentences.')
    await rollBack()
    const running = async () => (await platform.agents.activeDeployments(AGENT)).sandbox
    const before = await running()
    const publish = dialog.getByRole('button', { name: 'Publish main here' })
    await publish.click()
    await dialog.getByRole('alert').getByText('This has changed since it was shown').waitFor()
    await dialog.locator('ins', { hasText: 'nine' }).waitFor()
    expect(await running()).toEqual(before)
    await publish.click()
    await dialog.waitFor({ state: 'detached' })
    expect((await running())?.type).toBe('publish')
  })

  test('promotes over what was shown to run there, and shows another one first', async () => {
    const { open, platform } = await start()
    const page = await open(pages, 'ada', DESK)
    await goTo(page, `#/agents/${AGENT}`)
    await page.getByRole('button', { name: 'Promote to Pre-release' }).click()
    const dialog = page.locator('dialog')
    const promote = dialog.getByRole('button', { name: 'Promote to Pre-release' })
    await dialog.getByText('What this changes in Pre-release').click()
    await dialog.locator('ins', { hasText: 'two' }).waitFor()
    await platform.agents.publish(AGENT, { environment: 'pre-release' })
    await promote.click()
    await dialog.getByRole('alert').getByText('This has changed since it was shown').waitFor()
    await dialog.getByText('The two have the same content.').waitFor()
    await promote.click()
    await dialog.waitFor({ state: 'detached' })
  })
})

test.each(WAYS)(
  'a test case is changed in words, and the branch is tested before its merge: %s',
  async (way, options) => {
    const { open, platform } = await startSite()
    const { testCases } = platform.agents
    const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Opening hours' })
    for (const { id } of await testCases.list(AGENT, branchId)) await testCases.delete(AGENT, branchId, id)
    const expectations = { citedTopic: 'Check-in', function: { name: 'book', arguments: { nights: 2 } } }
    const { id } = await testCases.create(AGENT, branchId, {
      name: 'Arrival',
      turns: [{ text: 'When is check-in?', expectations }],
    })
    const page = await open(pages, 'ada', options)
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/cases`)
    await page.getByText('Answered from: Check-in').waitFor()
    await expect.poll(() => page.getByText('{').count()).toBe(0)
    await page.getByRole('button', { name: 'Edit: Arrival' }).click()
    const second = page.getByRole('group', { name: 'Turn 2' })
    await page.getByLabel('Name').fill('Departure')
    await page.getByLabel('Visitor says').fill('When is check-out?')
    await page.getByLabel('Answer from the topic').selectOption('Check-out')
    await page.getByLabel('The answer has these words').fill('11 am')
    await page.getByRole('button', { name: 'Add a turn' }).click()
    await second.getByLabel('Visitor says').fill('Thank you')
    await second.getByLabel('The answer has none of these words').fill('sorry\nunfortunately')
    await second.getByLabel('What happens after it').selectOption('The conversation goes on')
    await page.getByText('All changes are saved').waitFor()
    expect(await look(page, `case-editor-${way}`)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Departure' }).waitFor()
    await page.getByText('Has none of: “sorry”, “unfortunately”').waitFor()
    expect(await testCases.read(AGENT, branchId, id)).toMatchObject({
      name: 'Departure',
      turns: [
        {
          text: 'When is check-out?',
          expectations: { citedTopic: 'Check-out', contains: ['11 am'], function: expectations.function },
        },
        { text: 'Thank you', expectations: { notContains: ['sorry', 'unfortunately'], ends: false } },
      ],
    })
    await page.getByText('No test has run on this branch.').waitFor()
    await page.getByRole('button', { name: 'Run them now' }).click()
    await page.getByText('failed', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByRole('button', { name: 'Run them now' }).click()
    await expect.poll(() => page.getByText('failed', { exact: true }).count()).toBe(2)
    expect(await look(page, `branch-tests-${way}`)).toEqual([])
    await page.getByRole('link', { name: '0 of 1 passed' }).first().click()
    await page.getByText('✗ Calls:').waitFor()
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test.each(WAYS)(
  'an author talks to a branch, changes it, and hears it in the same chat: %s',
  async (way, options) => {
    const { open, platform } = await startSite()
    const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Opening hours' })
    const page = await open(pages, 'ada', options)
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/chat`)
    await page.getByRole('button', { name: 'Start a chat' }).click()
    const ask = async (): Promise<void> => {
      await page.getByLabel('Message').fill('When is check-in?')
      await page.keyboard.press('Enter')
    }
    await ask()
    await page.locator('.bubble.own').waitFor()
    await page.getByRole('link', { name: 'Topics' }).click()
    await page.getByLabel('Find a topic').fill('check-in')
    await page.getByRole('link', { name: 'Check-in', exact: true }).click()
    await page.getByLabel('Content').fill('Check-in starts at 5 pm.')
    await page.getByText('All changes are saved').waitFor()
    await page.getByRole('link', { name: 'Debug chat' }).click()
    await page.locator('.bubble.own').waitFor()
    await ask()
    await page.locator('.bubble', { hasText: 'Check-in starts at 5 pm.' }).waitFor()
    await expect.poll(() => page.locator('.bubble.own').count()).toBe(2)
    expect(await look(page, `branch-chat-${way}`)).toEqual([])

    // The same from the agent's own debug chat, where branches stand beside what is released.
    await goTo(page, `#/agents/${AGENT}/debug`)
    await page.getByLabel('Talk to').selectOption({ label: 'Branch Opening hours' })
    await page.locator('.bubble', { hasText: 'Check-in starts at 5 pm.' }).waitFor()
    await page.getByLabel('Talk to').selectOption({ label: 'The released version' })
    await page.getByRole('button', { name: 'Start a chat' }).click()
    await ask()
    await page.locator('.bubble.own').waitFor()
    await expect.poll(() => page.locator('.bubble', { hasText: 'Check-in starts at 5 pm.' }).count()).toBe(0)
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

describe('CO27 two authors on one branch', () => {
  test.each(WAYS)('see what the other writes, and overwrite nothing: %s', async (way, options) => {
    const { open, platform } = await startSite()
    const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Opening hours' })
    const topic = (await platform.agents.topics(AGENT, branchId)).find(({ name }) => name === 'Check-in')
    if (topic === undefined) throw new Error('The demo has it.')
    const place = `#/agents/${AGENT}/branches/${branchId}/topics?topic=${topic.id}`
    const [one, other] = [await open(pages, 'ada', options), await open(pages, 'ada', options)]
    for (const page of [one, other]) {
      await goTo(page, place)
      await page.getByLabel('Content').waitFor()
    }
    // Another field each: both stay.
    await one.getByLabel('Name', { exact: true }).fill('Checking in')
    await one.getByText('All changes are saved').waitFor()
    await other.getByLabel('Actions').fill('Ask for the name.')
    await other.getByText('All changes are saved').waitFor()
    await other.getByText('Someone else has changed this branch.').waitFor()
    await expect.poll(() => other.getByLabel('Name', { exact: true }).inputValue()).toBe('Checking in')
    await expect.poll(() => one.getByLabel('Actions').inputValue()).toBe('Ask for the name.')
    await one.getByRole('link', { name: 'Checking in' }).waitFor()
    await other.getByRole('link', { name: 'Checking in' }).waitFor()

    // The same field: the second has to choose.
    await platform.agents.updateTopic(AGENT, branchId, topic.id, { content: 'From 4 pm, says the other.' })
    await one.getByLabel('Content').fill('From 5 pm, say I.')
    await one.getByText('Someone else has changed this in the meantime: Content').waitFor()
    const read = async () => (await platform.agents.topic(AGENT, branchId, topic.id)).content
    expect(await read()).toBe('From 4 pm, says the other.')
    await expect.poll(() => one.getByLabel('Content').inputValue()).toBe('From 5 pm, say I.')
    expect(await look(one, `clash-${way}`)).toEqual([])
    await one.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(read).toBe('From 5 pm, say I.')
    await one.getByText('All changes are saved').waitFor()

    await expect.poll(() => other.getByLabel('Content').inputValue()).toBe('From 5 pm, say I.')
    await platform.agents.updateTopic(AGENT, branchId, topic.id, { content: 'From 3 pm.' })
    await other.getByLabel('Content').fill('From 6 pm.')
    await other.getByRole('button', { name: 'Use theirs' }).click()
    await expect.poll(() => other.getByLabel('Content').inputValue()).toBe('From 3 pm.')
    expect(await read()).toBe('From 3 pm.')
    const complaints = [...one.complaints, ...other.complaints].filter(text => text !== REFUSED)
    expect([complaints, one.elsewhere, other.elsewhere]).toEqual([[], [], []])
  })

  test('edit different cells of one variant, and both are kept', async () => {
    const { open, platform } = await startSite()
    const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Houses' })
    const [variant] = await platform.agents.variants(AGENT, branchId)
    const ids = []
    for (const name of ['bar', 'pool'])
      ids.push((await platform.agents.createAttribute(AGENT, branchId, { name })).id)
    if (variant === undefined) throw new Error('The demo has one.')
    const page = await open(pages, 'ada', DESK)
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/variants`)
    const cell = (name: string) => page.getByLabel(`${variant.name}: ${name}`)
    await cell('bar').waitFor()
    const values = { ...variant.attributeValues, [ids[1] ?? '']: 'Heated' }
    await platform.agents.updateVariant(AGENT, branchId, variant.id, { attributeValues: values })
    await cell('bar').fill('Open late')
    await page.getByText('All changes are saved').waitFor()
    const read = async () => (await platform.agents.variant(AGENT, branchId, variant.id)).attributeValues
    await expect.poll(read).toEqual({ ...values, [ids[0] ?? '']: 'Open late' })
    await expect.poll(() => cell('pool').inputValue()).toBe('Heated')
  })

  test('are not told of what they have written themselves', async () => {
    const { open, platform } = await startSite()
    const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Alone' })
    const page = await open(pages, 'ada', DESK)
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}`)
    const looks: string[] = []
    page.on('response', response => {
      if (response.url().endsWith(`/branches/${branchId}`)) looks.push(response.url())
    })
    await page.getByLabel('Behaviour').fill('Be brief.')
    await page.getByText('All changes are saved').waitFor()
    await page.getByLabel('Greeting').fill('Hello!')
    await page.getByText('All changes are saved').waitFor()
    const before = looks.length
    await expect.poll(() => looks.length).toBeGreaterThan(before + 1)
    await expect.poll(() => page.getByText('Someone else').count()).toBe(0)
  })
})

describe('CO27 undo', () => {
  test.each(WAYS)('brings back what was deleted, and what a field was: %s', async (way, options) => {
    const { open, platform } = await startSite()
    const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Opening hours' })
    const topics = await platform.agents.topics(AGENT, branchId)
    const topic = topics.find(({ name }) => name === 'Check-in')
    if (topic === undefined) throw new Error('The demo has it.')
    const changes = async () => (await platform.agents.branch(AGENT, branchId)).changes
    const page = await open(pages, 'ada', options)
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/topics?topic=${topic.id}`)
    const content = page.getByLabel('Content')
    await content.fill('Never.')
    await page.getByText('All changes are saved').waitFor()
    await content.fill('Never, ever.')
    await expect
      .poll(async () => (await platform.agents.topic(AGENT, branchId, topic.id)).content)
      .toBe('Never, ever.')
    expect(await look(page, `undo-${way}`)).toEqual([])
    const undo = page.getByRole('button', { name: 'Undo the last save' })
    await undo.click()
    await expect.poll(() => content.inputValue()).toBe('Never.')
    await undo.click()
    await expect.poll(() => content.inputValue()).toBe(topic.content)
    await undo.waitFor({ state: 'detached' })
    await expect.poll(changes).toEqual([])

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Check-in is deleted.').waitFor()
    await expect.poll(changes).toHaveLength(1)
    expect(await look(page, `deleted-${way}`)).toEqual([])
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Undo')
    await page.keyboard.press('Enter')
    await content.waitFor()
    await expect.poll(changes).toEqual([])
    expect(await platform.agents.topic(AGENT, branchId, topic.id)).toEqual(topic)

    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/cases`)
    await page
      .getByRole('button', { name: /^Delete: / })
      .first()
      .click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(changes).toEqual([])
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/variants`)
    await page
      .getByRole('button', { name: /^Delete: / })
      .last()
      .click()
    await expect.poll(changes).toHaveLength(1)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(changes).toEqual([])
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  })

  test('brings back a canned reply', async () => {
    const { open, visit } = await startSite()
    const page = await open(pages, 'dora', DESK)
    await goTo(page, '#/desk')
    await visit('let me speak with a manager')
    await page.getByRole('button', { name: 'Take the next one' }).click()
    await page.locator('.composer textarea').waitFor()
    await page.keyboard.press('F8')
    for (const text of ['Good evening!', 'Good bye!']) {
      await page.getByLabel('New reply').fill(text)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await page.getByRole('button', { name: 'Remove “Good evening!”' }).click()
    await page.getByText('Good evening! is deleted.').waitFor()
    await expect.poll(() => page.locator('.desk-reply').allTextContents()).toEqual(['Good bye!'])
    expect(await look(page, 'reply-deleted')).toEqual([])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect
      .poll(() => page.locator('.desk-reply').allTextContents())
      .toEqual(['Good evening!', 'Good bye!'])
  })
})

/** A branch with a topic of it open. */
async function openTopic() {
  const { open, platform, origin } = await startSite()
  const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Opening hours' })
  const topics = await platform.agents.topics(AGENT, branchId)
  const idOf = (name: string) => topics.find(one => one.name === name)?.id ?? ''
  const place = `#/agents/${AGENT}/branches/${branchId}/topics?topic=${idOf('Check-in')}`
  const page = await open(pages, 'ada', DESK)
  await goTo(page, place)
  await page.getByLabel('Content').waitFor()
  const read = async () => (await platform.agents.topic(AGENT, branchId, idOf('Check-in'))).content
  return { page, platform, origin, branchId, place, read, topicId: idOf('Check-in') }
}

/** Ends the session while something is typed: no request learns of it before. */
async function endSession(page: Page, type: () => Promise<void>): Promise<void> {
  await page.context().setOffline(true)
  await type()
  await page.context().clearCookies()
  await page.context().setOffline(false)
}

describe('CO251 no word is lost', () => {
  test('when the network is away: it is saved when it is back, also where somebody has gone on', async () => {
    const { page, read } = await openTopic()
    await page.context().setOffline(true)
    await page.getByLabel('Content').fill('Written without a network.')
    await page.getByText('The server did not answer.').waitFor()
    await page.getByRole('link', { name: 'Parking', exact: true }).click()
    await page.getByRole('region', { name: 'Parking' }).waitFor()
    await page.getByRole('link', { name: 'Check-in', exact: true }).click()
    await expect.poll(() => page.getByLabel('Content').inputValue()).toBe('Written without a network.')
    await page.getByRole('link', { name: 'Parking', exact: true }).click()
    await page.context().setOffline(false)
    await expect.poll(read).toBe('Written without a network.')
  })

  test('when what was sent is refused while one writes on', async () => {
    const { page, read } = await openTopic()
    let ask = (): void => {}
    let refuse = (): void => {}
    const isAsked = new Promise<void>(resolve => {
      ask = resolve
    })
    const isWritten = new Promise<void>(resolve => {
      refuse = resolve
    })
    let patches = 0
    await page.route(/topics/, async route => {
      if (route.request().method() !== 'PATCH' || patches++ > 0) return route.continue()
      ask()
      await isWritten
      await route.fulfill({ status: 400, json: { error_code: 'SCHEMA_VALIDATION_FAILED' } })
    })
    await page.getByLabel('Content').fill('First.')
    await isAsked
    await page.getByLabel('Content').fill('First, and more.')
    // Its turn comes while the first is under way.
    await page.evaluate('dispatchEvent(new Event("online"))')
    refuse()
    await expect.poll(read).toBe('First, and more.')
    await page.getByText('All changes are saved').waitFor()
  })

  test('when the page is read anew before it was saved', async () => {
    const { page, read } = await openTopic()
    await page.route(/topics\/[^/]*$/, route =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await page.getByLabel('Content').fill('Not sent yet.')
    await page.getByText('The server did not answer.').waitFor()
    page.on('dialog', dialog => void dialog.accept())
    await page.reload()
    await page.getByLabel('Content').waitFor()
    await expect.poll(() => page.getByLabel('Content').inputValue()).toBe('Not sent yet.')
    await page.unroute(/topics\/[^/]*$/)
    await expect.poll(read).toBe('Not sent yet.')
    await page.getByText('All changes are saved').waitFor()
    expect(await page.evaluate('Object.keys(localStorage).filter(key => key.includes("draft"))')).toEqual([])
  })

  test('when the session has ended: another person does not see it, and who comes back finds it saved', async () => {
    const { page, read, origin, place } = await openTopic()
    const before = await read()
    await endSession(page, () => page.getByLabel('Content').fill('Typed as the session ended.'))
    await page.getByText('You are signed out.').waitFor()
    const home = page.url().replace(/#.*/, '')
    const signIn = async (session: string) => {
      await page.goto('about:blank')
      await page.context().addCookies([{ name: 'session', value: session, url: origin }])
      await page.goto(home)
    }
    await signIn('eve')
    await page.getByRole('heading', { name: 'Opening hours' }).waitFor()
    await page.getByLabel('Content').waitFor()
    expect([page.url(), await page.getByLabel('Content').inputValue()]).toEqual([home + place, before])
    await signIn('ada')
    await page.goto(home + place)
    await expect.poll(read).toBe('Typed as the session ended.')
  })

  test('CO251 when the session has ended: the page stays under a dialog, and goes on with the next sign-in', async () => {
    const { page, platform, branchId, origin } = await openTopic()
    await page.getByRole('button', { name: 'New topic' }).click()
    await page.locator('dialog').getByLabel('Content').fill('Half a topic.')
    await page.locator('dialog').getByLabel('Name').fill('Sauna')
    await page.context().clearCookies()
    // What watches the branch may have asked for the sign-in by now, and a click would not reach what is under it.
    await page.locator('dialog').getByRole('button', { name: 'Create' }).dispatchEvent('click')
    const asked = page.getByRole('dialog', { name: 'You are signed out.' })
    const link = asked.getByRole('link', { name: 'Sign in' })
    await link.waitFor()
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual(['/login', '_blank'])
    expect(await look(page, 'sign-in-desk')).toEqual([])
    await page.setViewportSize(PHONE.viewport)
    expect(await look(page, 'sign-in-phone')).toEqual([])
    await page.context().addCookies([{ name: 'session', value: 'ada', url: origin }])
    await asked.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('dialog').getByLabel('Content').inputValue()).toBe('Half a topic.')
    await page.locator('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('region', { name: 'Sauna' }).waitFor()
    // What saves itself was tried again unasked.
    await endSession(page, () => page.getByLabel('Content').fill('Warm.'))
    await asked.waitFor()
    await page.context().addCookies([{ name: 'session', value: 'ada', url: origin }])
    await page.getByText('All changes are saved').waitFor()
    const topics = await platform.agents.topics(AGENT, branchId)
    expect(topics.find(({ name }) => name === 'Sauna')?.content).toBe('Warm.')
  })

  test('CO251 when another person signs in, the page begins anew, and nothing is sent as theirs', async () => {
    const { page, read, origin } = await openTopic()
    const before = await read()
    await endSession(page, () => page.getByLabel('Content').fill('Typed by Ada.'))
    await page.getByRole('dialog', { name: 'You are signed out.' }).waitFor()
    await page.context().addCookies([{ name: 'session', value: 'eve', url: origin }])
    await page.getByText('Eve', { exact: true }).waitFor()
    await page.getByLabel('Content').waitFor()
    expect([await read(), await page.getByLabel('Content').inputValue()]).toEqual([before, before])
  })

  test('when a dialog was open, or something was begun in a debug chat, as the page is read anew', async () => {
    const { page, branchId } = await openTopic()
    await page.getByRole('button', { name: 'New topic' }).click()
    const dialog = page.locator('dialog')
    await dialog.getByLabel('Name').fill('Sauna')
    await dialog.getByLabel('Content').fill('Half a topic.')
    await page.reload()
    await page.getByRole('button', { name: 'New topic' }).click()
    await expect.poll(() => dialog.getByLabel('Content').inputValue()).toBe('Half a topic.')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('region', { name: 'Sauna' }).waitFor()
    await page.getByRole('button', { name: 'New topic' }).click()
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/chat`)
    await page.getByRole('button', { name: 'Start a chat' }).click()
    await page.getByLabel('Message').fill('When does the')
    await page.reload()
    await page.getByRole('button', { name: 'Start a chat' }).click()
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('When does the')
  })

  test('when both have changed it: it has to be decided still after a look elsewhere', async () => {
    const { page, platform, branchId, topicId } = await openTopic()
    await platform.agents.updateTopic(AGENT, branchId, topicId, { content: 'From the other.' })
    await page.getByLabel('Content').fill('From me.')
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    await page.getByRole('link', { name: 'Variants' }).click()
    await page.getByRole('link', { name: 'Topics' }).click()
    await page.getByRole('link', { name: 'Check-in', exact: true }).click()
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    await expect.poll(() => page.getByLabel('Content').inputValue()).toBe('From me.')
  })
})

describe('phrases', () => {
  test.each(WAYS)('are written language by language, and said: %s', async (way, options) => {
    const { open, platform } = await startSite()
    const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Words' })
    const settings = () => platform.agents.responseSettings(AGENT, branchId)
    const page = await open(pages, 'ada', options)
    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/phrases`)
    await page.getByLabel('Small talk').fill('ahoy, hey you: Ahoy there!\nincomplete')
    await page.getByText('Not saved: “incomplete”').waitFor()
    await page.getByLabel('No topic fits', { exact: true }).fill('Let me find out.')
    const en = { smallTalk: [{ to: ['ahoy', 'hey you'], says: 'Ahoy there!' }], unknown: 'Let me find out.' }
    await expect.poll(async () => (await settings()).phrases).toEqual({ en })
    expect(await look(page, `phrases-${way}`)).toEqual([])

    await page.getByRole('region', { name: 'Phrases' }).getByLabel('Language').selectOption('de')
    await expect.poll(() => page.getByLabel('Small talk').inputValue()).toBe('')
    await page.getByLabel('The message is empty').fill('Wie bitte?')
    await expect.poll(async () => (await settings()).phrases).toEqual({ en, de: { silence: 'Wie bitte?' } })
    await platform.agents.updateResponseSettings(AGENT, branchId, { greeting: 'Hello!' })
    await page.getByLabel('The message is empty').fill('')
    await expect.poll(async () => (await settings()).phrases).toEqual({ en })

    await goTo(page, `#/agents/${AGENT}/branches/${branchId}/changes`)
    await page.getByText('Small talk: ahoy, hey you: Ahoy there!').first().waitFor()
    expect(await look(page, `phrases-changed-${way}`)).toEqual([])
    // Nothing covers the button, also where the areas are a bar at the bottom.
    const merge = await page.getByRole('button', { name: 'Merge into main' }).boundingBox()
    const at = { x: (merge?.x ?? 0) + 20, y: (merge?.y ?? 0) + (merge?.height ?? 0) - 2 }
    const hit = `document.elementFromPoint(${at.x}, ${at.y})?.closest('.merge-bar') !== null`
    expect(await page.evaluate(hit)).toBe(true)
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  })
})
