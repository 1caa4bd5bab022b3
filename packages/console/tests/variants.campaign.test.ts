import { mkdirSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()
const SHOTS = process.env.COLLOQUY_SHOTS
const AGENT = 'PROJECT-DEMO'

const REFUSED = 'Failed to load resource: the server responded with a status of 400 (Bad Request)'

/** What axe finds here, light and dark. */
async function look(page: Page, place: string): Promise<readonly string[]> {
  const findings: string[] = []
  if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/console-${place}-${colorScheme}.png` })
    findings.push(...(await findingsOf(page)))
  }
  return findings
}

test.each([
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
] as const)('an author edits variants as a grid: %s', async (way, options) => {
  const { open, platform } = await startSite()
  const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'Two houses' })
  const page = await open(pages, 'ada', options)
  await goTo(page, `#/agents/${AGENT}/branches/${branchId}/variants`)
  const grid = page.locator('.grid')
  await grid.waitFor()
  const before = await platform.agents.variants(AGENT, branchId)
  await page.getByRole('button', { name: 'New attribute' }).click()
  await page.getByLabel('Name', { exact: true }).fill('parking')
  await page.keyboard.press('Enter')
  const [first, second] = before
  if (first === undefined || second === undefined) throw new Error('The demo has two variants.')
  await page.getByLabel(`${first.name}: parking`).fill('In the yard')
  // The key that ends a composed word leads nowhere.
  const composed = JSON.stringify({ key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })
  const kept = `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', ${composed}))`
  expect(await page.evaluate(kept)).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Across the street')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await page.keyboard.type('Free. ')
  await page.getByText('All changes are saved').waitFor()
  const parking = (await platform.agents.attributes(AGENT, branchId)).find(({ name }) => name === 'parking')
  const values = async () =>
    (await platform.agents.variants(AGENT, branchId)).map(
      ({ attributeValues }) => attributeValues[parking?.id ?? ''],
    )
  expect(await values()).toEqual(['Free. In the yard', 'Across the street'])

  await page.getByRole('button', { name: 'New variant' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Lake house')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Make default: Lake house' }).click()
  await page.getByRole('button', { name: `Make default: ${first.name}` }).waitFor()
  await page.getByRole('button', { name: `Delete: ${second.name}` }).click()
  await page.getByText(`${second.name} is deleted.`).waitFor()
  await page.getByLabel(`${second.name}: parking`).waitFor({ state: 'detached' })
  const after = await platform.agents.variants(AGENT, branchId)
  expect(after.map(({ name, isDefault }) => [name, isDefault])).toEqual([
    [first.name, false],
    ['Lake house', true],
  ])
  expect(await look(page, `variants-${way}`)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await goTo(page, `#/agents/${AGENT}/branches/main/variants`)
  await page.getByLabel(`Variant: ${second.name}`).waitFor()
  await expect.poll(() => page.locator('.grid :is(input, textarea):not(:read-only)').count()).toBe(0)
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test.each([
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
] as const)('CO22 the form of a real-time config is made of its schema: %s', async (way, options) => {
  const { open, platform } = await startSite()
  const page = await open(pages, 'ada', options)
  await goTo(page, `#/agents/${AGENT}/config?environment=live`)
  await page.getByText('No variables yet').waitFor()
  const schema = {
    type: 'object',
    properties: {
      isOpen: { type: 'boolean', title: 'Is the desk open?' },
      discount: { type: 'integer', maximum: 50, description: 'In percent.' },
      tone: { enum: ['warm', 'brief'] },
      notice: { type: 'string' },
    },
  }
  await page.locator('summary', { hasText: 'Schema' }).click()
  await page.getByLabel('Schema').fill('{')
  await page.getByText('This is not valid JSON.').waitFor()
  await page.getByLabel('Schema').fill(JSON.stringify(schema))
  await page.getByRole('button', { name: 'Save the schema' }).click()
  await page.getByLabel('Is the desk open?').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('No variables yet').waitFor()
  await page.locator('summary', { hasText: 'Schema' }).click()
  await page.getByLabel('Schema').fill(JSON.stringify(schema))
  await page.getByRole('button', { name: 'Save the schema' }).click()
  await page.getByLabel('Is the desk open?').selectOption('true')
  await page.getByLabel('discount').fill('80')
  await page.getByLabel('tone').selectOption('warm')
  await page.getByLabel('notice').fill('The pool is closed.')
  await page.getByRole('button', { name: 'Save for Live' }).click()
  // CO39: which one it is; what is allowed stands at its field.
  await page.getByRole('alert').locator('code').getByText('/discount').waitFor()
  await page.getByText('In percent. ≤ 50').waitFor()
  await page.getByLabel('discount').fill('20')
  expect(await look(page, `config-${way}`)).toEqual([])
  await page.getByRole('button', { name: 'Save for Live' }).click()
  await page.getByText('Changed:').waitFor()
  const read = async () => (await platform.agents.realTimeConfig(AGENT, 'live')).variables
  await expect.poll(read).toEqual({ isOpen: true, discount: 20, tone: 'warm', notice: 'The pool is closed.' })
  await page.getByLabel('notice').fill('')
  await page.getByRole('button', { name: 'Save for Live' }).click()
  await expect.poll(read).toEqual({ isOpen: true, discount: 20, tone: 'warm' })
  // Until the page has heard of it too, its button undoes what was saved before.
  await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.click()
  await expect.poll(read).toMatchObject({ notice: 'The pool is closed.' })
  await undo.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('notice').inputValue()).toBe('The pool is closed.')
  // What somebody else has changed since stays.
  await page.getByLabel('notice').fill('')
  await page.getByLabel('discount').fill('30')
  await page.getByRole('button', { name: 'Save for Live' }).click()
  await undo.waitFor()
  expect(await look(page, `config-saved-${way}`)).toEqual([])
  await platform.agents.updateRealTimeConfigVariables(AGENT, 'live', { discount: 40 })
  await undo.click()
  await expect.poll(read).toEqual({ isOpen: true, discount: 40, tone: 'warm', notice: 'The pool is closed.' })
  await expect.poll(() => page.getByLabel('discount').inputValue()).toBe('40')
  await page.locator('summary', { hasText: 'Add a variable' }).click()
  await page.getByLabel('Name', { exact: true }).fill('hours')
  await page.getByLabel('Value').fill('{"from": 8}')
  await page.getByRole('button', { name: 'Add a variable' }).click()
  await page.getByLabel('hours').waitFor()
  await expect.poll(() => page.getByLabel('hours').inputValue()).toBe('{\n  "from": 8\n}')
  const reader = await open(pages, 'ben', options)
  await goTo(reader, `#/agents/${AGENT}/config?environment=live`)
  await reader.getByLabel('discount').waitFor()
  expect(await reader.getByLabel('discount').isEditable()).toBe(false)
  expect([page.complaints, page.elsewhere]).toEqual([[REFUSED], []])
})
