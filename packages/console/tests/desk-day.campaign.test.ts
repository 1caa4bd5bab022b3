import { A_PICTURE, createMemoryFiles } from '@colloquy/core/testing'
import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, test, vi } from 'vitest'
import { DEMO_ACCOUNT_ID } from '../../../examples/standalone/src/seed.ts'
import { lookAt } from './look.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

const ASK = 'let me speak with a manager'
const PHONE = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const WIDE = { viewport: { width: 1280, height: 800 } }

// Long: one day, from the sign-in to the last visitor.
test('CO601 and CO10 a live agent works a day on a phone: accepts, notes, replies, sends a file, transfers, returns and ends', async () => {
  const { open, origin, platform, visit } = await startSite({ files: createMemoryFiles() })
  await platform.desk.replies.create(DEMO_ACCOUNT_ID, { code: 'hello', text: 'Good evening, {me} here.' })
  await platform.desk.assignments.set(DEMO_ACCOUNT_ID, 'default', { mode: 'round_robin' })
  const ada = await open(pages, 'ada', WIDE)
  await goTo(ada, '#/desk')
  await ada.getByText('No one is waiting').waitFor()

  const dora = await open(pages, null, PHONE)
  await dora.getByRole('link', { name: 'Sign in' }).waitFor()
  const findings = [...(await lookAt(dora, 'day-sign-in'))]
  await dora.context().addCookies([{ name: 'session', value: 'dora', url: origin }])
  await dora.reload()
  await goTo(dora, '#/desk')
  await dora.getByText('No one is waiting').waitFor()
  findings.push(...(await lookAt(dora, 'day-empty')))

  // The first visitor is offered to Ada, who passes on, then to Dora.
  const first = await visit(ASK)
  await ada.locator('.desk-entry', { hasText: 'For you:' }).click()
  await ada.getByRole('button', { name: 'Pass on' }).waitFor()
  findings.push(...(await lookAt(ada, 'day-pass-on')))
  await ada.getByRole('button', { name: 'Pass on' }).click()
  await dora.locator('.desk-entry', { hasText: 'For you:' }).tap()
  await dora.getByRole('button', { name: 'Pass on' }).waitFor()
  findings.push(...(await lookAt(dora, 'day-offered')))
  await dora.getByRole('button', { name: 'Take', exact: true }).tap()
  /** Reports whether the newest message is in view. */
  const isAtEnd = () =>
    dora.evaluate<boolean>(`
      const { clientHeight, scrollHeight, scrollTop } = document.querySelector('.desk-lines')
      scrollHeight - scrollTop - clientHeight < 2
    `)
  const field = dora.locator('.composer textarea')
  await field.waitFor()

  await field.tap()
  await dora.keyboard.type('/hel')
  await dora.getByRole('listbox', { name: 'Shared replies' }).getByRole('option').first().tap()
  await expect.poll(() => field.inputValue()).toBe('Good evening, Dora here.')
  const send = dora.getByRole('button', { name: 'Send', exact: true })
  await send.tap()
  await vi.waitFor(() => expect(first.current.messages.at(-1)?.text).toBe('Good evening, Dora here.'))
  first.send('Where is my room?')
  await dora.locator('.bubble', { hasText: 'Where is my room?' }).waitFor()

  const [chooser] = await Promise.all([
    dora.waitForEvent('filechooser'),
    dora.getByRole('button', { name: 'Attach a file' }).tap(),
  ])
  await chooser.setFiles([{ name: 'map.png', mimeType: 'image/png', buffer: Buffer.from(A_PICTURE) }])
  await expect.poll(() => dora.locator('.attached [aria-busy="false"]').count()).toBe(1)
  await expect.poll(isAtEnd).toBe(true)
  findings.push(...(await lookAt(dora, 'day-file')))
  await send.tap()
  await vi.waitFor(() => expect(first.current.messages.at(-1)?.files[0]?.name).toBe('map.png'))

  await dora.locator('.desk-notes > summary').tap()
  const notes = dora.getByRole('region', { name: 'Notes' })
  await notes.getByLabel('New note').fill('Room 12 is on the third floor.')
  await notes.getByRole('button', { name: 'Add note' }).tap()
  await notes.locator('.notes-text', { hasText: 'Room 12' }).waitFor()
  await expect.poll(isAtEnd).toBe(true)
  findings.push(...(await lookAt(dora, 'day-note')))
  await dora.locator('.desk-notes > summary').tap()

  await dora.getByRole('button', { name: 'Transfer' }).tap()
  const asked = dora.getByRole('dialog', { name: 'Transfer this visitor' })
  await asked.getByLabel('To').selectOption({ label: 'Ada (0)' })
  await asked.getByLabel('Reason').fill('Wants another room')
  findings.push(...(await lookAt(dora, 'day-transfer')))
  await asked.getByRole('button', { name: 'Transfer' }).tap()
  await dora.getByText('Ada has taken over this visitor.').waitFor()
  await vi.waitFor(() => expect(first.current.servedBy?.name).toBe('Ada'))
  await ada.getByRole('region', { name: 'Your conversations' }).locator('.desk-entry').click()
  await ada.getByText('Dora transferred this visitor: Wants another room').waitFor()

  // The second one goes back to the agent.
  await dora.locator('.desk-back').tap()
  await platform.desk.assignments.remove(DEMO_ACCOUNT_ID, 'default')
  const second = await visit(ASK)
  await dora.getByRole('button', { name: 'Take the next one' }).tap()
  await field.waitFor()
  await dora.getByRole('button', { name: 'Return to agent' }).tap()
  await dora.getByRole('dialog').getByRole('button', { name: 'Return to agent' }).tap()
  await dora.getByText('The agent continues with this visitor.').waitFor()
  await vi.waitFor(() => expect(second.current.servedBy?.kind).toBe('agent'))

  // With the last one it ends.
  await dora.locator('.desk-back').tap()
  const last = await visit(ASK)
  await dora.getByRole('button', { name: 'Take the next one' }).tap()
  await field.fill('Have a good night.')
  await send.tap()
  await vi.waitFor(() => expect(last.current.messages.at(-1)?.text).toBe('Have a good night.'))
  await dora.getByRole('button', { name: 'Leave' }).tap()
  await dora.getByRole('dialog').getByRole('button', { name: 'Leave' }).tap()
  await dora.getByText('This conversation has ended').waitFor()
  findings.push(...(await lookAt(dora, 'day-ended')))
  await dora.locator('.desk-back').tap()
  await dora.getByText('No one is waiting').waitFor()

  expect(await dora.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  const { all } = await platform.desk.figures(DEMO_ACCOUNT_ID, {
    from: Date.now() - 3_600_000,
    to: Date.now() + 1,
  })
  expect(all).toMatchObject({ answered: 3, declined: 1, abandoned: 0 })
  expect(findings).toEqual([])
  // Before the sign-in the API answers 401.
  const complaints = [...dora.complaints, ...ada.complaints].filter(one => !one.includes('401'))
  expect([...complaints, ...dora.elsewhere, ...ada.elsewhere]).toEqual([])
})
