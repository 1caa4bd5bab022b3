import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, test } from 'vitest'
import { lookAt } from './look.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()

const ASK = 'let me speak with a manager'

test('CO600 DK600 a live agent sets themselves away and back; colleagues see it at once, and a reload keeps it', async () => {
  const { open, visit } = await startSite()
  const wide = { viewport: { width: 1280, height: 800 } }
  const dora = await open(pages, 'dora', wide)
  const ada = await open(pages, 'ada', wide)
  for (const page of [dora, ada]) await goTo(page, '#/desk')
  await visit(ASK)
  await dora.locator('.desk-entry').first().waitFor()
  await dora.keyboard.press('F2')
  await dora.locator('.composer textarea').waitFor()
  const colleagues = ada.getByRole('region', { name: 'Colleagues' })
  await colleagues.getByText('Dora').waitFor()
  await dora.getByRole('button', { name: 'Set away' }).click()
  await dora.getByText('You are away.').waitFor()
  await colleagues.getByText('Away').waitFor()
  await colleagues.getByText('Conversations: 1').waitFor()
  const findings = [...(await lookAt(dora, 'desk-away')), ...(await lookAt(ada, 'desk-colleagues'))]
  await dora.reload()
  await dora.getByText('You are away.').waitFor()
  await dora.setViewportSize({ width: 390, height: 844 })
  await goTo(dora, '#/desk')
  await dora.getByText('You are away.').waitFor()
  findings.push(...(await lookAt(dora, 'desk-away-phone')))
  await dora.getByRole('button', { name: 'I am back' }).click()
  await expect.poll(() => colleagues.getByText('Away').count()).toBe(0)
  await dora.getByRole('button', { name: 'Set away' }).waitFor()
  expect(findings).toEqual([])
  expect([...dora.complaints, ...ada.complaints]).toEqual([])
})
