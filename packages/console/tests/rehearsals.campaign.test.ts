import { mkdirSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID } from '../../../examples/standalone/src/seed.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()
const SHOTS = process.env.COLLOQUY_SHOTS

async function shoot(page: Page, name: string): Promise<string[]> {
  if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })
  const findings: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined)
      await page.screenshot({ path: `${SHOTS}/console-${name}-${colorScheme}.png`, fullPage: true })
    findings.push(...(await findingsOf(page)))
  }
  return findings
}

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 900 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
]

test.each(WAYS)(
  'TE80 and TE82 a visitor who talks back is made, edited and run: %s',
  async (way, options) => {
    const site = await startSite()
    const { agents } = site.platform
    const { id: branchId } = await agents.createBranch(DEMO_AGENT_ID, { branchName: 'Rehearsal' })
    for (const { id } of await agents.testCases.list(DEMO_AGENT_ID, branchId))
      await agents.testCases.delete(DEMO_AGENT_ID, branchId, id)
    const page = await site.open(pages, 'ada', options)
    await goTo(page, `#/agents/${DEMO_AGENT_ID}/branches/${branchId}/cases`)
    await page.getByRole('button', { name: 'New test case' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Breakfast')
    await dialog.getByLabel('Kind of test').selectOption({ label: 'A visitor who talks back' })
    await dialog.getByLabel('Goal').fill('When is breakfast?')
    await dialog.getByLabel('The answers must have these words').fill('breakfast')
    const findings = await shoot(page, `visitor-new-${way}`)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The visitor reaches the goal').waitFor()
    await page.getByRole('button', { name: 'Edit: Breakfast' }).click()
    await page.getByLabel('What the visitor knows').fill('room: I have room 7.')
    await page.getByLabel('No answer has the words').fill('lunch at noon')
    await page.getByLabel('Number of talks').fill('2')
    findings.push(...(await shoot(page, `visitor-edit-${way}`)))
    const done = page.getByRole('button', { name: 'Done' })
    await expect.poll(() => done.isEnabled()).toBe(true)
    await done.click()
    await page.getByText('2 of 2 talks must pass').waitFor()
    const [made] = await agents.testCases.list(DEMO_AGENT_ID, branchId)
    expect(made?.visitor).toMatchObject({
      ...{ goal: 'When is breakfast?', facts: { room: 'I have room 7.' }, wants: ['breakfast'], talks: 2 },
      expectations: { goal: 'reached', never: ['lunch at noon'] },
    })
    const run = await agents.startTestRun(DEMO_AGENT_ID, { branchId })
    await site.platform.idle()
    await goTo(page, `#/agents/${DEMO_AGENT_ID}/tests/${run.id}`)
    await page.getByText('2 of 2 talks passed').waitFor()
    await page.getByText('Talk 2').waitFor()
    expect(await page.getByText('When is breakfast?').count()).toBe(2)
    findings.push(...(await shoot(page, `talks-${way}`)))
    expect(findings).toEqual([])
    expect(page.elsewhere).toEqual([])
  },
)

test.each(WAYS)(
  'CO18 a conversation becomes a test of what should have happened: %s',
  async (way, options) => {
    const site = await startSite()
    const { agents, conversations } = site.platform
    const known = { agentId: DEMO_AGENT_ID, conversationId: 'LEARNED' }
    const where = { accountId: DEMO_ACCOUNT_ID, environment: 'live', channel: 'CHAT' } as const
    const userInputAt = Date.now() - 60_000
    await conversations.start({ ...known, ...where, startedAt: userInputAt })
    for (const [turn, userInput] of ['When is breakfast?', 'Are you sure?'].entries())
      await conversations.recordTurn({
        ...{ ...known, turnId: `T-${turn}`, userInput, userInputAt: userInputAt + turn },
        agentResponse: 'At noon.',
      })
    await conversations.finish(known)
    const { id: branchId } = await agents.createBranch(DEMO_AGENT_ID, { branchName: 'Lessons' })
    for (const { id } of await agents.testCases.list(DEMO_AGENT_ID, branchId))
      await agents.testCases.delete(DEMO_AGENT_ID, branchId, id)
    const page = await site.open(pages, 'ada', options)
    await goTo(page, `#/conversations/${DEMO_AGENT_ID}/LEARNED`)
    await page.getByRole('button', { name: 'Make a test of it' }).click()
    const dialog = page.getByRole('dialog')
    const keep = dialog.getByRole('button', { name: 'Keep as a test' })
    await dialog.getByText('1. When is breakfast?').click()
    await dialog.getByText('The agent answered: At noon.').waitFor()
    expect(await keep.isEnabled()).toBe(false)
    await dialog.getByLabel('The answer has these words').fill('7 to 10')
    const findings = await shoot(page, `talk-test-${way}`)
    await keep.click()
    await page.getByRole('heading', { name: 'When is breakfast?' }).waitFor()
    await page.getByRole('button', { name: 'From a conversation' }).click()
    await dialog.getByLabel('From a conversation').selectOption({ label: 'When is breakfast?' })
    await dialog.getByRole('button', { name: 'Make a test of it' }).click()
    await dialog.getByLabel('Name').first().fill('Breakfast as a whole')
    await dialog.getByLabel('Kind of test').selectOption({ label: 'A visitor who talks back' })
    expect(await keep.isEnabled()).toBe(false)
    await dialog.getByLabel('The answer has none of these words').fill('noon')
    findings.push(...(await shoot(page, `talk-test-whole-${way}`)))
    await keep.click()
    await page.getByRole('heading', { name: 'Breakfast as a whole' }).waitFor()
    const made = await agents.testCases.list(DEMO_AGENT_ID, branchId)
    expect(made.map(({ turns, visitor }) => [turns, visitor?.goal, visitor?.expectations])).toEqual([
      [[], 'When is breakfast?', { never: ['noon'] }],
      [[{ text: 'When is breakfast?', expectations: { contains: ['7 to 10'] } }], ...[undefined, undefined]],
    ])
    expect(findings).toEqual([])
    expect(page.elsewhere).toEqual([])
  },
)

test.each(WAYS)('CO24 a topic is written for what nobody answered: %s', async (way, options) => {
  const site = await startSite()
  const { agents, conversations } = site.platform
  const questions = ['Can I bring my dog?', 'Can I bring a dog?', 'Do you rent out boats?']
  for (const [at, userInput] of questions.entries()) {
    const known = { agentId: DEMO_AGENT_ID, conversationId: `U-${at}` }
    const where = { accountId: DEMO_ACCOUNT_ID, environment: 'live', channel: 'CHAT' } as const
    const userInputAt = Date.now() - 60_000 + at * 1_000
    await conversations.start({ ...known, ...where, startedAt: userInputAt })
    await conversations.recordTurn({
      ...{ ...known, turnId: `T-${at}`, userInput, userInputAt, outOfDomain: true },
      agentResponse: 'Sorry?',
    })
    await conversations.finish(known)
  }
  const page = await site.open(pages, 'ada', options)
  await goTo(page, `#/agents/${DEMO_AGENT_ID}/unanswered`)
  await page.getByText('Asked 2 times').waitFor()
  const findings = await shoot(page, `unanswered-${way}`)
  await page.getByRole('button', { name: /^Write a topic: Can I bring/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Answer').fill('Dogs are welcome.')
  findings.push(...(await shoot(page, `unanswered-write-${way}`)))
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect.poll(() => page.url()).toMatch(/branches\/[^/]+\/topics\?topic=/)
  const branches = await agents.branches(DEMO_AGENT_ID)
  const branch = branches.find(({ name }) => name.startsWith('Can I bring'))
  const topics = await agents.topics(DEMO_AGENT_ID, branch?.id ?? '')
  expect(topics.find(({ content }) => content === 'Dogs are welcome.')).toMatchObject({
    name: expect.stringMatching(/^Can I bring/),
    exampleQueries: ['Can I bring a dog?', 'Can I bring my dog?'],
  })
  expect(findings).toEqual([])
  expect(page.elsewhere).toEqual([])
})
