import { mkdirSync, readFileSync } from 'node:fs'
import { aConversation, anEvent, START } from '@colloquy/core/testing'
import { findingsOf } from '@colloquy/test-support/axe'
import { requireBrowser } from '@colloquy/test-support/browser'
import { createToyEmbedder } from '@colloquy/test-support/semantic-search/toy-embedder'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { takeDeposit } from '../../../examples/standalone/src/demo/take-deposit.ts'
import { DEMO_ACCOUNT_ID, DEMO_AGENT_ID } from '../../../examples/standalone/src/seed.ts'
import { goTo, startSite } from './site.ts'

const pages = requireBrowser()
const SHOTS = process.env.COLLOQUY_SHOTS

const ASK = 'let me speak with a manager'

const WAYS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desk', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }],
  ['german', { viewport: { width: 1280, height: 800 }, locale: 'de-AT' }],
]

/** What axe finds in both themes; with a picture of each where pictures are taken. */
async function lookAt(page: Page, name: string): Promise<readonly string[]> {
  const findings: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (SHOTS !== undefined) {
      mkdirSync(SHOTS, { recursive: true })
      await page.screenshot({ path: `${SHOTS}/console-${name}-${colorScheme}.png`, fullPage: true })
    }
    const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    if (fits !== true) findings.push(`${name}: wider than its window`)
    findings.push(...(await findingsOf(page)).map(one => `${name}, ${colorScheme}: ${one}`))
  }
  return findings
}

test('CO36 what was spoken is marked, with its latencies, and so is the part of a reply that the visitor did not hear', async () => {
  const { open, platform, visit } = await startSite()
  const visitor = await visit('When is breakfast?')
  const { id, text } = visitor.current.messages.at(-1) ?? { id: '', text: '' }
  const heard = text.slice(0, text.indexOf(' ', 10))
  const query = new URL(visitor.socketAddress('/ws') ?? '').searchParams
  const [sessionId, accessToken] = [query.get('session_id'), query.get('access_token')]
  const handshake = await platform.messaging.handshake({ sessionId, accessToken, cursor: null })
  if ('status' in handshake) throw new Error(handshake.message)
  const call = handshake.openCall({ send: () => {}, close: () => {}, drained: async () => {} })
  onTestFinished(() => call.closed())
  const say = (words: string, custom: Readonly<Record<string, string>>): void => {
    const payload = { text: words }
    const metadata = { custom: { voice: 'call', ...custom } }
    call.receive(JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload, metadata }))
  }
  const [payload, later] = [{ text: 'Thank you, that is enough' }, { text: 'Good bye' }]
  const voice_heard = `${id}:${heard.length}`
  say(payload.text, { client_event_id: 'spoken', voice_heard, voice_latency: '500 40' })
  const answers = async (count: number): Promise<void> =>
    vi.waitFor(() =>
      expect(visitor.current.messages.filter(({ from }) => from === 'agent')).toHaveLength(count),
    )
  await answers(3)
  const page = await open(pages, 'ben', { viewport: { width: 1280, height: 800 } })
  await goTo(page, '#/conversations')
  await page.locator('tbody a').click()
  const log = page.getByRole('log')
  const turnOf = (words: string) => log.getByRole('listitem').filter({ hasText: words })
  await turnOf(payload.text).getByText('Spoken', { exact: true }).waitFor()
  const cut = turnOf('When is breakfast?')
  await cut.getByText('The visitor interrupted').waitFor()
  expect(await cut.locator('.unheard').innerText()).toBe(text.slice(heard.length))
  expect(await cut.getByText('Spoken', { exact: true }).count()).toBe(0)
  const plot = turnOf(payload.text).locator('.work', { hasText: 'Until the first sound' })
  await plot.getByText('540 ms').waitFor()
  // What the next message says of it comes while one watches.
  say(later.text, { client_event_id: 'later', voice_latency: '480 35', voice_reply: 'spoken 300 60' })
  await plot.getByText('900 ms').waitFor()
  await plot.locator('summary').click()
  expect(await plot.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/End of speech recognised\s+500 ms/),
    expect.stringMatching(/Words recognised\s+40 ms/),
    expect.stringMatching(/First sentence written\s+300 ms/),
    expect.stringMatching(/First sound\s+60 ms/),
  ])
  expect(await lookAt(page, 'spoken')).toEqual([])
})

test.each(WAYS)(
  'CO36 what the agent did at each turn, and what a live agent said, comes while one watches: %s',
  async (way, options) => {
    const { open, platform, visit } = await startSite({ functions: { take_deposit: takeDeposit } })
    const visitor = await visit('I want to pay the deposit')
    const page = await open(pages, 'ben', options)
    await goTo(page, '#/conversations')
    await page.locator('tbody a').click()
    const log = page.getByRole('log')
    const deposit = log.getByRole('listitem').filter({ hasText: 'I want to pay the deposit' })
    const work = deposit.locator('.work summary')
    await work.getByText('take_deposit', { exact: true }).waitFor()
    expect(await deposit.locator('.calls li').isVisible()).toBe(false)
    await work.click()
    await deposit.locator('.calls li').waitFor()
    await deposit.getByText(/ ms/).first().waitFor()
    const name = (await deposit.locator('dd .badge').first().textContent()) ?? ''
    expect(name).not.toBe('')
    expect((await deposit.locator('.calls li').textContent()) ?? '').toMatch(/\d ms/)

    // From here on nobody asks for anything: what is said comes by itself, for who has read to the end.
    await deposit.locator('.small').last().scrollIntoViewIfNeeded()
    visitor.send(ASK)
    await log.getByText(ASK).waitFor()
    const waiting = await vi.waitFor(async () => {
      const [first] = await platform.desk.handoffs(DEMO_ACCOUNT_ID, 'waiting')
      if (first === undefined) throw new Error('No one is waiting.')
      return first.handoffId
    })
    const agent = { id: 'dora', name: 'Dora', avatarUrl: '' }
    await platform.desk.accept(DEMO_ACCOUNT_ID, waiting, agent)
    await platform.desk.send(DEMO_ACCOUNT_ID, waiting, { text: 'Good evening, this is Dora.' })
    await log.getByText('Good evening, this is Dora.').waitFor()
    visitor.send('Thank you, Dora')
    await log.getByText('Thank you, Dora').waitFor()
    await vi.waitFor(async () => {
      const box = await log.getByText('Thank you, Dora').boundingBox()
      const height = page.viewportSize()?.height ?? 0
      expect(box === null ? Number.NaN : box.y + box.height).toBeLessThanOrEqual(height)
    })
    expect(await lookAt(page, `${way}-transcript`)).toEqual([])
    await platform.desk.leave(DEMO_ACCOUNT_ID, waiting)
    await log.locator('.step').nth(3).waitFor()
    await expect.poll(() => page.locator('.head .badge').count()).toBe(0)
    // Nothing is there twice.
    for (const text of ['I want to pay the deposit', ASK, 'Thank you, Dora'])
      expect(await log.getByText(text).count(), text).toBe(1)
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test.each(WAYS)(
  'CO36 who looks at running conversations sees them come and end: %s',
  async (way, options) => {
    const { open, visit, connect } = await startSite()
    const token = await connect()
    const first = await visit('When is breakfast?', token)
    await visit('Is there a pool?', token)
    const page = await open(pages, 'ben', options)
    await goTo(page, '#/conversations?state=running')
    const said = page.locator('tbody .clipped')
    await said.nth(1).waitFor()
    await expect.poll(() => said.allTextContents()).toEqual(['Is there a pool?', 'When is breakfast?'])
    await visit('May I bring my dog?', token)
    await expect.poll(() => said.first().textContent()).toBe('May I bring my dog?')

    // Somebody is at the list: nothing moves under them.
    await page.locator('tbody a').nth(1).focus()
    await visit('Where do I park?', token)
    const fresh = page.getByRole('status').getByRole('button')
    await fresh.waitFor()
    await expect.poll(() => said.count()).toBe(3)
    first.end()
    const last = page.locator('tbody tr').last()
    await last.locator('.badge.over').waitFor()
    await expect.poll(() => last.locator('.badge.good').count()).toBe(0)
    await expect
      .poll(() => said.allTextContents())
      .toEqual([...['May I bring my dog?', 'Is there a pool?', 'When is breakfast?']])
    expect(await lookAt(page, `${way}-live`)).toEqual([])
    await fresh.click()
    await expect.poll(() => said.first().textContent()).toBe('Where do I park?')
    await expect.poll(() => said.count()).toBe(4)
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test('CO36 pages do not shift, and a search without a time searches everything', async () => {
  const { open, platform } = await startSite()
  const add = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at++) {
      const conversationId = `C-${String(at).padStart(3, '0')}`
      const startedAt = Date.UTC(2026, 0, 1) + at * 60_000
      const known = { accountId: DEMO_ACCOUNT_ID, agentId: DEMO_AGENT_ID, environment: 'live' } as const
      await platform.conversations.start({ ...known, conversationId, startedAt, channel: 'phone' })
      await platform.conversations.recordTurn({
        ...{ agentId: DEMO_AGENT_ID, conversationId, turnId: `T-${at}`, userInput: `Question ${at}` },
        ...{ userInputAt: startedAt, agentResponse: 'Yes.', agentResponseAt: startedAt + 900 },
      })
    }
  }
  await add(0, 70)
  const page = await open(pages, 'ben')
  await goTo(page, '#/conversations')
  const said = page.locator('tbody .clipped')
  await said.nth(49).waitFor()
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await add(70, 73)
  await page.getByRole('button', { name: 'Show 3 new' }).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await said.nth(69).waitFor()
  const expected = Array.from({ length: 70 }, (_, at) => `Question ${69 - at}`)
  await expect.poll(() => said.allTextContents()).toEqual(expected)
  await page.getByRole('button', { name: 'Show 3 new' }).click()
  await said.nth(72).waitFor()
  expect((await said.allTextContents()).slice(0, 4)).toEqual([72, 71, 70, 69].map(at => `Question ${at}`))
  await page.getByLabel('Search transcripts').fill('question 7')
  await expect.poll(() => said.allTextContents()).toEqual(['Question 7'])
  expect(page.url()).toContain('find=question')
  // More than a page is found, newest first.
  await page.getByLabel('Search transcripts').fill('question')
  await said.nth(1).waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect
    .poll(() => said.allTextContents())
    .toEqual(Array.from({ length: 73 }, (_, at) => `Question ${72 - at}`))
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

/** Records a conversation of a channel of the host's, of one turn. */
const record = async ({ platform }: Awaited<ReturnType<typeof startSite>>, id: string, said: string) => {
  const known = { accountId: DEMO_ACCOUNT_ID, agentId: DEMO_AGENT_ID, environment: 'live' } as const
  await platform.conversations.start({ ...known, conversationId: id, channel: 'phone' })
  await platform.conversations.recordTurn({
    ...{ agentId: DEMO_AGENT_ID, conversationId: id, turnId: id, userInput: said },
    ...{ userInputAt: Date.now(), agentResponse: 'Yes.' },
  })
}

test.each(WAYS)(
  'CO625 the list is exported with its filters, and stopped on the way: %s',
  async (way, options) => {
    const site = await startSite()
    for (const [at, said] of ['=HYPERLINK("x")', 'plain, with comma', 'third'].entries())
      await record(site, `C-${at}`, said)
    await site.visit('somebody who is still there')
    const page = await site.open(pages, 'ben', options)
    const isGerman = way === 'german'
    await goTo(page, '#/conversations?state=running')
    await page.locator('tbody .clipped').nth(3).waitFor()
    await page.locator('.head').getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').waitFor()
    expect(await lookAt(page, `${way}-export`)).toEqual([])
    // Requests stand still while somebody looks at the bar.
    let goOn = (): void => {}
    const held = new Promise<void>(resolve => {
      goOn = resolve
    })
    await page.route('**/conversations?*limit=200*', async route => {
      await held
      await route.continue().catch(() => undefined)
    })
    const name = (en: string, de: string) => ({ name: isGerman ? de : en, exact: true })
    await dialog.getByRole('button', name('Export', 'Exportieren')).click()
    await dialog.getByRole('progressbar').waitFor()
    expect(await lookAt(page, `${way}-export-runs`)).toEqual([])
    await dialog.getByRole('button', name('Stop', 'Anhalten')).click()
    const on = dialog.getByRole('button', name('Export', 'Exportieren'))
    await on.waitFor()
    goOn()
    const [file] = await Promise.all([page.waitForEvent('download'), on.click()])
    expect(file.suggestedFilename()).toMatch(/^conversations-\d{4}-\d\d-\d\d\.csv$/)
    const text = readFileSync(await file.path(), 'utf8')
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatch(/^\uFEFFid,project_id,started_at,/)
    expect(text).toContain(`"'=HYPERLINK(""x"")"`)
    expect(text).toContain('"plain, with comma"')
    await dialog.getByText(isGerman ? 'Exportierte Gespräche: 4' : 'Conversations exported: 4').waitFor()
    expect(await lookAt(page, `${way}-export-done`)).toEqual([])
    await dialog.getByRole('button', name('Close', 'Schließen')).click()

    // A search, and another format.
    await goTo(page, '#/conversations?find=comma')
    await expect.poll(() => page.locator('tbody .clipped').allTextContents()).toEqual(['plain, with comma'])
    await page.locator('.head').getByRole('button').click()
    await dialog.getByRole('combobox').selectOption('jsonl')
    const [found] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', name('Export', 'Exportieren')).click(),
    ])
    const one = readFileSync(await found.path(), 'utf8')
      .trimEnd()
      .split('\n')
    expect(one.map(line => JSON.parse(line).first_words)).toEqual(['plain, with comma'])
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test.each(WAYS)('CO626 an operator exports and erases all data of a visitor: %s', async (way, options) => {
  const { open, platform, store } = await startSite()
  const { conversations } = store
  for (const [id, finishedAt] of [
    ['C-1', START + 60_000],
    ['C-2', START + 7_200_000],
    ['C-3', null],
  ] as const)
    await conversations.create(
      aConversation(id, {
        ...{ accountId: DEMO_ACCOUNT_ID, agentId: DEMO_AGENT_ID, index: { finishedAt } },
        state: { visitor: { id: 'vera-7', name: 'Vera' }, endedAt: finishedAt },
        events: [anEvent({ payload: { text: `Said in ${id}` } })],
      }),
    )
  const isGerman = way === 'german'
  const page = await open(pages, 'ada', options)
  // From one of the visitor's conversations.
  await goTo(page, `#/conversations/${DEMO_AGENT_ID}/C-1`)
  await page.getByRole('link', { name: isGerman ? /Alle Daten/ : /All data/ }).click()
  const section = page.locator('section[aria-labelledby=visitor-data]')
  await section.locator('.card').waitFor()
  expect(page.url()).toContain('visitor=vera-7')
  expect((await section.locator('dd').allTextContents()).slice(0, 2)).toEqual(['3', '1'])
  await section.scrollIntoViewIfNeeded()
  const findings = [...(await lookAt(page, `visitor-${way}`))]
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    section.getByRole('button', { name: isGerman ? 'Exportieren' : 'Export' }).click(),
  ])
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\n')
  const said = lines.map(line => JSON.parse(line)).filter(({ type }) => type === 'message')
  expect(said.map(({ text }) => text)).toEqual(['Said in C-3', 'Said in C-2', 'Said in C-1'])

  const erase = isGerman ? 'Alles löschen' : 'Erase everything'
  await section.getByRole('button', { name: erase }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(isGerman ? /Laufende Gespräche bleiben: 1/ : /in progress stay: 1/).waitFor()
  findings.push(...(await lookAt(page, `visitor-erase-${way}`)))
  await dialog.getByRole('button', { name: erase }).click()
  await section
    .getByText(isGerman ? 'Entfernte Gespräche: 2.' : 'Conversations that were removed: 2.')
    .waitFor()
  await expect.poll(() => section.locator('dd').first().textContent()).toBe('1')
  expect([await conversations.load('C-1'), await conversations.load('C-2')]).toEqual([null, null])
  const { entries } = await platform.audit.list({ action: 'visitor.purge_ended' })
  expect(entries).toMatchObject([{ actor: { id: 'u-ada' }, details: { removed: 2 } }])

  // By a number, of which nothing is known.
  await section.getByRole('combobox').selectOption('phone')
  await section.getByRole('textbox').fill('+12025550111')
  await section.getByRole('button', { name: isGerman ? 'Suchen' : 'Find' }).click()
  await section.getByText(isGerman ? /ist nichts gespeichert/ : /Nothing is stored/).waitFor()
  expect(page.url()).not.toContain('visitor=')
  expect(findings).toEqual([])
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test.each(WAYS)(
  'CO625 filters are saved under a name that all share, and lead back: %s',
  async (way, options) => {
    const site = await startSite()
    for (const said of ['a room with a view', 'a garage']) await record(site, `C-${said.at(-1)}`, said)
    const isGerman = way === 'german'
    const page = await site.open(pages, 'ben', options)
    const said = page.locator('tbody .clipped')
    const views = page.getByRole('navigation', { name: isGerman ? 'Gespeicherte Ansichten' : 'Saved views' })
    const save = views.getByRole('button', { name: isGerman ? 'Ansicht speichern' : 'Save view' })
    await goTo(page, `#/conversations/${DEMO_AGENT_ID}?find=garage&state=running`)
    await expect.poll(() => said.allTextContents()).toEqual(['a garage'])
    await save.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Garages')
    const findings = [...(await lookAt(page, `${way}-view-save`))]
    await dialog.getByRole('button', { name: isGerman ? 'Speichern' : 'Save', exact: true }).click()
    const link = views.getByRole('link', { name: 'Garages' })
    await link.waitFor()
    await expect.poll(() => link.getAttribute('aria-current')).toBe('page')

    await goTo(page, '#/conversations?find=room')
    await expect.poll(() => said.allTextContents()).toEqual(['a room with a view'])
    await expect.poll(() => link.getAttribute('aria-current')).toBe(null)
    findings.push(...(await lookAt(page, `${way}-views`)))
    // Somebody else has the view too, and finds what it says.
    const other = await site.open(pages, 'ada', options)
    await goTo(other, '#/conversations')
    await other.getByRole('link', { name: 'Garages' }).click()
    await expect.poll(() => other.locator('tbody .clipped').allTextContents()).toEqual(['a garage'])
    expect(other.url()).toContain(`conversations/${DEMO_AGENT_ID}?`)
    await link.click()
    await expect.poll(() => said.allTextContents()).toEqual(['a garage'])
    await expect.poll(() => page.locator('input[type=search]').first().inputValue()).toBe('garage')

    await views.getByRole('button').click()
    await dialog.getByRole('button', { name: isGerman ? 'Löschen' : 'Delete', exact: true }).click()
    await expect.poll(() => link.count()).toBe(0)
    expect(await site.platform.conversations.views.list(DEMO_ACCOUNT_ID)).toEqual([])
    expect(findings).toEqual([])
    expect([page.complaints, page.elsewhere, other.complaints]).toEqual([[], [], []])
  },
)

test.each(WAYS)(
  'CO628 conversations are listed and found across agents, and narrowed: %s',
  async (way, options) => {
    const site = await startSite()
    const { platform } = site
    const isGerman = way === 'german'
    const account = { accountId: DEMO_ACCOUNT_ID, environment: 'live' } as const
    const { id: other } = await platform.agents.create({
      ...{ accountId: DEMO_ACCOUNT_ID, name: 'Night desk', greeting: 'Hello' },
    })
    await platform.agents.publish(other, { environment: 'live' })
    const agentIds = [DEMO_AGENT_ID, other]
    for (let at = 0; at < 70; at++) {
      const of = { agentId: agentIds[at % 2] ?? '', conversationId: `C-${at}` }
      const startedAt = Date.UTC(2026, 0, 1) + at * 60_000
      const channel = at % 10 === 0 ? 'kiosk' : 'phone'
      await platform.conversations.start({ ...account, ...of, startedAt, channel })
      await platform.conversations.recordTurn({
        ...{ ...of, turnId: 'T-1', userInput: `Frage ${at} zum Café`, userInputAt: startedAt },
        ...{ agentResponse: 'Yes.', agentResponseAt: startedAt + 900 },
      })
      const finishedAt = startedAt + (at % 7 === 0 ? 400_000 : 60_000)
      await platform.conversations.finish({
        ...of,
        finishedAt,
        metrics: { visitor_rating: `${(at % 5) + 1}` },
      })
    }
    const page = await site.open(pages, 'ben', options)
    await goTo(page, '#/conversations')
    const said = page.locator('tbody .clipped')
    const agent = page.getByRole('combobox', { name: 'Agent' })
    await agent.selectOption({ label: isGerman ? 'Alle Agenten' : 'All agents' })
    await said.nth(49).waitFor()
    expect(page.url()).toContain('agents=all')
    await page.getByRole('button', { name: isGerman ? 'Mehr anzeigen' : 'Show more' }).click()
    await said.nth(69).waitFor()
    const all = Array.from({ length: 70 }, (_, at) => `Frage ${69 - at} zum Café`)
    expect(await said.allTextContents()).toEqual(all)
    const row = page.locator('tbody tr').first()
    await row.getByText('Night desk').waitFor()
    expect(await row.locator('a').getAttribute('href')).toBe(`#/conversations/${other}/C-69`)

    await goTo(page, '#/conversations?agents=all&find=cafe+frage')
    await said.first().locator('mark').nth(1).waitFor()
    expect(await said.first().locator('mark').allTextContents()).toEqual(['Frage', 'Café'])
    const findings = [...(await lookAt(page, `${way}-across`))]
    await goTo(page, '#/conversations?agents=all&find=cafe&channel=KIOSK&rating=1&longer=5')
    await expect.poll(() => said.allTextContents()).toEqual(['Frage 0 zum Café'])
    await goTo(page, '#/conversations?agents=all&channel=kiosk')
    const kiosk = [60, 50, 40, 30, 20, 10, 0].map(at => `Frage ${at} zum Café`)
    await expect.poll(() => said.allTextContents()).toEqual(kiosk)
    await page.locator('.unfold button').click()
    const duration = page.getByRole('combobox', { name: isGerman ? 'Dauer' : 'Duration' })
    await duration.selectOption('5')
    await expect.poll(() => said.allTextContents()).toEqual(['Frage 0 zum Café'])
    findings.push(...(await lookAt(page, `${way}-narrowed`)))
    expect(findings).toEqual([])
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)

test('conversations are found by their meaning, also those that have none of the words', async () => {
  const site = await startSite({ embedder: createToyEmbedder().embedder })
  await record(site, 'C-dog', 'may my puppy come')
  await record(site, 'C-car', 'is there a garage')
  const page = await site.open(pages, 'ben')
  await goTo(page, '#/conversations')
  const said = page.locator('tbody .clipped')
  await said.nth(1).waitFor()
  await page.getByLabel('Search transcripts').fill('hound')
  await page.getByRole('heading', { name: 'No conversations' }).waitFor()
  await page.getByLabel('By', { exact: true }).selectOption('meaning')
  await vi.waitFor(async () => {
    // Turns are embedded in the background: a search finds those that are by then.
    if ((await said.count()) === 0) await page.reload()
    expect(await said.allTextContents()).toEqual(['may my puppy come'])
  })
  expect(page.url()).toContain('by=meaning')
  await expect.poll(() => page.getByLabel('By', { exact: true }).inputValue()).toBe('meaning')
  await page.getByLabel('Search transcripts').fill('vehicle')
  await expect.poll(() => said.allTextContents()).toEqual(['is there a garage'])
  expect(await lookAt(page, 'desk-meaning')).toEqual([])
  await page.locator('tbody a').click()
  await page.getByRole('log').getByText('is there a garage').waitFor()
  expect([page.complaints, page.elsewhere]).toEqual([[], []])
})

test('CO39 without an embedder a search by meaning says why there is none', async () => {
  const { open } = await startSite()
  const page = await open(pages, 'ben')
  await goTo(page, '#/conversations?find=dog&by=meaning')
  await page.getByLabel('Search transcripts').waitFor()
  await expect.poll(() => page.getByLabel('By', { exact: true }).count()).toBe(0)
  const failure = page.getByRole('alert')
  await failure.getByText('This server is not set up for that.').waitFor()
  await failure.getByText('Details for troubleshooting').click()
  await failure.getByText(/^Code: [A-Z_]+$/).waitFor()
  expect(page.elsewhere).toEqual([])
})

test.each(WAYS.slice(0, 2))(
  'the filters that few need are folded until they are asked for, and say how many are set: %s',
  async (way, options) => {
    const site = await startSite()
    await record(site, 'C-dog', 'may my puppy come')
    const page = await site.open(pages, 'ben', options)
    await goTo(page, '#/conversations')
    const said = page.locator('tbody .clipped')
    await said.first().waitFor()
    const height = page.viewportSize()?.height ?? 0
    expect((await said.first().boundingBox())?.y).toBeLessThan(height)
    const channel = page.getByLabel('Channel')
    await page.getByLabel('Search transcripts').fill('puppy')
    await expect.poll(() => channel.isVisible()).toBe(false)
    const unfold = page.getByRole('button', { name: 'Filters', exact: true })
    await expect.poll(() => unfold.getAttribute('aria-expanded')).toBe('false')
    expect(await lookAt(page, `${way}-folded`)).toEqual([])
    await unfold.click()
    await channel.fill('phone')
    const set = page.getByRole('button', { name: 'Filters (1 set)' })
    await set.waitFor()
    await expect.poll(() => set.getAttribute('aria-expanded')).toBe('true')
    expect(await lookAt(page, `${way}-unfolded`)).toEqual([])
    // They combine: nobody has rated the conversation that was not handed over.
    await channel.fill('')
    await page.getByLabel('Handoff').selectOption('no')
    await page.getByRole('button', { name: 'Filters (1 set)' }).waitFor()
    await said.first().waitFor()
    await page.getByLabel('Rating').selectOption('any')
    await page.getByRole('button', { name: 'Filters (2 set)' }).waitFor()
    await expect.poll(() => said.count()).toBe(0)
    expect(page.url()).toMatch(/handoff=no&rating=any/)
    await page.getByLabel('Rating').selectOption('all')
    await said.first().waitFor()
    await set.click()
    await expect.poll(() => channel.isVisible()).toBe(false)
    await said.first().waitFor()
    expect([page.complaints, page.elsewhere]).toEqual([[], []])
  },
)
