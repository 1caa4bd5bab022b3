import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { AgentRuntime, Attachment, RuntimePart, RuntimeTurn } from '@colloquy/core/runtime'
import { createFakeClock, createScriptedRuntime } from '@colloquy/core/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type LinkPreviewOptions, withLinkPreviews } from '../../src/link-previews/index.ts'

/** A turn as the platform asks for one. */
async function turnOf(kind: RuntimeTurn['kind'] = 'messaging'): Promise<RuntimeTurn> {
  const runtime = createScriptedRuntime({ greeting: 'Welcome.' }, createFakeClock())
  const platform = createPlatform({ store: createMemoryStore(), runtime })
  onTestFinished(() => platform.close())
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'Hotel' })
  const agent = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Welcome.' })
  const { id: branchId } = await platform.agents.createBranch(agent.id, { branchName: 'content' })
  await platform.agents.merge(agent.id, branchId)
  await platform.debugChat.start(agent, { environment: 'sandbox' })
  const [turn] = runtime.turns
  if (turn === undefined) throw new Error('The platform asked for no turn.')
  return { ...turn, kind }
}

/** A web site, by paths. */
async function site(pages: Readonly<Record<string, RequestListener>>) {
  const asked: string[] = []
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    requests.push(request)
    const answer = pages[request.url ?? '']
    if (answer === undefined) response.writeHead(404).end()
    else answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { asked, requests, url: (path: string) => `http://127.0.0.1:${address.port}${path}` }
}

const page =
  (html: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html)

const says = (...texts: readonly (string | RuntimePart)[]): AgentRuntime => ({
  async *respond() {
    for (const part of texts) yield typeof part === 'string' ? { type: 'text', text: part } : part
  },
})

/** Patient: what is answered has a card, on a slow machine too. */
const LOCAL = { allowPrivateAddresses: true, patience: 300_000 }

/** The parts of a reply. */
async function reply(
  runtime: AgentRuntime,
  { signal = new AbortController().signal, kind = 'messaging' as RuntimeTurn['kind'] } = {},
): Promise<readonly RuntimePart[]> {
  const parts: RuntimePart[] = []
  for await (const part of runtime.respond(await turnOf(kind), signal)) parts.push(part)
  return parts
}

const cardsOf = (parts: readonly RuntimePart[]): readonly Attachment[] =>
  parts.flatMap(part => (part.type === 'attachment' ? [part.attachment] : []))

const previewed = async (text: string, options: LinkPreviewOptions = {}) =>
  cardsOf(await reply(withLinkPreviews(says(text), { ...LOCAL, ...options })))

describe('cards', () => {
  test('LP1 each link has a card with the title of its page and its site, after all else and in their order', async () => {
    const { url } = await site({
      '/spa': page(
        '<!doctype html><head><title>Spa</title><meta property="og:title" content="The spa &amp; pool"><meta property="og:site_name" content="Harbour Hotel"></head><body><title>no</title>',
      ),
      '/rooms': page('<title>\n Our   rooms </title>'),
    })
    const runtime = says('See ', url('/ro'), 'oms', ` or [the spa](${url('/spa')}).`, { type: 'end' })
    const parts = await reply(withLinkPreviews(runtime, LOCAL))
    expect(parts.map(({ type }) => type)).toEqual([
      ...['text', 'text', 'text', 'text', 'end'],
      ...['attachment', 'attachment'],
    ])
    expect(cardsOf(parts)).toEqual([
      {
        title: 'Our rooms',
        contentType: 'url',
        contentUrl: url('/rooms'),
        previewImageUrl: '',
        callToActionText: '127.0.0.1',
      },
      {
        title: 'The spa & pool',
        contentType: 'url',
        contentUrl: url('/spa'),
        previewImageUrl: '',
        callToActionText: 'Harbour Hotel',
      },
    ])
  })

  test('LP1 no more links have a card than `links` says', async () => {
    const { asked, url } = await site({ '/1': page('<title>1</title>'), '/2': page('<title>2</title>') })
    const cards = await previewed(`${url('/1')} ${url('/2')} ${url('/3')}`, { links: 1 })
    expect(cards.map(({ title }) => title)).toEqual(['1'])
    expect(asked).toEqual(['/1'])
  })

  test('LP1 what the runtime gave a card has no second one, and runs of tests have none', async () => {
    const { url } = await site({ '/': page('<title>Home</title>') })
    const own: Attachment = {
      title: 'Ours',
      contentType: 'url',
      contentUrl: url('/'),
      previewImageUrl: '',
      callToActionText: 'Go',
    }
    const runtime = says(`See ${url('/')}`, { type: 'attachment', attachment: own })
    expect(cardsOf(await reply(withLinkPreviews(runtime, LOCAL)))).toEqual([own])
    const again = withLinkPreviews(says(`See ${url('/')} there`), LOCAL)
    expect(cardsOf(await reply(again, { kind: 'test' }))).toEqual([])
    expect(cardsOf(await reply(again))).toHaveLength(1)
  })

  test('LP3 pictures are there when they are wanted, over https, by the address of the page', async () => {
    const picture = (address: string) =>
      page(`<title>A</title><meta property="og:image" content="${address}">`)
    const { url } = await site({
      '/a': picture('https://cdn.example/a.png'),
      '/b': picture('/b.png'),
      '/c': picture('data:image/png;base64,AA=='),
    })
    const text = ['/a', '/b', '/c'].map(url).join(' ')
    const shown = async (pictures: boolean) =>
      (await previewed(text, { pictures })).map(({ previewImageUrl }) => previewImageUrl)
    expect(await shown(true)).toEqual(['https://cdn.example/a.png', '', ''])
    expect(await shown(false)).toEqual(['', '', ''])
  })
})

describe('pages', () => {
  test('LP3 what is no page, has no title, or fails has no card', async () => {
    const { url } = await site({
      '/pdf': page('<title>no</title>', { 'content-type': 'application/pdf' }),
      '/none': page('<p>no title</p>'),
      '/packed': page('<title>no</title>', { 'content-encoding': 'gzip' }),
      '/cut': (request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100' }).write('<title>no')
        setImmediate(() => request.socket.destroy())
      },
      '/good': page('<title>yes</title>'),
    })
    const paths = ['/pdf', '/none', '/packed', '/missing', '/cut', '/good']
    const cards = await previewed(paths.map(url).join(' '), { links: 6 })
    expect(cards.map(({ title }) => title)).toEqual(['yes'])
  })

  test('LP4 a redirect is followed three times at most', async () => {
    const to =
      (location: string): RequestListener =>
      (_, response) =>
        response.writeHead(302, { location }).end()
    const { url } = await site({
      ...{ '/1': to('/2'), '/2': to('/3'), '/3': to('/4'), '/4': page('<title>there</title>') },
      '/0': to('/1'),
    })
    expect(await previewed(url('/1'))).toMatchObject([{ title: 'there', contentUrl: url('/1') }])
    expect(await previewed(url('/0'))).toEqual([])
  })

  test('LP4 nothing inside the network is asked, nor another port', async () => {
    const { asked, url } = await site({ '/': page('<title>secret</title>') })
    const { port } = new URL(url('/'))
    const looked: string[] = []
    const resolveAll: LinkPreviewOptions['resolveAll'] = (name, callback) => {
      looked.push(name)
      callback(null, [{ address: '127.0.0.1', family: 4 }])
    }
    const text = [
      url('/'),
      `http://localhost:${port}/`,
      'http://inside.example/',
      `http://out.example:${port}/`,
    ]
    const runtime = withLinkPreviews(says(text.join(' ')), { resolveAll, links: 9 })
    expect(cardsOf(await reply(runtime))).toEqual([])
    expect(asked).toEqual([])
    expect(looked).toEqual(['inside.example'])
  })

  test('LP3 a page is read in the letters that it declares, and no further than 256 KiB', async () => {
    const cafe = Buffer.concat([
      Buffer.from('<meta charset=iso-8859-1><title>Caf'),
      Buffer.from([0xe9]),
      Buffer.from('</title>'),
    ])
    const { requests, url } = await site({
      '/header': page(cafe, { 'content-type': 'text/html; charset="iso-8859-1"' }),
      '/declared': page(cafe, { 'content-type': 'text/html' }),
      '/unknown': page('<title>Café</title>', { 'content-type': 'text/html; charset=klingon' }),
      '/long': page(`<title>${'é'.repeat(500)}</title>`),
      '/late': page(`${'<!-- -->'.repeat(40_000)}<title>no</title>`),
    })
    const cards = await previewed(['/header', '/declared', '/unknown', '/long', '/late'].map(url).join(' '), {
      links: 5,
    })
    expect(cards.map(({ title }) => title)).toEqual(['Café', 'Café', 'Café', `${'é'.repeat(199)}…`])
    expect(requests[0]?.headers).toMatchObject({
      'accept-encoding': 'identity',
      'user-agent': 'Colloquy-LinkPreviews',
    })
  })
})

describe('time', () => {
  test('LP2 a reply waits for its cards no longer than its patience, and the next one has them', async () => {
    let answer = (): void => undefined
    const { asked, url } = await site({
      '/': (request, response) => {
        answer = () => page('<title>late</title>')(request, response)
      },
    })
    const runtime = withLinkPreviews(says(`See ${url('/')}`), { ...LOCAL, patience: 20 })
    expect(cardsOf(await reply(runtime))).toEqual([])
    await expect.poll(() => asked).toEqual(['/'])
    answer()
    await expect.poll(async () => cardsOf(await reply(runtime))).toMatchObject([{ title: 'late' }])
  })

  test('LP2 text passes while a page is read, and nothing is waited for once nobody waits', async () => {
    const { asked, url } = await site({ '/': () => undefined })
    const gone = new AbortController()
    const runtime = withLinkPreviews(says(`See ${url('/')} now. `, 'More.'), { ...LOCAL, patience: 60_000 })
    const parts: RuntimePart[] = []
    for await (const part of runtime.respond(await turnOf(), gone.signal)) {
      parts.push(part)
      if (parts.length < 2) continue
      await expect.poll(() => asked).toEqual(['/'])
      gone.abort()
    }
    expect(parts).toHaveLength(2)
  })

  test('a page is read once for all who ask meanwhile, and its card kept', async () => {
    let held = (): void => undefined
    const { asked, url } = await site({
      '/': (request, response) => {
        held = () => page('<title>Home</title>')(request, response)
      },
      '/missing': (_, response) => response.writeHead(404).end(),
    })
    const runtime = withLinkPreviews(says(`${url('/')} ${url('/missing')}`), LOCAL)
    const both = Promise.all([reply(runtime), reply(runtime)])
    await expect.poll(() => asked).toHaveLength(2)
    held()
    expect((await both).map(cardsOf)).toMatchObject([[{ title: 'Home' }], [{ title: 'Home' }]])
    await reply(runtime)
    expect(asked).toHaveLength(2)
  })

  test('no more than 20 pages are read at once', async () => {
    const held: (() => void)[] = []
    const hold: RequestListener = (request, response) => {
      held.push(() => page('<title>Here</title>')(request, response))
    }
    const { asked, url } = await site(
      Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`/${at}`, hold])),
    )
    const text = Array.from({ length: 25 }, (_, at) => url(`/${at}`)).join(' ')
    const replied = reply(withLinkPreviews(says(text), { ...LOCAL, links: 25 }))
    await expect.poll(() => held).toHaveLength(20)
    for (const answer of held) answer()
    expect(cardsOf(await replied)).toHaveLength(20)
    expect(asked).toHaveLength(20)
  })
})

test('EM4 options of previews that nothing reads are refused by name', () => {
  const given = (options: unknown) => Reflect.apply(withLinkPreviews, undefined, [says('Hello'), options])
  expect(() => given({ picture: true })).toThrow(
    'withLinkPreviews has no option "picture". Did you mean pictures?',
  )
})
