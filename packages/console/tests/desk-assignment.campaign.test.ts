import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, test } from 'vitest'
import { lookAt } from './look.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

const ASK = 'let me speak with a manager'
const WIDE = { viewport: { width: 1280, height: 800 } }

test('CO601 an operator assigns a queue; each visitor is offered in turn, with the time left, and taken by another after a question', async () => {
  const { open, visit } = await startSite()
  const dora = await open(pages, 'dora', WIDE)
  const ada = await open(pages, 'ada', WIDE)
  await goTo(ada, '#/settings/assignment')
  await ada.getByText('Every queue is for anyone').waitFor()
  const findings = [...(await lookAt(ada, 'settings-assignment-none'))]
  await ada.getByRole('button', { name: 'Assign a queue' }).click()
  const form = ada.getByRole('dialog')
  await form.getByLabel('Queue').fill('default')
  findings.push(...(await lookAt(ada, 'settings-assignment-form')))
  await form.getByRole('button', { name: 'Save' }).click()
  await ada.getByText('Each in turn').waitFor()
  await ada.getByRole('button', { name: 'Change the assignment of default' }).click()
  await form.getByLabel('Skills').fill('en, vip, en')
  await form.getByRole('button', { name: 'Save' }).click()
  await ada.getByText('vip').waitFor()
  findings.push(...(await lookAt(ada, 'settings-assignment')))
  await ada.getByRole('button', { name: 'Change the assignment of default' }).click()
  await form.getByLabel('Skills').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await ada.getByText('any', { exact: true }).waitFor()

  for (const page of [dora, ada]) await goTo(page, '#/desk')
  await dora.getByRole('region', { name: 'Colleagues' }).getByText('Ada').waitFor()
  await visit(ASK)
  await visit(ASK)
  // Ada has the smaller id, and is first.
  for (const page of [ada, dora]) await page.locator('.desk-entry').nth(1).waitFor()
  await ada.locator('.desk-entry', { hasText: 'For you:' }).waitFor()
  await dora.locator('.desk-entry', { hasText: 'For Ada:' }).waitFor()
  await ada.locator('.desk-entry', { hasText: 'For Dora:' }).waitFor()
  findings.push(...(await lookAt(dora, 'desk-offered')))
  await dora.locator('.desk-entry', { hasText: 'For Ada:' }).click()
  await dora.getByRole('button', { name: 'Take', exact: true }).click()
  const asked = dora.getByRole('dialog', { name: 'Take this visitor, who is offered to Ada?' })
  await asked.waitFor()
  findings.push(...(await lookAt(dora, 'desk-offered-take')))
  await asked.getByRole('button', { name: 'Take' }).click()
  await dora.locator('.composer textarea').waitFor()
  await ada.getByText('with Dora').waitFor()
  await dora.getByRole('button', { name: 'Take the next one' }).click()
  await expect
    .poll(() => dora.getByRole('region', { name: 'Your conversations' }).locator('li').count())
    .toBe(2)
  await dora.setViewportSize({ width: 390, height: 844 })
  await goTo(dora, '#/desk')
  await visit(ASK)
  await dora.locator('.desk-entry', { hasText: 'For Ada:' }).waitFor()
  findings.push(...(await lookAt(dora, 'desk-offered-phone')))
  expect(findings).toEqual([])
  expect([...dora.complaints, ...ada.complaints]).toEqual([])
})

test('CO16 DK604 who has as many conversations as their host allows reads so, and is asked by their skills', async () => {
  const { open, visit } = await startSite()
  const tess = await open(pages, 'tess', WIDE)
  const ada = await open(pages, 'ada', WIDE)
  for (const page of [tess, ada]) await goTo(page, '#/desk')
  await visit(ASK)
  await visit(ASK)
  await tess.locator('.desk-entry').nth(1).waitFor()
  await tess.getByRole('button', { name: 'Take the next one' }).click()
  await tess.locator('.composer textarea').waitFor()
  await tess.getByRole('button', { name: 'Take the next one' }).click()
  await tess.getByText('only so many conversations at once').waitFor()
  const findings = [...(await lookAt(tess, 'desk-full'))]
  await ada.getByRole('button', { name: 'Take the next one' }).click()
  await ada.locator('.composer textarea').waitFor()

  await tess.getByRole('button', { name: 'Leave' }).click()
  await tess.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await tess.getByText('This conversation has ended').waitFor()
  await goTo(ada, '#/settings/assignment')
  await ada.getByRole('button', { name: 'Assign a queue' }).click()
  await ada.getByRole('dialog').getByLabel('Queue').fill('default')
  await ada.getByRole('dialog').getByLabel('Skills').fill('de')
  await ada.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await ada.getByText('Each in turn').waitFor()
  await visit(ASK)
  await tess.locator('.desk-entry', { hasText: 'For you:' }).waitFor()
  expect(findings).toEqual([])
})
