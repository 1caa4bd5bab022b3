import { requireBrowser } from '@colloquy/test-support/browser'
import type { Locator, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { lookAt } from './look.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()
const ASK = 'let me speak with a manager'

test('CO16 of two live agents one takes the visitor, both see it at once, and the two talk', async () => {
  const { open, visit } = await startSite()
  const wide = { viewport: { width: 1280, height: 800 } }
  const dora = await open(pages, 'dora', wide)
  const ada = await open(pages, 'ada', wide)
  const findings: string[] = []
  for (const page of [dora, ada]) await goTo(page, '#/desk')
  await dora.getByText('No one is waiting').waitFor()
  findings.push(...(await lookAt(dora, 'desk-empty')))

  const visitor = await visit(ASK)
  await visit(ASK)
  for (const page of [dora, ada]) await page.locator('.desk-entry').nth(1).waitFor()
  await dora.locator('.desk-entry').first().click()
  await dora.locator('.bubble', { hasText: ASK }).waitFor()
  findings.push(...(await lookAt(dora, 'desk-waiting')))

  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').waitFor()
  await ada.getByText('with Dora').waitFor()
  await expect.poll(() => ada.getByRole('region', { name: 'Waiting' }).locator('.desk-entry').count()).toBe(1)

  await dora.keyboard.press('F8')
  await dora.getByLabel('New reply').fill('Good evening!')
  await dora.getByRole('button', { name: 'Add', exact: true }).click()
  findings.push(...(await lookAt(dora, 'desk-replies')))
  await dora.locator('.desk-reply').click()
  await dora.locator('.composer textarea').waitFor()
  await vi.waitFor(async () => {
    expect(await dora.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA')
  })
  await dora.keyboard.type(' How can I help?')
  await dora.keyboard.press('Enter')
  await vi.waitFor(() => {
    expect(visitor.current.messages.map(({ text }) => text)).toContain('Good evening! How can I help?')
  })
  visitor.send('My key card is lost.')
  await dora.locator('.bubble', { hasText: 'My key card is lost.' }).waitFor()
  await expect.poll(() => dora.locator('.bubble.own', { hasText: 'Good evening!' }).count()).toBe(1)
  findings.push(...(await lookAt(dora, 'desk-talk')))

  await dora.keyboard.press('F9')
  await dora.locator('dialog').getByRole('button', { name: 'Leave' }).click()
  await dora.getByText('This conversation has ended').waitFor()
  await expect.poll(() => ada.getByText('with Dora').count()).toBe(0)
  expect(findings).toEqual([])
  expect([...dora.complaints, ...dora.elsewhere, ...ada.complaints, ...ada.elsewhere]).toEqual([])
})

test('CO601 DK611 a live agent takes a visitor over from another, and both see it', async () => {
  const { open, visit } = await startSite()
  const wide = { viewport: { width: 1280, height: 800 } }
  const dora = await open(pages, 'dora', wide)
  const ada = await open(pages, 'ada', wide)
  for (const page of [dora, ada]) await goTo(page, '#/desk')
  const visitor = await visit(ASK)
  await dora.locator('.desk-entry').first().waitFor()
  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').waitFor()
  await ada.getByText('with Dora').click()
  await ada.getByRole('button', { name: 'Take over' }).click()
  const asked = ada.getByRole('dialog', { name: 'Take this visitor over from Dora?' })
  await asked.waitFor()
  const findings = await lookAt(ada, 'desk-take-over')
  await asked.getByRole('button', { name: 'Take over' }).click()
  await ada.locator('.composer textarea').fill('Ada here.')
  await ada.keyboard.press('Enter')
  await dora.getByText('Ada has taken over this visitor.').waitFor()
  await expect.poll(() => dora.locator('.composer').count()).toBe(0)
  await vi.waitFor(() => {
    expect(visitor.current.servedBy?.name).toBe('Ada')
    expect(visitor.current.messages.at(-1)?.text).toBe('Ada here.')
  })
  expect(findings).toEqual([])
})

test('CO601 and DK41 a live agent returns a visitor to the agent, who goes on in the same session', async () => {
  const { open, visit } = await startSite()
  const wide = { viewport: { width: 1280, height: 800 } }
  const dora = await open(pages, 'dora', wide)
  const ada = await open(pages, 'ada', wide)
  for (const page of [dora, ada]) await goTo(page, '#/desk')
  const visitor = await visit(ASK)
  await dora.locator('.desk-entry').first().waitFor()
  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').fill('You have room 12.')
  await dora.keyboard.press('Enter')
  await ada.getByText('with Dora').waitFor()
  await dora.getByRole('button', { name: 'Return to agent' }).click()
  const asked = dora.getByRole('dialog', { name: 'Return this visitor to the agent?' })
  await asked.waitFor()
  const findings = [...(await lookAt(dora, 'desk-return'))]
  await asked.getByRole('button', { name: 'Return to agent' }).click()
  await dora.getByText('The agent continues with this visitor.').waitFor()
  await expect.poll(() => dora.locator('.composer').count()).toBe(0)
  await expect.poll(() => ada.getByText('with Dora').count()).toBe(0)
  findings.push(...(await lookAt(dora, 'desk-returned')))
  await vi.waitFor(() => expect(visitor.current.servedBy?.kind).toBe('agent'))
  const said = visitor.current.messages.length
  visitor.send('Thank you')
  await vi.waitFor(() => {
    expect(visitor.current.status).toBe('open')
    expect(visitor.current.messages.length).toBeGreaterThan(said + 1)
  })
  await goTo(ada, '#/conversations')
  await ada.locator('tbody a').first().click()
  await ada.getByText('Returned to the agent').waitFor()
  findings.push(...(await lookAt(ada, 'conversation-returned')))
  expect(findings).toEqual([])
  expect([...dora.complaints, ...dora.elsewhere, ...ada.complaints, ...ada.elsewhere]).toEqual([])
})

test('CO601 and DK41 a live agent transfers a visitor to a colleague, then into a queue, with a reason', async () => {
  const { open, visit } = await startSite()
  const wide = { viewport: { width: 1280, height: 800 } }
  const dora = await open(pages, 'dora', wide)
  await goTo(dora, '#/desk')
  const visitor = await visit(ASK)
  await dora.locator('.desk-entry').first().waitFor()
  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').fill('My colleague knows more.')
  await dora.keyboard.press('Enter')
  const openDialog = () => dora.getByRole('button', { name: 'Transfer' }).click()
  await openDialog()
  await dora.getByText('No one else is at the desk now.').waitFor()
  await dora.getByRole('button', { name: 'Cancel' }).click()

  const ada = await open(pages, 'ada', wide)
  await goTo(ada, '#/desk')
  await ada.getByText('with Dora').waitFor()
  await openDialog()
  const asked = dora.getByRole('dialog', { name: 'Transfer this visitor' })
  await asked.getByLabel('To').selectOption({ label: 'Ada (0)' })
  await asked.getByLabel('Reason').fill('Speaks Dutch')
  const findings = [...(await lookAt(dora, 'desk-transfer'))]
  await asked.getByRole('button', { name: 'Transfer' }).click()
  await dora.getByText('Ada has taken over this visitor.').waitFor()
  await ada.getByRole('link', { name: 'Desk' }).getByText('1', { exact: true }).waitFor()
  await ada.getByRole('region', { name: 'Your conversations' }).locator('.desk-entry').click()
  await ada.getByText('Dora transferred this visitor: Speaks Dutch').waitFor()
  await ada.locator('.bubble', { hasText: 'My colleague knows more.' }).waitFor()
  findings.push(...(await lookAt(ada, 'desk-transferred')))
  await vi.waitFor(() => expect(visitor.current.servedBy?.name).toBe('Ada'))
  await ada.locator('.composer textarea').fill('Ada here.')
  await ada.keyboard.press('Enter')
  await vi.waitFor(() => expect(visitor.current.messages.at(-1)?.text).toBe('Ada here.'))

  await ada.getByRole('button', { name: 'Transfer' }).click()
  const again = ada.getByRole('dialog', { name: 'Transfer this visitor' })
  await again.getByLabel('To').selectOption({ label: 'Queue default' })
  await again.getByRole('button', { name: 'Transfer' }).click()
  await ada.getByText('The visitor waits for another live agent.').waitFor()
  await vi.waitFor(() => expect(visitor.current.handoff?.state).toBe('queued'))
  const waiting = dora.getByRole('region', { name: 'Waiting' })
  await waiting.locator('.desk-entry').click()
  await dora.getByText('Ada transferred this visitor').waitFor()
  findings.push(...(await lookAt(dora, 'desk-transferred-queue')))
  await dora.getByRole('button', { name: 'Take', exact: true }).click()
  await vi.waitFor(() => expect(visitor.current.servedBy?.name).toBe('Dora'))
  expect(JSON.stringify(visitor.current)).not.toContain('Speaks Dutch')
  expect(findings).toEqual([])
  expect([...dora.complaints, ...dora.elsewhere, ...ada.complaints, ...ada.elsewhere]).toEqual([])
})

test('CO564 DK549 colleagues note something for each other beside a conversation, and the visitor never sees it', async () => {
  const { open, visit } = await startSite()
  const wide = { viewport: { width: 1440, height: 900 } }
  const [dora, ada] = [await open(pages, 'dora', wide), await open(pages, 'ada', wide)]
  for (const page of [dora, ada]) await goTo(page, '#/desk')
  const visitor = await visit(ASK)
  await dora.locator('.desk-entry').first().waitFor()
  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').waitFor()
  await ada.getByText('with Dora').click()
  const notesOf = (page: Page) => page.getByRole('region', { name: 'Notes' })
  await notesOf(ada).getByText('No notes yet.').waitFor()
  const findings: string[] = []
  await notesOf(dora).getByLabel('New note').fill('Called twice already.')
  await notesOf(dora).getByRole('button', { name: 'Add note' }).click()
  for (const page of [dora, ada]) await notesOf(page).getByText('Called twice already.').waitFor()
  await notesOf(ada).getByLabel('New note').fill('Offer an upgrade.')
  await notesOf(ada).getByRole('button', { name: 'Add note' }).click()
  await notesOf(dora).getByText('Offer an upgrade.').waitFor()
  expect(await notesOf(dora).locator('.notes-text').allTextContents()).toEqual([
    'Called twice already.',
    'Offer an upgrade.',
  ])
  expect(await notesOf(dora).getByLabel('New note').inputValue()).toBe('')
  expect(await notesOf(ada).getByRole('button', { name: 'Edit your note' }).count()).toBe(1)
  await notesOf(ada).getByRole('button', { name: 'Edit your note' }).click()
  await notesOf(ada).getByLabel('Edit your note').and(ada.locator('textarea')).fill('Offer two upgrades.')
  findings.push(...(await lookAt(ada, 'desk-notes-edit')))
  await notesOf(ada).getByRole('button', { name: 'Save note' }).click()
  await notesOf(dora).getByText('Offer two upgrades.').waitFor()
  await notesOf(dora).getByText('edited').waitFor()
  await notesOf(ada).getByRole('button', { name: 'Edit your note' }).click()
  await notesOf(ada).getByRole('button', { name: 'Delete note' }).click()
  await notesOf(dora).getByText('Offer two upgrades.').waitFor({ state: 'detached' })
  await notesOf(ada).getByLabel('New note').fill('Offer an upgrade.')
  await notesOf(ada).getByRole('button', { name: 'Add note' }).click()
  await notesOf(dora).getByText('Offer an upgrade.').waitFor()
  await notesOf(dora).getByRole('heading', { name: 'Notes 2' }).waitFor()
  findings.push(...(await lookAt(dora, 'desk-notes')))
  await dora.setViewportSize({ width: 390, height: 844 })
  await dora.locator('.desk-notes > summary', { hasText: 'Notes 2' }).click()
  findings.push(...(await lookAt(dora, 'desk-notes-phone')))
  await dora.setViewportSize(wide.viewport)

  await dora.keyboard.press('F9')
  await dora.locator('dialog').getByRole('button', { name: 'Leave' }).click()
  await dora.getByText('This conversation has ended').waitFor()
  await notesOf(dora).getByLabel('New note').fill('Will call back on Monday.')
  await notesOf(dora).getByRole('button', { name: 'Add note' }).click()
  await notesOf(dora).getByText('Will call back on Monday.').waitFor()

  await goTo(ada, '#/conversations')
  await ada.locator('tbody a').first().click()
  await notesOf(ada).getByText('Will call back on Monday.').waitFor()
  await notesOf(ada).getByLabel('New note').fill('Done.')
  await notesOf(ada).getByRole('button', { name: 'Add note' }).click()
  await notesOf(ada).locator('.notes-text', { hasText: 'Done.' }).waitFor()
  expect(await notesOf(ada).locator('.notes-text').count()).toBe(4)
  findings.push(...(await lookAt(ada, 'conversation-notes')))
  expect(JSON.stringify(visitor.current)).not.toMatch(/Called twice|upgrade|Monday/)
  expect(findings).toEqual([])
  expect([...dora.complaints, ...dora.elsewhere, ...ada.complaints, ...ada.elsewhere]).toEqual([])
})

test('CO564 DK640 beside a conversation stands who the visitor is; on a phone a button shows it', async () => {
  const { open, platform, visit } = await startSite()
  const wide = { viewport: { width: 1440, height: 900 } }
  const [dora, ada] = [await open(pages, 'dora', wide), await open(pages, 'ada', wide)]
  const session = {
    visitor: { id: 'u-7', name: 'Jane Doe', language: 'en-GB' },
    integrationAttributes: { tier: 'Gold', booking: { nights: 3 } },
    page: { url: 'https://hotel.example/rooms/sea-view?token=secret', title: 'Rooms with a sea view' },
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
  }
  const before = await visit('Hello', undefined, session)
  await before.rate(4, 'Quick')
  for (const page of [dora, ada]) await goTo(page, '#/desk')
  const visitor = await visit(ASK, undefined, session)
  const waiting = dora.getByRole('region', { name: 'Waiting' })
  await waiting.locator('.desk-last', { hasText: ASK }).waitFor()
  visitor.send('Is anybody there?')
  await waiting.locator('.desk-last', { hasText: 'Is anybody there?' }).waitFor()
  await dora.reload()
  await waiting.locator('.desk-last', { hasText: 'Is anybody there?' }).waitFor()
  const findings = [...(await lookAt(dora, 'desk-last-line'))]
  await dora.locator('.desk-entry').first().click()
  const who = (page: Page) => page.getByRole('region', { name: 'Visitor', exact: true })
  const shown = [
    ...['Jane Doe', 'Rooms with a sea view', 'https://hotel.example/rooms/sea-view', 'British English'],
    ...['Safari · iOS · phone', 'Gold', 'nights: 3', '4 of 5'],
  ]
  for (const text of shown) await who(dora).getByText(text, { exact: true }).waitFor()
  expect(await who(dora).textContent()).not.toContain('secret')
  // She may not read records, and so gets no link.
  expect(await who(dora).locator('a').count()).toBe(0)
  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').waitFor()
  findings.push(...(await lookAt(dora, 'desk-who')))

  await dora.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => who(dora).count()).toBe(0)
  await dora.getByRole('button', { name: 'Visitor', exact: true }).click()
  const sheet = dora.getByRole('dialog', { name: 'About the visitor' })
  for (const text of shown) await sheet.getByText(text, { exact: true }).waitFor()
  findings.push(...(await lookAt(dora, 'desk-who-phone')))
  await sheet.getByRole('button', { name: 'Close' }).click()
  findings.push(...(await lookAt(dora, 'desk-who-phone-closed')))

  await ada.getByText('with Dora').click()
  await who(ada).locator('a').click()
  await ada.getByRole('heading', { name: 'Jane Doe' }).waitFor()
  expect(await ada.evaluate('location.hash')).toMatch(/^#\/conversations\//)
  expect(findings).toEqual([])
  expect(platform.settings.visitorDetails).toBe(true)
  expect([...dora.complaints, ...dora.elsewhere, ...ada.complaints, ...ada.elsewhere]).toEqual([])
})

test('CO651 CO651 a summary stands above the conversation, a failure is tried again, and a suggestion is edited first', async () => {
  const asked: { resolve(text: string): void; reject(error: Error): void }[] = []
  const wanted: ((replies: readonly string[]) => void)[] = []
  const { open, visit } = await startSite({
    deskAssistant: {
      summarize: () => new Promise((resolve, reject) => asked.push({ resolve, reject })),
      suggest: () => new Promise(resolve => wanted.push(resolve)),
    },
  })
  const wide = { viewport: { width: 1440, height: 900 } }
  const [dora, ada] = [await open(pages, 'dora', wide), await open(pages, 'ada', wide)]
  for (const page of [dora, ada]) await goTo(page, '#/desk')
  const visitor = await visit(ASK)
  await dora.locator('.desk-entry').first().click()
  await dora.getByText('The conversation is being summarized …').waitFor()
  const findings = [...(await lookAt(dora, 'desk-summary-pending'))]
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  asked[0]?.reject(new Error('secret key refused'))
  await dora.getByText('The model could not summarize this.').waitFor()
  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').waitFor()
  findings.push(...(await lookAt(dora, 'desk-summary-failed')))
  await dora.getByRole('button', { name: 'Try again' }).click()
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  asked[1]?.resolve('Wants to speak with a manager. Nothing was tried yet. Open: what it is about.')
  await ada.getByText('with Dora').click()
  for (const page of [dora, ada]) {
    await page.locator('.desk-summary', { hasText: 'Wants to speak with a manager.' }).waitFor()
    await page.locator('.desk-summary').getByText('Made by a model').waitFor()
  }

  await dora.locator('.composer textarea').focus()
  await dora.keyboard.press('Shift+F8')
  await dora.getByText('Looking for replies …').waitFor()
  await vi.waitFor(() => expect(wanted).toHaveLength(1))
  wanted[0]?.(['Good evening, what is it about?', 'I am fetching the manager.', 'One moment, please.'])
  const suggested = dora.getByRole('region', { name: 'Suggested replies' })
  await suggested.getByText('I am fetching the manager.').waitFor()
  findings.push(...(await lookAt(dora, 'desk-suggestions')))
  await dora.setViewportSize({ width: 390, height: 844 })
  findings.push(...(await lookAt(dora, 'desk-suggestions-phone')))
  await dora.setViewportSize(wide.viewport)
  const before = visitor.current.messages.length
  await dora.keyboard.press('Shift+Tab')
  await dora.keyboard.press('Shift+Tab')
  await dora.keyboard.press('Enter')
  const message = dora.locator('.composer textarea')
  await expect.poll(() => message.inputValue()).toBe('I am fetching the manager.')
  expect(await suggested.count()).toBe(0)
  expect(visitor.current.messages).toHaveLength(before)
  await dora.keyboard.type(' Stay here.')
  await dora.keyboard.press('Enter')
  await vi.waitFor(() => {
    expect(visitor.current.messages.at(-1)?.text).toBe('I am fetching the manager. Stay here.')
  })

  // What comes after the live agent has gone on is not shown.
  await dora.getByRole('button', { name: 'Suggest replies' }).click()
  await vi.waitFor(() => expect(wanted).toHaveLength(2))
  await message.fill('Here he is.')
  await dora.keyboard.press('Enter')
  await dora.getByText('Looking for replies …').waitFor({ state: 'detached' })
  wanted[1]?.(['Too late'])
  await dora.locator('.bubble.own', { hasText: 'Here he is.' }).waitFor()
  expect(await dora.getByText('Too late').count()).toBe(0)
  expect(JSON.stringify(visitor.current)).not.toMatch(/Nothing was tried|One moment, please/)
  expect(findings).toEqual([])
  expect([...dora.complaints, ...dora.elsewhere, ...ada.complaints, ...ada.elsewhere]).toEqual([])
})

test('CO565 DK553 a shared reply is written in the settings, and found at the desk with a slash and the keyboard', async () => {
  const { open, visit } = await startSite()
  const wide = { viewport: { width: 1440, height: 900 } }
  const [ada, dora] = [await open(pages, 'ada', wide), await open(pages, 'dora', wide)]
  await goTo(ada, '#/settings/replies')
  const findings: string[] = []
  const add = async (code: string, text: string) => {
    await ada.getByRole('button', { name: 'New reply' }).click()
    await ada.getByLabel('Code').fill(code)
    await ada.getByLabel('Text').fill(text)
    await ada.getByRole('button', { name: 'Create' }).click()
  }
  await add('Hello', 'Good evening, {me} here from {agent}.')
  await ada.getByText('/Hello', { exact: true }).waitFor()
  await add('hours', 'We are open until ten.')
  await ada.getByText('/hours', { exact: true }).waitFor()
  await add('HELLO', 'Twice')
  await ada.getByText('This name or id is taken.').waitFor()
  await ada.getByRole('button', { name: 'Cancel' }).click()
  findings.push(...(await lookAt(ada, 'settings-replies')))

  await goTo(dora, '#/desk')
  const visitor = await visit(ASK)
  await dora.locator('.desk-entry').first().waitFor()
  await dora.keyboard.press('F2')
  const message = dora.locator('.composer textarea')
  await message.waitFor()
  await message.focus()
  await dora.keyboard.type('/h')
  const list = dora.getByRole('listbox', { name: 'Shared replies' })
  await expect.poll(() => list.getByRole('option').count()).toBe(2)
  findings.push(...(await lookAt(dora, 'desk-slash')))
  await dora.keyboard.press('ArrowDown')
  expect(await list.getByRole('option', { selected: true }).textContent()).toContain('/hours')
  await dora.keyboard.press('Escape')
  await expect.poll(() => list.count()).toBe(0)
  await message.fill('')
  await dora.keyboard.type('/HEL')
  await expect.poll(() => list.getByRole('option').count()).toBe(1)
  await dora.keyboard.press('Enter')
  await expect.poll(() => message.inputValue()).toMatch(/^Good evening, Dora here from .+\.$/)
  expect(visitor.current.messages.map(({ text }) => text).join()).not.toContain('Good evening')
  await dora.keyboard.type(' How can I help?')
  await dora.keyboard.press('Enter')
  await vi.waitFor(() => {
    expect(visitor.current.messages.at(-1)?.text).toMatch(
      /^Good evening, Dora here from .+ How can I help\?$/,
    )
  })

  await ada.getByRole('button', { name: 'Change /hours' }).click()
  await ada.getByLabel('Text').fill('We are open until {when}.')
  await ada.getByRole('button', { name: 'Save' }).click()
  await ada.getByText('Something that was entered is not allowed.').waitFor()
  await ada.getByRole('button', { name: 'Cancel' }).click()
  await ada.getByRole('button', { name: 'Delete /hours?' }).click()
  await ada.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => ada.getByText('/hours', { exact: true }).count()).toBe(0)
  expect(findings).toEqual([])
  expect([...dora.complaints, ...dora.elsewhere]).toEqual([])
})

test('CO603 DK559 hours are set in the settings, and a closed queue takes nobody and is told at the desk', async () => {
  const { open, visit } = await startSite()
  const wide = { viewport: { width: 1440, height: 900 } }
  const [ada, dora] = [await open(pages, 'ada', wide), await open(pages, 'dora', wide)]
  await goTo(ada, '#/settings/hours')
  await ada.getByText('No queue has hours yet').waitFor()
  await ada.getByRole('button', { name: 'New hours' }).click()
  await ada.getByLabel('Queue').fill('default')
  await ada.getByLabel('Time zone').fill('Europe/Berlin')
  const save = ada.getByRole('button', { name: 'Save' })
  await ada.getByLabel('Monday').fill('nine to five')
  await ada.getByText('Write times as 09:00-17:00').waitFor()
  expect(await save.isDisabled()).toBe(true)
  await ada.getByLabel('Monday').fill('')
  const findings = [...(await lookAt(ada, 'settings-hours'))]
  await save.click()
  await ada.getByText('closed', { exact: true }).waitFor()

  await goTo(dora, '#/desk')
  await dora.getByText('Queue default: closed').waitFor()
  findings.push(...(await lookAt(dora, 'desk-closed')))
  const visitor = await visit(ASK)
  await vi.waitFor(() => expect(visitor.current.handoff?.state).toBe('failed'))
  expect(await dora.locator('.desk-entry').count()).toBe(0)

  await ada.getByRole('button', { name: 'Change the hours of default' }).click()
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
    await ada.getByLabel(day).fill('0-24')
  await ada.getByLabel('Holidays').fill('2020-12-25')
  await save.click()
  await ada.getByText('open', { exact: true }).waitFor()
  findings.push(...(await lookAt(ada, 'settings-hours-list')))
  await visit(ASK)
  await dora.locator('.desk-entry').first().waitFor()
  await ada.getByRole('button', { name: 'Remove the hours of default?' }).click()
  await ada.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await ada.getByText('No queue has hours yet').waitFor()
  expect(findings).toEqual([])
  expect([...dora.complaints, ...dora.elsewhere, ...ada.complaints, ...ada.elsewhere]).toEqual([])
})

test('CO16 a page that is loaded again has the conversation, and nothing is doubled', async () => {
  const { open, visit } = await startSite()
  const page = await open(pages, 'dora')
  await goTo(page, '#/desk')
  const visitor = await visit(ASK)
  await page.getByRole('button', { name: 'Take the next one' }).click()
  await page.locator('.composer textarea').waitFor()
  visitor.send('First.')
  await page.locator('.bubble', { hasText: 'First.' }).waitFor()
  await page.reload()
  await page.locator('.bubble', { hasText: 'First.' }).waitFor()
  visitor.send('Second.')
  await page.locator('.bubble', { hasText: 'Second.' }).waitFor()
  await expect.poll(() => page.locator('.bubble', { hasText: 'First.' }).count()).toBe(1)
  await expect.poll(() => page.locator('.bubble', { hasText: 'Second.' }).count()).toBe(1)
})

test('CO16 and CO10 on a phone the queue and the conversation have the screen in turn, with all to write with', async () => {
  const { open, visit } = await startSite()
  const page = await open(pages, 'dora', {
    ...{ viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    locale: 'de-AT',
  })
  await goTo(page, '#/desk')
  await visit(ASK)
  await page.locator('.desk-entry').first().waitFor()
  const findings = [...(await lookAt(page, 'desk-phone-queue'))]
  await page.getByRole('button', { name: 'Nächsten annehmen' }).tap()
  await page.locator('.composer textarea').waitFor()
  await expect.poll(() => page.locator('.desk-queue').first().isVisible()).toBe(false)
  findings.push(...(await lookAt(page, 'desk-phone-talk')))
  // All of it is in the window, above each other, and nothing has to be scrolled to.
  const height = page.viewportSize()?.height ?? 0
  let above = 0
  for (const part of [
    '.desk-back',
    '.desk-head',
    '.desk-lines',
    '.composer textarea',
    '.composer .button.main',
  ]) {
    const box = await page.locator(part).boundingBox()
    if (box === null) throw new Error(`${part} is not there.`)
    expect(box.y, part).toBeGreaterThanOrEqual(part === '.desk-head' ? 0 : above)
    expect(box.y + box.height, part).toBeLessThanOrEqual(height)
    above = part === '.desk-back' ? 0 : box.y
  }
  expect((await page.locator('.desk-lines').boundingBox())?.height).toBeGreaterThan(height / 2)
  expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true)
  await page.locator('.desk-back').tap()
  await page.locator('.desk-entry').first().waitFor()
  expect(findings).toEqual([])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO16 in windows of many sizes the desk fits, and the field to write in is in sight', async () => {
  const { open, visit } = await startSite()
  // An operator has tabs above the lists, and whoever is away a note: nobody has less room.
  const page = await open(pages, 'ada', { locale: 'de-AT' })
  await goTo(page, '#/desk')
  const chat = await visit(ASK)
  await page.getByRole('button', { name: 'Nächsten annehmen' }).click()
  await page.locator('.composer textarea').waitFor()
  await page.getByRole('button', { name: 'Abwesend melden' }).click()
  await page.getByRole('button', { name: 'Ich bin zurück' }).waitFor()
  for (let at = 0; at < 8; at++) chat.send(`Frage ${at}, die länger ist als eine Zeile. `.repeat(5))
  await page.locator('.bubble', { hasText: 'Frage 7' }).waitFor()
  const wrong: string[] = []
  for (const [width, height] of [
    [1440, 900],
    [1280, 800],
    [1024, 768],
    [1024, 600],
    [800, 600],
    [390, 760],
    // A phone with its keyboard.
    [390, 420],
  ] as const) {
    await page.setViewportSize({ width, height })
    const size = `${width} x ${height}`
    if (!(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')))
      wrong.push(`${size}: higher than its window`)
    for (const part of ['.desk-head', '.composer textarea', '.composer .button.main']) {
      const box = await page.locator(part).boundingBox()
      if (box === null || box.y < 0 || box.y + box.height > height || box.x + box.width > width)
        wrong.push(`${size}: ${part} is out of sight`)
    }
    const lines = await page.locator('.desk-lines').boundingBox()
    if (lines === null || lines.height < 64) wrong.push(`${size}: no room for what was said`)
  }
  expect(wrong).toEqual([])
})

test('CO16 a desk whose network is cut says so, and nothing is lost or doubled when it is back', async () => {
  const { open, visit, cut } = await startSite()
  const page = await open(pages, 'dora', { viewport: { width: 1280, height: 800 } })
  await goTo(page, '#/desk')
  const visitor = await visit(ASK)
  await page.getByRole('button', { name: 'Take the next one' }).click()
  await page.locator('.composer textarea').waitFor()
  const lost = page.getByText('Connection lost.')
  const say = async (text: string): Promise<void> => {
    await page.locator('.composer textarea').fill(text)
    await page.keyboard.press('Enter')
  }
  const heard = (text: string): number =>
    visitor.current.messages.filter(message => message.text === text).length

  // The browser has no network.
  await page.context().setOffline(true)
  await lost.waitFor()
  visitor.send('Are you there?')
  await say('Yes, I am.')
  await page.getByText('Not sent.').waitFor()
  const findings = [...(await lookAt(page, 'desk-lost'))]
  await expect.poll(() => page.locator('.bubble', { hasText: 'Are you there?' }).count()).toBe(0)
  await page.context().setOffline(false)
  await lost.waitFor({ state: 'detached' })
  await page.locator('.bubble', { hasText: 'Are you there?' }).waitFor()
  await page.getByRole('button', { name: 'Send again' }).click()
  await vi.waitFor(() => expect(heard('Yes, I am.')).toBe(1))
  await page.getByText('Not sent.').waitFor({ state: 'detached' })

  // The server, or what is before it, cuts every connection, again and again.
  for (const round of ['one', 'two', 'three']) {
    cut()
    visitor.send(`Round ${round}.`)
    await page.locator('.bubble', { hasText: `Round ${round}.` }).waitFor()
    await say(`Answer ${round}.`)
    await vi.waitFor(() => expect(heard(`Answer ${round}.`)).toBe(1))
  }
  await lost.waitFor({ state: 'detached' })
  const lines = await page.locator('.bubble').allTextContents()
  for (const text of ['Are you there?', 'Yes, I am.', 'Round two.', 'Answer three.'])
    expect(
      lines.filter(line => line.includes(text)),
      text,
    ).toHaveLength(1)
  expect(findings).toEqual([])
  const others = page.complaints.filter(text => !text.startsWith('Failed to load resource: net::ERR_'))
  expect([others, page.elsewhere]).toEqual([[], []])
})

test('what a live agent says reaches their other tab, and a colleague who reads along', async () => {
  const { open, visit } = await startSite()
  await visit(ASK)
  const dora = await open(pages, 'dora')
  await goTo(dora, '#/desk')
  const nav = dora.getByRole('link', { name: 'Desk' })
  await nav.getByText('1', { exact: true }).waitFor()
  await dora.locator('.desk-entry').click()
  await dora.getByRole('button', { name: 'Take', exact: true }).click()
  await dora.locator('.composer textarea').waitFor()
  await expect.poll(() => dora.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA')
  const other = await dora.context().newPage()
  await other.goto(dora.url())
  await other.locator('.composer textarea').waitFor()
  const ada = await open(pages, 'ada')
  await goTo(ada, '#/desk')
  await ada.locator('.desk-entry').click()
  await ada.getByText('with Dora').first().waitFor()
  await dora.keyboard.type('Good evening!')
  await dora.keyboard.press('Enter')
  for (const page of [other, ada]) await page.locator('.bubble.own', { hasText: 'Good evening!' }).waitFor()
  await expect.poll(() => dora.locator('.bubble.own', { hasText: 'Good evening!' }).count()).toBe(1)
  await other.locator('.composer textarea').fill('Begun here')
  await other.reload()
  await expect.poll(() => other.locator('.composer textarea').inputValue()).toBe('Begun here')
  expect([...dora.complaints, ...ada.complaints]).toEqual([])
})

test('DK544 that a visitor types ends when they go, and that they are gone is seen, after a reload too', async () => {
  const { open, visit } = await startSite()
  const page = await open(pages, 'dora', { viewport: { width: 1280, height: 800 } })
  await goTo(page, '#/desk')
  const visitor = await visit(ASK)
  await page.getByRole('button', { name: 'Take the next one' }).click()
  await page.locator('.composer textarea').fill('Good evening!')
  await expect.poll(() => visitor.current.typing).toBe(true)
  visitor.typing()
  await page.getByText('The visitor is typing').waitFor()
  await expect.poll(() => page.getByText('Not connected').count()).toBe(0)
  visitor.destroy()
  await page.getByText('The visitor is typing').waitFor({ state: 'detached' })
  const talk = page.locator('.desk-talk')
  await talk.getByText('Not connected').waitFor()
  await page.locator('.desk-entry').getByText('Not connected').waitFor()
  expect(await lookAt(page, 'desk-away')).toEqual([])
  await page.reload()
  await talk.getByText('Not connected').waitFor()
})

test('who goes on writing is told of again every 5 s, and once when they stop', async () => {
  const { open, visit } = await startSite()
  const page = await open(pages, 'dora')
  await page.clock.install()
  await goTo(page, '#/desk')
  await visit(ASK)
  await page.getByRole('button', { name: 'Take the next one' }).click()
  const told: unknown[] = []
  page.on('request', request => {
    if (request.url().endsWith('/typing')) told.push(request.postDataJSON().state)
  })
  const field = page.locator('.composer textarea')
  await field.waitFor()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  for (const text of ['G', 'Go', 'Goo']) {
    await field.fill(text)
    await page.clock.runFor(3_000)
  }
  await expect.poll(() => told).toEqual(['started', 'started'])
  await page.clock.runFor(1_000)
  await expect.poll(() => told).toEqual(['started', 'started', 'stopped'])
})

test('a word that is composed is not sent by its Enter, and its Escape closes no dialog', async () => {
  const { open, visit } = await startSite()
  const page = await open(pages, 'dora')
  await goTo(page, '#/desk')
  const visitor = await visit(ASK)
  await page.getByRole('button', { name: 'Take the next one' }).click()
  const field = page.locator('.composer textarea')
  await field.fill('にほん')
  /** Whether the page leaves the key to the browser. */
  const press = async (place: Locator, key: string, composing: object): Promise<unknown> => {
    // A dialog is in the page a moment before it is shown, and takes no focus until then.
    await place.waitFor()
    await place.focus()
    const event = JSON.stringify({ key, bubbles: true, cancelable: true, ...composing })
    return page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', ${event}))`)
  }
  for (const composing of [{ isComposing: true }, { keyCode: 229 }])
    expect(await press(field, 'Enter', composing)).toBe(true)
  expect([await field.inputValue(), await page.locator('.bubble.own').count()]).toEqual(['にほん', 0])
  expect(await press(field, 'Enter', { keyCode: 13 })).toBe(false)
  await vi.waitFor(() => expect(visitor.current.messages.at(-1)?.text).toBe('にほん'))
  await page.keyboard.press('F8')
  const reply = page.getByLabel('New reply')
  // What is not left to the browser closes no dialog.
  expect(await press(reply, 'Escape', { keyCode: 229 })).toBe(false)
  expect(await press(reply, 'Escape', { keyCode: 27 })).toBe(true)
  await reply.press('Escape')
  await reply.waitFor({ state: 'detached' })
})

test('CO251 what was begun to be said to each visitor is there after others, a reload, and what was sent is not', async () => {
  const { open, visit } = await startSite()
  const page = await open(pages, 'dora')
  await goTo(page, '#/desk')
  for (const _ of [1, 2]) await visit(ASK)
  await page.locator('.desk-entry').nth(1).waitFor()
  const field = page.locator('.composer textarea')
  await page.keyboard.press('F2')
  await field.fill('For the first')
  await page.keyboard.press('F2')
  await expect.poll(() => field.inputValue()).toBe('')
  await field.fill('For the second')
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => field.inputValue()).toBe('For the first')
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe('For the first')
  await field.press('Enter')
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => field.inputValue()).toBe('For the second')
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe('For the second')
  await page.keyboard.press('Alt+ArrowUp')
  await page.locator('.bubble.own', { hasText: 'For the first' }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
})

test('CO16 who waits is counted before the title, and the system says so where somebody asked for it', async () => {
  const { open, visit } = await startSite()
  const page = await open(pages, 'ada', { permissions: ['notifications'] })
  // A browser without a screen shows no notice: what it was given is written down.
  await page.addInitScript({
    content: `globalThis.shown = []
      globalThis.Notification = class extends Notification {
        constructor(text, options) {
          super(text, options)
          shown.push([text, options])
        }
      }`,
  })
  await page.reload()
  const notices = (): Promise<unknown> => page.evaluate('shown')
  const hide = (state: string): Promise<unknown> =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }).title`,
    )
  await goTo(page, '#/desk')
  const choice = page.getByLabel('Notifications')
  await choice.waitFor()
  expect(await choice.isChecked()).toBe(false)
  await expect.poll(() => page.title()).toBe('Desk · Console')
  await hide('hidden')
  await visit(ASK)
  await expect.poll(() => page.title()).toBe('(1) Desk · Console')
  expect(await notices()).toEqual([])
  await choice.check()
  await expect.poll(() => choice.isChecked()).toBe(true)
  await visit(ASK)
  await expect.poll(notices).toEqual([['Visitors waiting at the desk: 2', { tag: 'colloquy-desk' }]])
  await hide('visible')
  await goTo(page, '#/conversations')
  await expect.poll(() => page.title()).toBe('(2) Conversations · Console')
  await visit(ASK)
  await expect.poll(() => page.title()).toBe('(3) Conversations · Console')
  expect(await notices()).toHaveLength(1)
})

test('CO16 a browser that allows no notification says so, and the choice stays off', async () => {
  const { open } = await startSite()
  const page = await open(pages, 'dora')
  await goTo(page, '#/desk')
  const choice = page.getByLabel('Notifications')
  await choice.click()
  await page.getByText('does not allow this page to notify you').waitFor()
  expect(await choice.isChecked()).toBe(false)
  expect(await lookAt(page, 'desk-no-notices')).toEqual([])
})
