// Slow: calls in a real browser take the time of what is said.
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createMemoryFiles } from '@colloquy/core/testing'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import { requireProgram } from '@colloquy/test-support/servers'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inFrame, startFramedSite } from './support/framed.ts'
import { linesOf, openChat, openPage, pageOf, tag } from './support/site.ts'
import { listenToPage, loudness, spokenFile, startVoiceSite, voiceOf } from './support/voice-site.ts'

const flite = requireProgram('flite', 'flite')
const { profile } = requireBrowser(
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${spokenFile(flite, 'When is breakfast, please?', 5)}`,
)

/** Where pictures of what is shown go; none where it is not set. */
const SHOTS = process.env.COLLOQUY_SHOTS

const LONG = 'Breakfast is from seven to ten, and on Sundays until eleven. '.repeat(8).trim()

const replying = (reply: string): AgentRuntime => ({
  async *respond({ input }) {
    yield { type: 'text', text: input.type === 'message' ? reply : 'Welcome.' }
  },
})

async function visit(
  site: Awaited<ReturnType<typeof startVoiceSite>>,
  options: BrowserContextOptions = {},
): Promise<Awaited<ReturnType<typeof openPage>>> {
  const context = await profile(options)
  await context.addInitScript(listenToPage)
  const page = await openPage(context, site.url)
  await openChat(page)
  await page.getByRole('button', { name: /^(Speak|Sprechen)$/ }).waitFor()
  return page
}

const speak = (page: Page) => page.getByRole('button', { name: /^(Speak|Sprechen)$/ }).click()
const hangUp = (page: Page) => page.getByRole('button', { name: 'End the call' }).click()
const state = (page: Page) => page.locator('.call small')

for (const colorScheme of ['light', 'dark'] as const)
  test(`WI700 and WI701 a visitor presses the button, speaks, reads what was understood, and hears the answer: ${colorScheme}`, async () => {
    const site = await startVoiceSite({ runtime: replying(LONG), texts: ['When is breakfast, please?'] })
    const page = await visit(site, { colorScheme, viewport: { width: 1_000, height: 760 } })
    const files = () => page.requests.map(address => new URL(address).pathname.replace(/^.*\//, ''))
    expect(files()).toContain('talk.js')
    expect(files()).not.toContain('voice.js')
    await speak(page)
    await page.locator('.caption').getByText('When', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Interrupt' }).waitFor()
    expect(files()).toContain('voice.js')
    await expect.poll(() => loudness(page)).toBeGreaterThan(0.2)
    await expect.poll(() => linesOf(page)).toContain('mine: When is breakfast, please?')
    expect(await page.locator('.caption').innerText()).toBe(
      'Breakfast is from seven to ten, and on Sundays until eleven.',
    )
    expect(await findingsOf(page)).toEqual([])
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/voice-${colorScheme}.png` })

    // The microphone plays its sentence again: the visitor interrupts, and the rest is not heard.
    await expect.poll(() => loudness(page)).toBe(0)
    await expect
      .poll(async () => (await linesOf(page)).filter(line => line.startsWith('mine')).length)
      .toBe(2)
    const log = page.getByRole('log')
    expect(await log.getAttribute('aria-live')).toBe('off')
    await hangUp(page)
    await expect.poll(() => page.locator('.call').count()).toBe(0)
    expect(await log.getAttribute('aria-live')).toBe('polite')
    expect(page.complaints).toEqual([])
  })

test('WI701 mute, interrupt and the end of a call work by keyboard, and a closed chat is not listened to', async () => {
  const site = await startVoiceSite({ runtime: replying(LONG), texts: ['When is breakfast, please?'] })
  const page = await visit(site)
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  await press('Speak')
  await page.getByRole('button', { name: 'Interrupt' }).waitFor()
  await press('Mute the microphone')
  const mute = page.getByRole('button', { name: 'Mute the microphone' })
  await expect.poll(() => mute.getAttribute('aria-pressed')).toBe('true')
  await press('Interrupt')
  await expect.poll(() => loudness(page)).toBe(0)
  await expect.poll(() => state(page).innerText()).toBe('The microphone is muted.')
  expect(await page.locator('.call [role=status]').allTextContents()).toContain('The microphone is muted.')
  expect(await findingsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Chat' }).waitFor()
  await openChat(page)
  await page.getByRole('button', { name: 'Speak', exact: true }).waitFor()
  expect(await page.locator('.meter').count()).toBe(0)
  expect(page.complaints).toEqual([])
})

test('WI700 a call whose connection is cut goes on, and what was said is there once', async () => {
  const site = await startVoiceSite({
    runtime: replying('From seven.'),
    texts: ['When is breakfast, please?', 'Thank you very much'],
  })
  const page = await visit(site)
  await speak(page)
  await page.locator('.caption').getByText('When', { exact: true }).waitFor()
  site.cut()
  await expect.poll(() => site.lines).toBe(1)
  await expect.poll(() => linesOf(page)).toContain('theirs: From seven.')
  const mine = (await linesOf(page)).filter(line => line.startsWith('mine'))
  expect(mine).toHaveLength(1)
  expect(await page.getByRole('alert').count()).toBe(0)
  await hangUp(page)
})

test('WI701 a page that may not use the microphone says what to do, in German for a German visitor', async () => {
  const site = await startVoiceSite({
    runtime: replying('From seven.'),
    texts: ['Nothing'],
    headers: { 'permissions-policy': 'microphone=()' },
  })
  const page = await visit(site, { locale: 'de-DE' })
  await speak(page)
  await page.getByRole('alert').getByText('Diese Seite darf Ihr Mikrofon nicht verwenden.').waitFor()
  expect(await findingsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Sprechen', exact: true }).waitFor()
  expect(site.lines).toBe(0)
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/voice-refused.png` })
})

test('WI700 a chat in a frame of another origin has the microphone from its page, and needs no more of the policy', async () => {
  const { url } = await startFramedSite(
    { runtime: replying('From seven.'), attach: voiceOf(['When is breakfast, please?']) },
    { '/': pageOf(tag('data-voice="/voice"')) },
  )
  const page = await (await profile()).newPage()
  await page.goto(url)
  await page.getByRole('button', { name: 'Chat' }).click()
  const frame = inFrame(page)
  await frame.getByRole('button', { name: 'Speak' }).click()
  await frame.getByText('When is breakfast, please?').first().waitFor()
  await frame.locator('.message').getByText('From seven.').waitFor()
  await frame.getByRole('button', { name: 'End the call' }).click()
  await frame.getByRole('button', { name: 'Speak' }).waitFor()
})

for (const [locale, words] of Object.entries({
  'en-GB': {
    asked: 'May we record this call?',
    yes: 'Yes, record it',
    on: 'This call is recorded.',
    off: 'Stop, and delete the recording',
  },
  'de-DE': {
    asked: 'Dürfen wir dieses Gespräch aufzeichnen?',
    yes: 'Ja, aufzeichnen',
    on: 'Dieses Gespräch wird aufgezeichnet.',
    off: 'Beenden und die Aufzeichnung löschen',
  },
}))
  test(`WI704 a visitor consents to the recording by keyboard, sees that it runs, and deletes it: ${locale}`, async () => {
    const keep = createMemoryFiles()
    const site = await startVoiceSite({
      ...{ runtime: replying('From seven to ten.'), texts: ['When is breakfast?'] },
      ...{ keep, voice: { recording: { mode: 'ask' } } },
    })
    const page = await visit(site, { locale, viewport: { width: 390, height: 700 } })
    await speak(page)
    const yes = page.getByRole('button', { name: words.yes })
    await yes.waitFor()
    expect(await page.locator('.recorded small').innerText()).toBe(words.asked)
    expect(await page.locator('[role=status]').allTextContents()).toContain(words.asked)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findingsOf(page)).toEqual([])
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}/consent-${locale}-${colorScheme}.png` })
    }
    await yes.focus()
    await page.keyboard.press('Enter')
    const off = page.getByRole('button', { name: words.off })
    await off.waitFor()
    expect(await page.locator('.recorded small').innerText()).toBe(words.on)
    expect(await page.locator('[role=status]').allTextContents()).toContain(words.on)
    expect(await findingsOf(page)).toEqual([])
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/recorded-${locale}.png` })
    const { records } = await site.platform.reading.records(
      { accountId: site.accountId, agentId: site.agentId, environment: 'live' },
      { offset: 0 },
      1,
    )
    const list = () => site.platform.reading.recordings(site.accountId, site.agentId, records[0]?.id ?? '')
    await expect
      .poll(async () => (await list()).map(({ consent, end }) => [consent.how, end]))
      .toEqual([['button', null]])
    await off.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => off.count()).toBe(0)
    await expect.poll(async () => (await list())[0]?.end).toBe('withdrawn')
    expect(keep.stored.size).toBe(0)
    await page.getByRole('button', { name: /^(End the call|Gespräch beenden)$/ }).click()
  })
