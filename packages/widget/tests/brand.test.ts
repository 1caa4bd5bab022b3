import { TEST_BRAND } from '@colloquy/test-support/brand'
import { requireBrowser } from '@colloquy/test-support/browser'
import { expect, test } from 'vitest'
import { createConcierge } from './support/concierge.ts'
import { inFrame, startFramedSite } from './support/framed.ts'
import { openChat, openPage, pageOf, say, startSite, tag } from './support/site.ts'

const { profile } = requireBrowser()

const BRANDED = tag(`data-brand="${TEST_BRAND.events}"`)

test('the chat of a tag talks in the words of the host’s brand, up to a person', async () => {
  const { runtime } = createConcierge()
  const site = await startSite({ runtime, pages: { '/': pageOf(BRANDED) } })
  const page = await openPage(await profile(), site.url)
  await openChat(page)
  await page.getByText('Welcome to the Harbour Hotel.').waitFor()
  await say(page, 'one')
  await page.getByText('You said one.').waitFor()
  await say(page, 'person')
  await page.getByText('Your place in the queue: 1').waitFor()
  expect(page.complaints).toEqual([])
})

test('so does a chat in a frame', async () => {
  const { runtime } = createConcierge()
  const site = await startFramedSite({ runtime }, { '/': pageOf(BRANDED) })
  const page = await (await profile()).newPage()
  await page.goto(site.url)
  await page.getByRole('button', { name: 'Chat' }).click()
  await inFrame(page).getByText('Welcome to the Harbour Hotel.').waitFor()
  await inFrame(page).locator('textarea').fill('one')
  await inFrame(page).locator('textarea').press('Enter')
  await inFrame(page).getByText('You said one.').waitFor()
})
