import { mkdirSync } from 'node:fs'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import type { BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { createConcierge, LOGO } from './support/concierge.ts'
import { openChat, openPage, pageOf, say, startSite, tag } from './support/site.ts'

const { profile } = requireBrowser()

/** A folder for pictures of all that is looked at here; without it none are taken. */
const SHOTS = process.env.COLLOQUY_SHOTS

const DESK = { width: 1000, height: 720 }
const PHONE = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: DESK }],
  ['phone', PHONE],
  ['arabic', { viewport: DESK, locale: 'ar-EG' }],
  ['german', { viewport: DESK, locale: 'de-AT' }],
]

const MAIN = '<main><h1>Harbour Hotel</h1><p>Rooms by the sea.</p></main>'

/** Chats that stand still: waiting, without a server, refused. */
const still = (getToken: string): string => `
  colloquy.mountChat(document.body, { server: '{server}', maxAttempts: 0, getToken: () => ${getToken} })
  document.querySelector('colloquy-chat').shadowRoot.querySelector('button').click()
`

const PAGES = {
  '/': pageOf(MAIN + tag(`data-logo="${LOGO}"`)),
  '/consent': pageOf(
    MAIN +
      tag(
        'data-name="asks" data-disclaimer="You are talking to a **virtual agent**." data-consent="Before we begin: we keep this conversation for **30 days**. See [how we handle data](https://hotel.example/privacy)."',
      ),
  ),
  '/prompt': pageOf(
    MAIN + tag('data-name="asked" data-prompt="Looking for a room by the sea? We are here to help."'),
  ),
  '/fullscreen': pageOf(
    MAIN + tag(`data-name="full" data-render-mode="fullscreen" data-auto-open data-logo="${LOGO}"`),
  ),
  '/bare': pageOf(
    MAIN + tag('data-name="bare" data-render-mode="fullscreen" data-auto-open data-show-header="false"'),
  ),
  '/headless': pageOf(MAIN + tag('data-name="headless" data-auto-open data-show-header="false"')),
  '/waiting': pageOf(`${MAIN}<script src="{widget}"></script><script src="/waiting.js"></script>`),
  '/waiting.js': still('new Promise(() => {})'),
  '/lost': pageOf(`${MAIN}<script src="{widget}"></script><script src="/lost.js"></script>`),
  '/lost.js': still("Promise.reject(new Error('away'))"),
  '/refused': pageOf(`${MAIN}<script src="{widget}"></script><script src="/refused.js"></script>`),
  '/refused.js': still("Promise.reject(Object.assign(new Error('Please sign in first.'), { status: 403 }))"),
}

test.each(WAYS)(
  'WI16 and WI14 no state of the chat has a finding of axe, light or dark: %s',
  // Axe looks at every state twice.
  { timeout: 600_000 },
  async (way, options) => {
    const agent = createConcierge()
    const { accountId, platform, url } = await startSite({ runtime: agent.runtime, pages: PAGES })
    const context = await profile(options)
    const page = await openPage(context, url)
    if (SHOTS !== undefined) mkdirSync(SHOTS, { recursive: true })
    const looked: string[] = []
    const findings: string[] = []
    const complaints: string[] = []
    const look = async (state: string, on = page): Promise<void> => {
      looked.push(state)
      for (const colorScheme of ['light', 'dark'] as const) {
        // Nothing moves while it is looked at.
        await on.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        if (SHOTS !== undefined) await on.screenshot({ path: `${SHOTS}/${way}-${state}-${colorScheme}.png` })
        const found = await findingsOf(on)
        findings.push(...found.map(one => `${state}, ${colorScheme}: ${one}`))
      }
    }
    const press = (index: number) => page.locator('.choices .item').nth(index).click()
    const menu = async (): Promise<void> => {
      await page.locator('[aria-controls=menu]').click()
      await page.locator('.choices').waitFor()
    }
    const says = async (text: string, seen: string): Promise<void> => {
      await say(page, text)
      await page.getByText(seen).last().waitFor()
    }

    await look('closed')
    await openChat(page)
    await page.getByText('How can I help').waitFor()
    await look('greeting')
    const [field, send] = await Promise.all(
      ['textarea', 'button.send'].map(part => page.locator(part).boundingBox()),
    )
    expect(send).toMatchObject({ y: field?.y, height: field?.height, width: field?.height })
    await says('May I bring my dog?', 'when you book')
    await look('formatted')
    await says('think about it', 'think about it')
    await page.locator('.dots').waitFor()
    await look('thinking')
    agent.release()
    await page.getByText('I have thought').waitFor()
    await says('card', 'Sea view room')
    await page.locator('.card').first().waitFor()
    await look('card')
    await says('suggest', 'I am flexible')
    await look('suggestions')
    await menu()
    await look('menu')
    await press(3)
    await page.locator('.foot .main').waitFor()
    await look('question')
    await page.locator('.foot .button').last().click()
    await page.locator('textarea').fill('x'.repeat(140_000))
    await page.keyboard.press('Enter')
    await page.locator('.failed').waitFor()
    await page.locator('.scroller').evaluate(scroller => scroller.scrollTo(0, scroller.scrollHeight - 900))
    await look('away')
    await page.locator('.latest button').click()
    await look('failed')
    await page.locator('.failed button').last().click()
    await says('person', 'person')
    await page.locator('.strip.handoff').waitFor()
    await look('queue')
    const [waiting] = await platform.desk.handoffs(accountId, 'waiting')
    const handoffId = waiting?.handoffId ?? ''
    await platform.desk.accept(accountId, handoffId, { id: 'a', name: 'Ada Byron', avatarUrl: '' })
    await page.getByRole('heading', { name: 'Ada Byron' }).waitFor()
    await platform.desk.send(accountId, handoffId, { text: 'Hello, this is Ada. What can I do for you?' })
    await page.getByText('this is Ada').waitFor()
    await platform.desk.typing(accountId, handoffId, 'started')
    await page.locator('.dots').waitFor()
    await look('person')
    await platform.desk.leave(accountId, handoffId)
    await page.locator('.foot .main').waitFor()
    await look('ended')
    await page.locator('.stars button').nth(3).click()
    await page.locator('.comment').waitFor()
    await look('rated')
    await page.locator('.foot .main').click()
    await page.getByText('How can I help').waitFor()
    await menu()
    await press(1)
    await page.locator('.past').waitFor()
    await look('history')
    await page.locator('.past').click()
    await page.getByText('this is Ada').waitFor()
    await look('earlier')
    complaints.push(...page.complaints)
    await page.close()

    for (const name of ['waiting', 'lost', 'refused', 'consent']) {
      const other = await openPage(context, `${url}/${name}`)
      if (name === 'consent') await other.locator('.launcher').click()
      await other.locator(name === 'consent' ? '.consent' : '.panel').waitFor()
      if (name !== 'waiting' && name !== 'consent') await other.locator('.strip').waitFor()
      await look(name, other)
      if (name === 'consent') {
        await other.locator('.foot .main').click()
        await other.getByText('How can I help').waitFor()
        await look('disclaimer', other)
      }
      complaints.push(...other.complaints)
      await other.close()
    }
    for (const name of ['prompt', 'fullscreen', 'bare', 'headless']) {
      const other = await openPage(context, `${url}/${name}`)
      if (name === 'prompt') await other.locator('.prompt button').first().waitFor()
      else await say(other, 'May I bring my dog?').then(() => other.getByText('when you book').waitFor())
      await look(name, other)
      complaints.push(...other.complaints)
      await other.close()
    }
    expect(findings).toEqual([])
    // The page that is refused a token is told in its own console.
    expect(complaints).toEqual(['[colloquy] Please sign in first.'])
    expect(looked).toHaveLength(25)
  },
)
