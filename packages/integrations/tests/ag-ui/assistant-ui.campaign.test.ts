import { requireBrowser } from '@colloquy/test-support/browser'
import { bundleScript } from '@colloquy/test-support/page-host'
import { expect, test } from 'vitest'
import { openServer } from './support.ts'

const { open, profile } = requireBrowser()

const source = `
  import { createRoot } from 'react-dom/client'
  import { Page } from './assistant.tsx'
  createRoot(document.querySelector('main')).render(<Page threadId="a-thread" />)`
const script = await bundleScript({ source, folder: new URL('pages/', import.meta.url) })

/** A page with a thread on it; what it shows is read as a visitor would, turn by turn. */
async function openThread() {
  const server = await openServer({ page: script })
  const page = await open(await profile(), server.origin)
  return {
    ...server,
    page,
    async say(text: string): Promise<void> {
      await page.getByLabel('Message').fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
    },
    shown: (): Promise<readonly string[]> => page.locator('.visitor, .agent').allInnerTexts(),
  }
}

test('a page of assistant-ui holds a conversation, over a restart too, with nothing doubled', async () => {
  const { errors, page, restart, runtime, say, shown } = await openThread()
  await say('When is breakfast?')
  await page.getByText('From 7 to 10.').waitFor()
  restart()
  await say('And tea?')
  await page.getByText('You said: And tea?').waitFor()
  const all = (await shown()).join('\n')
  for (const text of ['Welcome!', 'When is breakfast?', 'From 7 to 10.', 'You said: And tea?'])
    expect(all.split(text).length, `${text} in ${all}`).toBe(2)
  expect(runtime.turns.map(({ input: { type } }) => type)).toEqual(['greeting', 'message', 'message'])
  expect(page.complaints).toEqual([])
  expect(errors).toEqual([])
})

test('a page of assistant-ui shows that a run failed, and goes on', async () => {
  const { page, say } = await openThread()
  await say('broken')
  await page.getByRole('alert').getByText("I'm having trouble responding").waitFor()
  await say('When is breakfast?')
  await page.getByText('From 7 to 10.').waitFor()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
})
