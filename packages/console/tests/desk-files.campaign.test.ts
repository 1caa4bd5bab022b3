import { mkdirSync } from 'node:fs'
import { A_PICTURE, createMemoryFiles } from '@colloquy/core/testing'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()
const SHOTS = process.env.COLLOQUY_SHOTS

const ASK = 'let me speak with a manager'
const WIDE = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 780 } }

/** What axe finds in both themes; with a picture of each where pictures are taken. */
async function lookAt(page: Page, name: string): Promise<readonly string[]> {
  const findings: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined) {
      mkdirSync(SHOTS, { recursive: true })
      await page.screenshot({ path: `${SHOTS}/console-${name}-${colorScheme}.png` })
    }
    findings.push(...(await findingsOf(page)).map(one => `${name}, ${colorScheme}: ${one}`))
  }
  return findings
}

/** A picture of a room, drawn by the page's browser. */
const drawn = async (page: Page): Promise<Blob> => {
  const base64 = await page.evaluate<string>(`
    const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 300 })
    const context = canvas.getContext('2d')
    for (const [color, ...place] of [
      ['#e9dcc5', 0, 0, 480, 300],
      ['#7a5a3c', 0, 220, 480, 80],
      ['#2b6f8f', 290, 40, 120, 100],
      ['#c9482c', 60, 150, 160, 90],
    ]) {
      context.fillStyle = color
      context.fillRect(...place)
    }
    canvas.toDataURL('image/png').split(',')[1]
  `)
  return new Blob([Buffer.from(base64, 'base64')], { type: 'image/png' })
}

async function startDesk() {
  const files = createMemoryFiles()
  const site = await startSite({ files })
  const dora = await site.open(pages, 'dora', WIDE)
  await goTo(dora, '#/desk')
  const visitor = await site.visit(ASK)
  return { ...site, dora, files, visitor }
}

test('CO615 what a visitor sends is seen at the desk before and after it is taken, and beside the transcript', async () => {
  const { dora, open, visitor } = await startDesk()
  const picture = await visitor.upload(await drawn(dora), 'room 12.png')
  const bill = await visitor.upload(new Blob(['Total: 12'], { type: 'text/plain' }), 'bill.txt')
  visitor.send('', [picture])
  await dora.locator('.desk-entry').first().click()
  const shown = dora.getByRole('img', { name: 'room 12.png' })
  await shown.waitFor()
  await expect.poll(() => shown.evaluate(img => Reflect.get(img, 'naturalWidth'))).toBe(480)
  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').waitFor()
  visitor.send('And this is the bill', [bill])
  const file = dora.getByRole('button', { name: 'Download bill.txt' })
  await file.waitFor()
  await shown.waitFor()
  expect(await dora.locator('.bubble', { hasText: 'room 12.png' }).count()).toBe(0)
  const findings = [...(await lookAt(dora, 'desk-files'))]
  const [download] = await Promise.all([dora.waitForEvent('download'), file.click()])
  expect(download.suggestedFilename()).toBe('bill.txt')

  const ada = await open(pages, 'ada', WIDE)
  await goTo(ada, '#/conversations')
  await ada.locator('tbody a').first().click()
  await ada.getByRole('img', { name: 'room 12.png' }).waitFor()
  await ada.getByRole('button', { name: 'Download bill.txt' }).waitFor()
  findings.push(...(await lookAt(ada, 'transcript-files')))
  expect(findings).toEqual([])
  expect([...dora.complaints, ...dora.elsewhere, ...ada.complaints, ...ada.elsewhere]).toEqual([])
})

test('CO615 a live agent chooses, pastes and removes files, and the visitor gets what is sent', async () => {
  const { dora, files, visitor } = await startDesk()
  await dora.locator('.desk-entry').first().waitFor()
  await dora.keyboard.press('F2')
  const field = dora.locator('.composer textarea')
  await field.waitFor()
  const [chooser] = await Promise.all([
    dora.waitForEvent('filechooser'),
    dora.getByRole('button', { name: 'Attach a file' }).click(),
  ])
  const given = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
  await chooser.setFiles([
    given('map.png', 'image/png', Buffer.from(A_PICTURE)),
    given('menu.txt', 'text/plain', Buffer.from('Fish')),
    given('page.html', 'text/html', Buffer.from('<script>')),
  ])
  await expect.poll(() => dora.locator('.attached [aria-busy="false"]').count()).toBe(2)
  expect(await dora.getByRole('alert').innerText()).toBe('page.html: files of this type cannot be sent.')
  const findings = [...(await lookAt(dora, 'desk-attached'))]
  await dora.setViewportSize(PHONE.viewport)
  findings.push(...(await lookAt(dora, 'desk-attached-phone')))
  await dora.setViewportSize(WIDE.viewport)
  await dora.getByRole('button', { name: 'Remove menu.txt' }).click()
  await dora.evaluate(`
    const data = new DataTransfer()
    data.items.add(new File(['<svg/>'], 'broken.pdf', { type: 'application/pdf' }))
    const paste = { clipboardData: data, bubbles: true, cancelable: true }
    document.querySelector('.composer textarea').dispatchEvent(new ClipboardEvent('paste', paste))
  `)
  await dora.getByText('broken.pdf cannot be sent: it is damaged, or not what its name says.').waitFor()
  await field.fill('This is the way')
  await dora.keyboard.press('Enter')
  await vi.waitFor(() => {
    expect(visitor.current.messages.at(-1)).toMatchObject({
      ...{ from: 'live agent', text: 'This is the way' },
      files: [{ name: 'map.png', type: 'image/png', size: A_PICTURE.length }],
    })
  })
  await dora.locator('.desk-line.own').getByRole('img', { name: 'map.png' }).waitFor()
  const id = visitor.current.messages.at(-1)?.files[0]?.id ?? ''
  const read = await fetch(await visitor.fileAddress(id))
  expect(new Uint8Array(await read.arrayBuffer())).toEqual(A_PICTURE)
  expect(files.stored.size).toBe(2)
  expect(findings).toEqual([])
  expect([...dora.complaints.filter(one => !one.includes('415')), ...dora.elsewhere]).toEqual([])
})

test('CO615 where the host takes no files the desk offers none', async () => {
  const { open, visit } = await startSite()
  const dora = await open(pages, 'dora', WIDE)
  await goTo(dora, '#/desk')
  await visit(ASK)
  await dora.locator('.desk-entry').first().waitFor()
  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').waitFor()
  expect(await dora.getByRole('button', { name: 'Attach a file' }).count()).toBe(0)
})
