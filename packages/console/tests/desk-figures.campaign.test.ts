import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, test } from 'vitest'
import { lookAt } from './look.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

const ASK = 'let me speak with a manager'
const WIDE = { viewport: { width: 1280, height: 800 } }

test('CO603 an operator reads the figures of the desk, by queue and by live agent; others have no way there', async () => {
  const { open, visit } = await startSite()
  const ada = await open(pages, 'ada', WIDE)
  const dora = await open(pages, 'dora', WIDE)
  await goTo(ada, '#/desk/figures')
  await ada.getByText('No visitor waited in this period').waitFor()
  const findings = [...(await lookAt(ada, 'desk-figures-none'))]
  await goTo(dora, '#/desk')
  await dora.getByText('No one is waiting').waitFor()
  expect(await dora.getByRole('link', { name: 'Figures' }).count()).toBe(0)

  for (let at = 0; at < 2; at++) {
    await visit(ASK)
    await dora.getByRole('button', { name: 'Take the next one' }).click()
    await dora.locator('.composer textarea').waitFor()
  }
  await dora.getByRole('button', { name: 'Leave' }).click()
  await dora.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await dora.getByText('This conversation has ended').waitFor()
  const third = await visit(ASK)
  await dora.getByRole('button', { name: 'Take the next one' }).waitFor()
  await third.end()
  await dora.getByText('No one is waiting').waitFor()

  await goTo(ada, '#/desk')
  await ada.locator('.tabs').getByRole('link', { name: 'Figures' }).click()
  const people = ada.getByRole('table', { name: 'Live agents' })
  const row = people.getByRole('row', { name: 'Dora' })
  await row.waitFor()
  expect(await row.getByRole('cell').allTextContents()).toMatchObject({
    0: 'Dora',
    1: '2',
    2: '100%',
    5: '1',
    7: '0',
  })
  const queue = ada.getByRole('table', { name: 'Queues' }).getByRole('row', { name: 'default' })
  expect(await queue.getByRole('cell').allTextContents()).toMatchObject({ 1: '2', 5: '1', 6: '0', 7: '1' })
  findings.push(...(await lookAt(ada, 'desk-figures')))
  await ada.getByLabel('Period').selectOption('Last 24 hours')
  await expect.poll(() => ada.locator('.desk-plot g').count()).toBe(24)
  findings.push(...(await lookAt(ada, 'desk-figures-day')))
  await ada.setViewportSize({ width: 390, height: 844 })
  findings.push(...(await lookAt(ada, 'desk-figures-phone')))
  expect(findings).toEqual([])
  expect([...dora.complaints, ...ada.complaints]).toEqual([])
})
