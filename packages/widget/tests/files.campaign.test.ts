import { createMemoryFiles } from '@colloquy/core/testing'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createConcierge } from './support/concierge.ts'
import { linesOf, openChat, openPage, say, startSite } from './support/site.ts'

const { profile } = requireBrowser()

/** Where pictures of what is shown go; none where it is not set. */
const SHOTS = process.env.COLLOQUY_SHOTS

async function visit(options: BrowserContextOptions = {}, fileRules: object = {}) {
  const agent = createConcierge()
  const files = createMemoryFiles()
  const site = await startSite({ runtime: agent.runtime, files, fileRules })
  const page = await openPage(await profile(options), site.url)
  await openChat(page)
  await page.getByRole('button', { name: /^(Attach a file|Datei anhängen)$/ }).waitFor()
  return { ...site, agent, files, page }
}

/** A real picture of that size, drawn by the page's own browser. */
async function drawn(page: Page, width: number, height: number, type = 'image/png'): Promise<Buffer> {
  const drawing = ([w, h, as]: readonly [number, number, string]) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h })
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('Nothing can be drawn.')
    const sky = context.createLinearGradient(0, 0, 0, h)
    sky.addColorStop(0, '#f6d7a8')
    sky.addColorStop(1, '#2b6f8f')
    context.fillStyle = sky
    context.fillRect(0, 0, w, h)
    context.fillStyle = '#e8743b'
    context.beginPath()
    context.arc(w * 0.7, h * 0.4, h / 6, 0, 7)
    context.fill()
    return canvas.toDataURL(as).split(',')[1] ?? ''
  }
  return Buffer.from(await page.evaluate(drawing, [width, height, type] as const), 'base64')
}

type Given = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }

async function choose(page: Page, ...given: readonly Given[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: /^(Attach a file|Datei anhängen)$/ }).click(),
  ])
  await chooser.setFiles([...given])
}

const settled = (page: Page) => expect.poll(() => page.locator('.tray [aria-busy]').count()).toBe(0)

/** Gives the chat files as a paste or a drop does. */
async function give(page: Page, how: 'paste' | 'drop', { buffer, mimeType, name }: Given): Promise<void> {
  await page.locator('.panel').evaluate(
    (panel, [as, base64, type, called]) => {
      const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], called, { type }))
      const options = { bubbles: true, cancelable: true, composed: true }
      const event =
        as === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data })
      panel.dispatchEvent(event)
    },
    [how, buffer.toString('base64'), mimeType, name] as const,
  )
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const [way, size] of [
    ['desk', { width: 1_000, height: 760 }],
    ['phone', { width: 390, height: 780 }],
  ] as const)
    test(`FI45 a visitor chooses a picture and a text, sends them, and sees them under a strict policy: ${way}, ${colorScheme}`, async () => {
      const { agent, files, page } = await visit({ colorScheme, viewport: size })
      const picture = { name: 'lamp.png', mimeType: 'image/png', buffer: await drawn(page, 640, 400) }
      const notes = {
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Room 12, by the window.'),
      }
      await choose(page, picture, notes)
      await settled(page)
      const shot = async (state: string) => {
        expect(await findingsOf(page)).toEqual([])
        if (SHOTS !== undefined)
          await page.screenshot({ path: `${SHOTS}/files-${way}-${state}-${colorScheme}.png` })
      }
      await shot('chosen')
      await say(page, 'The lamp is broken')
      const shown = page.locator('.mine .picture img')
      await shown.waitFor()
      await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640)
      await page.getByText('You said The lamp is broken.').waitFor()
      await page.getByRole('button', { name: 'Download notes.txt' }).waitFor()
      expect(await page.locator('.tray').count()).toBe(0)
      await shot('sent')
      expect(files.stored.size).toBe(2)
      expect(agent.asked).toEqual(['greeting', 'The lamp is broken'])
      expect(page.complaints).toEqual([])
    })

test('FI45 files alone are a message, a file is downloaded as it was, and a reload shows the same', async () => {
  const { page } = await visit()
  await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Room 12') })
  await settled(page)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const file = page.getByRole('button', { name: 'Download notes.txt' })
  await file.waitFor()
  await page.getByText('You said notes.txt.').waitFor()
  expect((await linesOf(page)).at(-2)).toBe('mine: ')
  await page.reload()
  await file.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
  expect(download.suggestedFilename()).toBe('notes.txt')
  const stream = await download.createReadStream()
  let text = ''
  for await (const chunk of stream) text += chunk
  expect(text).toBe('Room 12')
  expect(page.complaints).toEqual([])
})

test('FI45 pasted and dropped files are taken; what is refused is said in words, and can be put right', async () => {
  const { files, page } = await visit(
    {},
    { bytes: 300_000, perMessage: 2, types: ['image/png', 'application/pdf'] },
  )
  const png = await drawn(page, 40, 30)
  await give(page, 'paste', { name: 'one.png', mimeType: 'image/png', buffer: png })
  await give(page, 'drop', { name: 'two.png', mimeType: 'image/png', buffer: png })
  await settled(page)
  expect(await page.locator('.tray .file').count()).toBe(2)
  const alert = page.getByRole('alert')
  const refused = async (given: Given, words: string) => {
    await give(page, 'drop', given)
    await expect.poll(() => alert.innerText()).toBe(words)
  }
  await refused({ name: 'x.png', mimeType: 'image/png', buffer: png }, 'At most 2 files fit into a message.')
  await page.getByRole('button', { name: 'Remove two.png' }).click()
  await refused(
    { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script>') },
    'page.html: files of this type cannot be sent.',
  )
  await refused(
    { name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html><script>') },
    'scan.pdf cannot be sent: it is damaged, or not what its name says.',
  )
  const long = { name: 'long.png', mimeType: 'image/png', buffer: Buffer.alloc(300_001) }
  await refused(long, 'long.png is too large. At most 0.2 MB can be sent.')
  await expect.poll(() => page.locator('.tray .file').count()).toBe(1)
  expect(files.stored.size).toBe(2)
  expect(await findingsOf(page)).toEqual([])
})

test('FI45 the words are German for a German visitor, and all is reached by keyboard', async () => {
  const { page } = await visit({ locale: 'de-DE' })
  await page.locator('textarea').focus()
  await page.keyboard.press('Shift+Tab')
  expect(
    await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label')),
  ).toBe('Datei anhängen')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  await chooser.setFiles([
    { name: 'brief.txt', mimeType: 'text/plain', buffer: Buffer.from('Guten Tag') },
    { name: 'seite.html', mimeType: 'text/html', buffer: Buffer.from('<p>') },
  ])
  await settled(page)
  expect(await page.getByRole('alert').innerText()).toBe(
    'seite.html: Dateien dieser Art können nicht gesendet werden.',
  )
  await page.getByRole('button', { name: 'brief.txt entfernen' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.tray .file').count()).toBe(0)
})

test('FI45 a server that takes no files costs a page nothing: no button, no further file', async () => {
  const { url } = await startSite({ runtime: createConcierge().runtime })
  const page = await openPage(await profile(), url)
  await openChat(page)
  await page.getByText('How can I help').waitFor()
  expect(await page.getByRole('button', { name: 'Attach a file' }).count()).toBe(0)
  expect(page.requests.filter(address => address.endsWith('/files.js'))).toEqual([])
})
