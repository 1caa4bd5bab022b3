import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createMcpFunctions } from '../../src/mcp/index.ts'
import { namedTools } from '../../src/mcp/tools.ts'
import { openChat, openFunctions, PROGRAM } from './support/hotel.ts'
import { hotelOverHttp, liar, listen } from './support/http-server.ts'

// Slow: MCP servers are started as programs, and write tens of megabytes.

const SCHEMA = { type: 'object' as const }
const tool = (name: string, more = {}) => ({ name, description: 'Does it.', inputSchema: SCHEMA, ...more })
const bounds = { tools: 3, descriptionLength: 20, schemaBytes: 200 }

/** Answers a call, with as much as the client takes. Tells how much that was. */
function flood(response: ServerResponse, head: string, contentType: string): Promise<number> {
  const chunk = Buffer.alloc(65_536, 'a')
  let sent = 0
  response.writeHead(200, { 'content-type': contentType }).write(head)
  return new Promise(resolve => {
    // A closed socket reports each write as an error, and in some Nodes without letting the event loop turn.
    const more = (error?: Error | null): void => {
      if (error != null || response.destroyed || sent >= 10_485_760) resolve(sent)
      else {
        sent += chunk.byteLength
        response.write(chunk, more)
      }
    }
    response.on('close', () => resolve(sent))
    more()
  })
}

/** A chat with the tools of a server that lies. */
async function chatWith(url: string, limits = {}) {
  const opened = openFunctions({ servers: { liar: { url } }, limits })
  await opened.functions.ready()
  return { ...opened, chat: await openChat(opened.functions) }
}

describe('what a server offers', () => {
  test('MC1 names are letters, digits, hyphens and underscores, at most 64, and each once', () => {
    const tools = [tool('a b'), tool('a.b'), tool('ü'.repeat(99))]
    const { named } = namedTools('hotel', tools, undefined, bounds)
    expect(named.map(({ name }) => name)).toEqual(['hotel_a_b', 'hotel_a_b_2', `hotel_${'_'.repeat(58)}`])
    const again = namedTools('hotel', tools.toReversed(), undefined, bounds)
    expect(again.named.map(({ name }) => name)).toEqual(named.map(({ name }) => name))
  })

  test('MC10 what is too much, too large or invalid is left out, and the rest is there', () => {
    const tools = [
      tool('a', { description: 'x'.repeat(50) }),
      tool('a'),
      tool('b', { inputSchema: { type: 'object', properties: { x: { enum: ['x'.repeat(200)] } } } }),
      tool('c', { outputSchema: { type: 'object', description: 'x'.repeat(300) } }),
      tool('d', { description: '' }),
      tool('e'),
      tool('f'),
    ]
    const { named, leftOut } = namedTools('h', tools, undefined, bounds)
    expect(named.map(({ name, description }) => [name, description])).toEqual([
      ['h_a', `${'x'.repeat(19)}…`],
      ['h_d', 'd'],
      ['h_e', 'Does it.'],
    ])
    expect(leftOut).toEqual([
      { tool: 'a', reason: 'another one has its name' },
      { tool: 'b', reason: 'it has a schema above 200 bytes' },
      { tool: 'c', reason: 'it has a schema above 200 bytes' },
      { tool: 'f', reason: 'the server has more than 3 tools' },
    ])
  })

  test.each<readonly [string, object, string | null]>([
    ['a description of null', { description: null }, null],
    ['a title of null', { title: null }, null],
    ['an output schema of null', { outputSchema: null }, null],
    ['annotations of null', { annotations: null }, null],
    ['annotations that are text', { annotations: 'x' }, null],
    ['icons that are odd', { icons: [{ src: 1 }] }, null],
    ['properties of null', { inputSchema: { type: 'object', properties: null } }, null],
    ['an input schema without a type', { inputSchema: {} }, 'its "inputSchema.type" must be "object"'],
    [
      'an input schema of a union',
      { inputSchema: { type: ['object', 'null'] } },
      'its "inputSchema.type" must be "object"',
    ],
    ['no input schema', { inputSchema: undefined }, 'its "inputSchema" must be a schema'],
    ['an input schema of null', { inputSchema: null }, 'its "inputSchema" must be a schema'],
    ['an input schema that is a list', { inputSchema: [] }, 'its "inputSchema" must be a schema'],
    ['an output schema that is text', { outputSchema: 'x' }, 'its "outputSchema" must be a schema'],
    ['a description that is a number', { description: 1 }, 'its "description" must be text'],
    ['a title that is a list', { title: [] }, 'its "title" must be text'],
  ])('MC10 a tool with %s concerns no other tool', (_, more, reason) => {
    const { named, leftOut } = namedTools('h', [tool('a'), tool('odd', more), tool('z')], undefined, bounds)
    const odd = reason === null ? ['h_odd'] : []
    expect(named.map(({ name }) => name)).toEqual(['h_a', ...odd, 'h_z'])
    expect(leftOut).toEqual(reason === null ? [] : [{ tool: 'odd', reason }])
  })

  test.each([null, 1, 'x', [], {}, { name: null }, { name: 7 }])(
    'MC10 what is no tool is left out by its place: %j',
    given => {
      const { named, leftOut } = namedTools('h', [tool('a'), given], undefined, bounds)
      expect(named.map(({ name }) => name)).toEqual(['h_a'])
      expect(leftOut).toMatchObject([{ tool: 'number 2 of the list' }])
    },
  )

  test('MC10 a server with an odd tool is connected, and its other tools work', async () => {
    const { url } = await liar([tool('good'), tool('odd', { inputSchema: {} }), null], () => ({
      content: [{ type: 'text', text: 'done' }],
    }))
    const { chat, functions } = await chatWith(url)
    expect(functions.servers().liar).toMatchObject({ state: 'connected', functions: ['liar_good'] })
    expect(await chat.say('liar_good')).toBe('"done"')
  })

  test('MC1 a tool that is named may be on any page of the list', async () => {
    const tools = Array.from({ length: 200 }, (_, at) => tool(`t${at}`))
    const { url } = await liar(
      cursor => {
        const from = Number(cursor ?? 0)
        const next = from + 50 < 200 ? { nextCursor: String(from + 50) } : {}
        return Object.assign(tools.slice(from, from + 50), next)
      },
      () => null,
    )
    const { functions } = openFunctions({ servers: { liar: { url, tools: ['t150'] } } })
    await functions.ready()
    expect(functions.servers().liar?.functions).toEqual(['liar_t150'])
  })

  test('MC1 a server may list its tools one by one, as many as are of use', async () => {
    const { url } = await liar(
      cursor => {
        const at = Number(cursor ?? 0)
        return Object.assign([tool(`t${at}`)], at < 59 ? { nextCursor: String(at + 1) } : {})
      },
      () => null,
    )
    const { functions } = openFunctions({ servers: { liar: { url } } })
    await functions.ready()
    expect(functions.servers().liar?.functions).toHaveLength(60)
  })

  test('MC10 a tool that is named and not listed is told of', () => {
    const { named, leftOut } = namedTools(
      'h',
      [tool('a'), tool('odd', { title: [] })],
      ['a', 'b', 'odd'],
      bounds,
    )
    expect(named.map(({ name }) => name)).toEqual(['h_a'])
    expect(leftOut).toEqual([
      { tool: 'odd', reason: 'its "title" must be text' },
      { tool: 'b', reason: 'the server does not list it, or only far down its list' },
    ])
  })

  test.each([null, 7, 'same'])('MC10 a list whose cursor is %j ends', async nextCursor => {
    const { url } = await liar(
      () => Object.assign([tool('good')], { nextCursor }),
      () => null,
    )
    const { functions } = await chatWith(url)
    expect(functions.servers().liar).toMatchObject({ state: 'connected', functions: ['liar_good'] })
  })

  test('MC10 a tool whose schema cannot be applied is left out, and the others are there', async () => {
    const { url } = await liar(
      [
        tool('odd', { inputSchema: { type: 'object', properties: { x: { $ref: '#/nowhere' } } } }),
        tool('good'),
      ],
      () => ({ content: [{ type: 'text', text: 'done' }] }),
    )
    const { chat } = await chatWith(url)
    expect(await chat.say('liar_odd', { x: 1 })).toBe('There is no function named liar_odd.')
    expect(await chat.say('liar_good')).toBe('"done"')
  })
})

describe('what a server answers', () => {
  test.each([
    ['application/json', '{"jsonrpc":"2.0","id":'],
    ['text/event-stream', 'data: '],
  ])('MC3 an answer of 10 MB as %s is not read on, and the next call works', async (contentType, head) => {
    let sent: Promise<number> = Promise.resolve(0)
    const { url } = await liar([tool('much'), tool('good')], ({ params }, response) => {
      if (params?.name === 'good') return { content: [{ type: 'text', text: 'done' }] }
      sent = flood(response, head, contentType)
      return undefined
    })
    const { chat } = await chatWith(url, { messageBytes: 100_000 })
    expect(await chat.say('liar_much')).toBe(
      'The MCP server liar failed. The answer has more than 100000 bytes in one message.',
    )
    // What was on the way in buffers of sockets is all there is beyond the bound.
    expect(await sent).toBeLessThan(10_485_760)
    expect(await chat.say('liar_good')).toBe('"done"')
  })

  test('MC3 and MC20 a program that writes 10 MB at once fails its call, and is started anew', async () => {
    const { functions } = openFunctions({ servers: { hotel: PROGRAM }, limits: { messageBytes: 100_000 } })
    await functions.ready()
    const chat = await openChat(functions)
    expect(await chat.say('hotel_much', { bytes: 10_485_760 })).toMatch(/^The MCP server hotel failed\. /)
    await expect.poll(() => chat.say('hotel_room_price', { nights: 1 })).toBe('{"pounds":90}')
  })

  test('MC3 text above the bound is cut and says so, structured content is refused', async () => {
    const { url } = await hotelOverHttp()
    const { functions } = openFunctions({ servers: { hotel: { url } }, limits: { resultBytes: 200 } })
    await functions.ready()
    const chat = await openChat(functions)
    const text: unknown = JSON.parse(await chat.say('hotel_much', { bytes: 5_000 }))
    expect(text).toMatch(/^ü+… \(cut: the answer had 5000 bytes\)$/)
    expect(Buffer.byteLength(String(text))).toBeLessThanOrEqual(200)
    expect(await chat.say('hotel_much', { bytes: 5_000, structured: true })).toBe(
      'The tool answered 5011 bytes of JSON; 200 are allowed.',
    )
  })

  test.each([
    [{ structuredContent: { pounds: 'many' }, content: [] }, /does not match the tool's output schema/],
    [{ content: [] }, /has an output schema but did not return structured content/],
    [{ content: 'none' }, /The MCP server liar failed\./],
    [{ content: [{ type: 'dance' }] }, /The MCP server liar failed\./],
    [{ isError: true, content: [] }, /^The tool failed without saying why\.$/],
  ])('MC3 %j is the call’s error in words', async (result, error) => {
    const outputSchema = {
      type: 'object',
      properties: { pounds: { type: 'number' } },
      required: ['pounds'],
    }
    const { url } = await liar([tool('price', { outputSchema })], () => result)
    const { chat } = await chatWith(url)
    expect(await chat.say('liar_price')).toMatch(error)
  })

  test.each([
    [
      'what is not JSON',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' }).end('}{'),
    ],
    [
      'a page',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
    ],
    ['status 500', (response: ServerResponse) => response.writeHead(500).end('key-of-the-hotel')],
    ['a closed connection', (response: ServerResponse) => response.destroy()],
  ])('MC3 and MC15 %s fails the call in words, without what came', async (_, answer) => {
    const { url } = await liar([tool('price')], (_asked, response) => void answer(response))
    const { chat, lines } = await chatWith(url)
    const said = await chat.say('liar_price')
    expect(said).toMatch(/^The MCP server liar failed\. It /)
    expect(`${said}${JSON.stringify(lines)}`).not.toContain('key-of-the-hotel')
  })

  test('MC15 what the host gave a server is in no log, error and result', async () => {
    const authorization = 'Bearer key-of-the-hotel'
    const { url } = await liar([tool('tell'), tool('fail'), tool('refuse')], ({ id, params }, response) => {
      const text = 'You sent key-of-the-hotel.'
      if (params?.name === 'tell') return { content: [{ type: 'text', text }] }
      if (params?.name === 'fail') return { isError: true, content: [{ type: 'text', text }] }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: text } }))
      return undefined
    })
    const { functions, lines } = openFunctions({
      servers: { liar: { url, headers: async () => ({ authorization }) } },
    })
    await functions.ready()
    const chat = await openChat(functions)
    expect(await chat.say('liar_tell')).toBe('"You sent [concealed]."')
    expect(await chat.say('liar_fail')).toBe('You sent [concealed].')
    expect(await chat.say('liar_refuse')).toBe('The MCP server liar failed. You sent [concealed].')
    expect(JSON.stringify(lines)).not.toContain('key-of')
  })

  test('MC15 headers go with every request', async () => {
    const { url, seen } = await hotelOverHttp()
    const { functions } = openFunctions({
      servers: { hotel: { url, headers: { 'x-key': 'key-of-the-hotel' } } },
    })
    await functions.ready()
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.every(headers => headers['x-key'] === 'key-of-the-hotel')).toBe(true)
  })
})

test('MC15 a server that leads elsewhere gets its headers there in no request', async () => {
  const asked: string[] = []
  const elsewhere = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(405).end()
  })
  const { url } = await listen((_, response) => response.writeHead(307, { location: elsewhere.url }).end())
  const { functions } = openFunctions({
    servers: { moved: { url, headers: { 'x-key': 'key-of-the-hotel' } } },
  })
  await functions.ready()
  expect(functions.servers().moved).toMatchObject({ problem: 'It answered with status 307.' })
  expect(asked).toEqual([])
})

describe('options', () => {
  const url = 'http://127.0.0.1:1/mcp'
  test.each([
    [{ 'not good': { url } }, {}, /"not good" must be named by a letter/],
    [{ a: { url: 'ftp://key-of-the-hotel' } }, {}, /The MCP server a must have url and headers, or command/],
    [{ a: { url, header: {} } }, {}, /The MCP server a must have/],
    [{ a: { url } }, { tools: -1 }, /limits\.tools is not valid/],
  ])('%j with %j is refused', (servers, limits, message) => {
    const make = () => createMcpFunctions(JSON.parse(JSON.stringify({ servers, limits })))
    expect(make).toThrow(expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED' }))
    expect(make).toThrow(message)
    expect(make).not.toThrow(/key-of/)
  })

  test('MC20 what is no MCP server at all keeps no platform from starting', async () => {
    const { url } = await listen((_, response) => void response.writeHead(200).end('hello'))
    const { functions } = openFunctions({
      servers: { page: { url }, none: { command: '/no/such/program' } },
    })
    await functions.ready()
    const states = Object.values(functions.servers())
    expect(states.map(({ functions }) => functions)).toEqual([[], []])
    expect(states.every(({ problem }) => problem !== null)).toBe(true)
  })
})
