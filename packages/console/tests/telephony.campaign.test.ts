import { mkdirSync } from 'node:fs'
import { createScriptedSpeech } from '@colloquy/core/testing'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID } from '../../../examples/standalone/src/seed.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

/** A folder for pictures of all that is looked at here; without it none are taken. */
const SHOTS = process.env.COLLOQUY_SHOTS
if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })

/** Findings of axe in both themes, and whether the page fits its window. */
async function look(page: Page, name: string): Promise<readonly string[]> {
  const findings: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined)
      await page.screenshot({ path: `${SHOTS}/console-${name}-${colorScheme}.png`, fullPage: true })
    if ((await page.evaluate('document.documentElement.scrollWidth <= innerWidth')) !== true)
      findings.push('wider than its window')
    findings.push(...(await findingsOf(page)))
  }
  return findings
}

const sectionOf = (page: Page, name: string) => page.getByRole('region', { name })

test('an operator says how an agent is reached by telephone: connectors, numbers, and those to reserve', async () => {
  const { open, platform } = await startSite()
  const page = await open(pages, 'ada')
  await goTo(page, '#/settings/telephony')
  await page.getByRole('button', { name: 'New telephony connector' }).click()
  await page.locator('dialog').getByLabel('Name').fill('Front desk line')
  await page.locator('dialog').getByLabel('Language').fill('en-GB')
  await page.getByRole('button', { name: 'Create' }).click()
  const connectors = sectionOf(page, 'Telephony connectors')
  await connectors.getByText('Front desk line').waitFor()
  await connectors.getByRole('button', { name: 'Change: Front desk line' }).click()
  await page.locator('dialog').getByLabel('Voice').fill('alloy')
  await page.getByRole('button', { name: 'Save' }).click()
  await connectors.getByText('alloy').waitFor()

  const numbers = sectionOf(page, 'Phone numbers')
  await numbers.getByRole('button', { name: 'Import numbers' }).click()
  await page.getByLabel('Numbers', { exact: true }).fill('+442079460018\n+44 20')
  await page.locator('dialog').getByRole('button', { name: 'Import numbers' }).click()
  await page.locator('dialog [role=alert]').getByText('Write each number with a plus sign').waitFor()
  // CO39: which one it is.
  await page.locator('dialog [role=alert] code').getByText('+44 20').waitFor()
  await page.getByLabel('Numbers', { exact: true }).fill('+442079460018\n+442079460019\n')
  await page.locator('dialog').getByRole('button', { name: 'Import numbers' }).click()
  await page.getByLabel('Connector of +442079460018').selectOption('Front desk line')
  const read = () => platform.telephony.numbers(DEMO_AGENT_ID)
  const [connector] = await platform.access.telephonyConnectors(DEMO_AGENT_ID)
  expect(connector).toMatchObject({ name: 'Front desk line', voiceName: 'alloy', asrLangCode: 'en-GB' })
  await expect
    .poll(async () => (await read()).map(({ number, connectorId }) => [number, connectorId ?? null]))
    .toEqual([
      ['+442079460018', connector?.id],
      ['+442079460019', null],
    ])
  await numbers.getByRole('button', { name: 'Delete: +442079460019' }).click()
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
  await numbers.getByText('+442079460019', { exact: true }).waitFor({ state: 'detached' })

  const pool = sectionOf(page, 'Pool of numbers')
  await pool.getByRole('button', { name: 'Add numbers' }).click()
  await page.getByLabel('Numbers', { exact: true }).fill('+442079460030')
  await page.locator('dialog').getByRole('button', { name: 'Add numbers' }).click()
  await pool.getByText('free').waitFor()
  await pool.getByRole('button', { name: 'Remove: +442079460030' }).click()
  await page.locator('dialog').getByRole('button', { name: 'Remove' }).click()
  await pool.getByText('No numbers in the pool').waitFor()

  await connectors.getByRole('button', { name: 'Delete: Front desk line' }).click()
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click()
  await connectors.getByText('No telephony connectors yet').waitFor()
  await numbers.getByText('No phone numbers yet').waitFor()
  expect(await read()).toEqual([])
  expect(page.elsewhere).toEqual([])
})

test('an operator adds a voice to those that the provider offers, changes it, and hears how one sounds', async () => {
  const { open, platform } = await startSite({ speechProvider: createScriptedSpeech() })
  const page = await open(pages, 'ada')
  await goTo(page, '#/settings/voices')
  const rows = page.locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => rows.first().innerText()).toContain('offered')
  await page.getByRole('button', { name: 'Add a voice' }).click()
  const dialog = page.locator('dialog')
  await dialog.getByLabel('Name').fill('The concierge')
  await dialog.getByLabel('Provider', { exact: true }).fill('OPENAI')
  await dialog.getByLabel("The provider's id").fill('alloy')
  await dialog.getByLabel('Gender').selectOption('female')
  await dialog.getByLabel('Configuration').fill('[1]')
  await dialog.getByText('This is not a JSON object.').waitFor()
  await dialog.getByLabel('Configuration').fill('{"speed": 1.1}')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Change The concierge' }).click()
  await dialog.getByLabel('Language').fill('en-GB')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await rows.filter({ hasText: 'The concierge' }).getByText('en-GB').waitFor()
  const voices = await platform.voices.list(DEMO_ACCOUNT_ID)
  expect(voices.find(({ name }) => name === 'The concierge')).toMatchObject({
    ...{ provider: 'OPENAI', providerVoiceId: 'alloy', config: { speed: 1.1 } },
    metadata: { gender: 'female', language: 'en-GB' },
  })
  await page.getByRole('button', { name: 'Sample of Ada' }).click()
  await dialog.getByRole('link', { name: 'Listen' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-AT' }],
]

test.each(WAYS)(
  'CO10 no place of telephony and voices has a finding of axe, light or dark: %s',
  async (way, options) => {
    const { open, platform } = await startSite({ speechProvider: createScriptedSpeech() })
    const { id: connectorId } = await platform.access.createTelephonyConnector({
      ...{ accountId: DEMO_ACCOUNT_ID, agentId: DEMO_AGENT_ID, environment: 'live', name: 'Front desk line' },
      voiceName: 'Ada',
    })
    const phoneNumbers = ['+442079460018', '+442079460019']
    await platform.telephony.importNumbers(DEMO_AGENT_ID, { phoneNumbers })
    await platform.telephony.assignNumber(DEMO_AGENT_ID, '+442079460018', connectorId)
    await platform.telephony.addToPool(DEMO_AGENT_ID, ['+442079460030'])
    const page = await open(pages, 'ada', options)
    await goTo(page, '#/settings/telephony')
    await page.locator('#number-pool').waitFor()
    await page.getByText('+442079460030').waitFor()
    const findings = [...(await look(page, `telephony-${way}`))]
    await page.locator('section[aria-labelledby=telephony-connectors] .actions.apart .button').click()
    await page.locator('dialog').waitFor()
    findings.push(...(await look(page, `telephony-new-${way}`)))
    await page.keyboard.press('Escape')
    await goTo(page, '#/settings/voices')
    await page.locator('tbody tr').first().waitFor()
    findings.push(...(await look(page, `voices-${way}`)))
    await page.locator('.apart .button.main').click()
    await page.locator('dialog').waitFor()
    findings.push(...(await look(page, `voices-new-${way}`)))
    expect(findings).toEqual([])
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)
