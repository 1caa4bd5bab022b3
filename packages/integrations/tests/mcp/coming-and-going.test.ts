import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { limitsByHand, openChat, openFunctions, PROGRAM } from './support/hotel.ts'
import { hotelOverHttp, liar } from './support/http-server.ts'

// Slow: MCP servers are started as programs, end, and are started anew after real pauses.

test('MC20 a program that ends is started again; until then its calls fail at once, in words', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'colloquy-mcp-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const shut = join(directory, 'shut')
  const hotel = { ...PROGRAM, env: { HOTEL_SHUT: shut } }
  const { functions, lines } = openFunctions({ servers: { hotel } })
  await functions.ready()
  const chat = await openChat(functions)
  writeFileSync(shut, '')
  const first = await chat.say('hotel_pid')
  expect(await chat.say('hotel_crash')).toBe('The MCP server hotel failed. It has closed the connection.')
  expect(await chat.say('hotel_room_price', { nights: 1 })).toMatch(
    /^The MCP server hotel is not connected\. /,
  )
  rmSync(shut)
  await expect.poll(() => chat.say('hotel_pid')).toMatch(/^"\d+ "$/)
  expect(await chat.say('hotel_pid')).not.toBe(first)
  const told = lines.map(({ message }) => message)
  expect(new Set(told.slice(1, -1))).toEqual(new Set(['An MCP server is not connected']))
  expect([told[0], told.at(-1)]).toEqual(['An MCP server is connected', 'An MCP server is connected'])
})

test('MC20 a server over HTTP that is away comes with its tools when it is there', async () => {
  const before = await hotelOverHttp()
  await before.close()
  const { functions } = openFunctions({ servers: { hotel: { url: before.url } } })
  await functions.ready()
  expect(functions.servers().hotel).toEqual({
    state: 'waiting',
    functions: [],
    problem: 'It cannot be reached, or does not speak MCP.',
  })
  const chat = await openChat(functions)
  const there = await hotelOverHttp({ port: before.port })
  await expect.poll(() => chat.say('hotel_room_price', { nights: 1 })).toBe('{"pounds":90}')
  await there.close()
  expect(await chat.say('hotel_room_price', { nights: 1 })).toMatch(
    /^The MCP server hotel (failed|is not connected)/,
  )
  await hotelOverHttp({ port: before.port })
  await expect.poll(() => chat.say('hotel_room_price', { nights: 2 })).toBe('{"pounds":180}')
})

test('MC20 a call that hangs ends at its time, and the server is told', async () => {
  const told: string[] = []
  const { url } = await liar([{ name: 'hang', inputSchema: { type: 'object' } }], (_, response) => {
    told.push('asked')
    response.on('close', () => told.push('closed'))
  })
  const { clock, endOf } = limitsByHand(100)
  const { functions } = openFunctions({ servers: { liar: { url, timeout: 100 } } })
  await functions.ready()
  const chat = await openChat(functions, { clock })
  const late = 'The function took longer than 100 ms.'
  expect(await endOf(chat.say('liar_hang'), () => told.length > 0)).toBe(late)
  await expect.poll(() => told).toEqual(['asked', 'closed'])
  const program = openFunctions({ servers: { hotel: { ...PROGRAM, timeout: 100 } } }).functions
  await program.ready()
  const other = await openChat(program, { clock })
  expect(await endOf(other.say('hotel_hang'))).toBe(late)
  expect(await other.say('hotel_refuse')).toBe('No rooms on that day.')
})

const EVENTS = { 'content-type': 'text/event-stream' }
const EARLIER =
  'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n'

test.each([
  ['ended before any event', '', (response: ServerResponse) => response.end()],
  ['ended after other events', EARLIER, (response: ServerResponse) => response.end()],
  ['ended within its answer', 'data: {"jsonrpc":"2.0",', (response: ServerResponse) => response.end()],
  ['reset', EARLIER, (response: ServerResponse) => response.destroy()],
])('MC20 a call whose stream is %s fails at once, in words, and the next works', async (_, begun, end) => {
  const schema = { type: 'object' }
  const { url } = await liar(
    [
      { name: 'broken', inputSchema: schema },
      { name: 'good', inputSchema: schema },
    ],
    ({ params }, response) => {
      if (params?.name === 'good') return { content: [{ type: 'text', text: 'done' }] }
      response.writeHead(200, EVENTS).write(begun, () => end(response))
      return undefined
    },
  )
  const { functions } = openFunctions({ servers: { liar: { url } } })
  await functions.ready()
  const chat = await openChat(functions)
  expect(await chat.say('liar_broken')).toBe('The MCP server liar failed. It broke off its answer.')
  expect(await chat.say('liar_good')).toBe('"done"')
})

test('MC20 an answer that comes before the end of its stream counts, and one in a stream that is resumed', async () => {
  const text = (id: unknown) =>
    `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } })}\n\n`
  let asked: unknown
  const { url } = await liar(
    [
      { name: 'plain', inputSchema: { type: 'object' } },
      { name: 'resumed', inputSchema: { type: 'object' } },
    ],
    ({ id, params }, response) => {
      asked = id
      const begun = params?.name === 'plain' ? text(id) : 'id: 7\nretry: 1\ndata:\n\n'
      return void response.writeHead(200, EVENTS).end(begun)
    },
    (request, response) =>
      request.headers['last-event-id'] === '7'
        ? response.writeHead(200, EVENTS).end(text(asked))
        : response.writeHead(405).end(),
  )
  const { functions } = openFunctions({ servers: { liar: { url } } })
  await functions.ready()
  const chat = await openChat(functions)
  expect(await chat.say('liar_plain')).toBe('"done"')
  expect(await chat.say('liar_resumed')).toBe('"done"')
})

test('MC10 tools that change during a conversation are those of its next turn', async () => {
  const { functions } = openFunctions({ servers: { hotel: PROGRAM } })
  await functions.ready()
  const seen: (readonly string[])[] = []
  const chat = await openChat(functions, {
    script: {
      greeting: 'Hello.',
      otherwise: async turn => {
        const names = () => turn.functions.map(({ name }) => name)
        if (turn.input.type === 'message' && turn.input.text === 'grow') {
          await turn.callFunction('hotel_grow', {})
          await expect.poll(() => Object.keys(functions.functions())).toContain('hotel_grown')
          seen.push(names())
          return (await turn.callFunction('hotel_grown', {})).error ?? 'called'
        }
        seen.push(names())
        return JSON.stringify((await turn.callFunction('hotel_grown', {})).result)
      },
    },
  })
  expect((await chat.send('grow')).record.agent_response).toBe('There is no function named hotel_grown.')
  expect((await chat.send('again')).record.agent_response).toBe('"new"')
  expect(seen.map(names => names.includes('hotel_grown'))).toEqual([false, true])
})

test('MC10 a server over HTTP tells of its tools, and is asked again in any case', async () => {
  let grown = false
  const { url, notify } = await hotelOverHttp({
    more: server => {
      if (grown) server.registerTool('grown', { description: 'New.' }, () => ({ content: [] }))
    },
  })
  const { functions } = openFunctions({ servers: { hotel: { url } } })
  await functions.ready()
  grown = true
  notify.toolsChanged()
  await expect.poll(() => Object.keys(functions.functions())).toContain('hotel_grown')

  const names = ['one']
  const silent = await liar(
    () => names.map(name => ({ name, inputSchema: { type: 'object' } })),
    () => ({ content: [] }),
  )
  const asking = openFunctions({
    servers: { s: { url: silent.url } },
    limits: { refreshEvery: 20 },
  }).functions
  await asking.ready()
  const before = asking.functions()
  names.push('two')
  await expect.poll(() => Object.keys(asking.functions())).toEqual(['s_one', 's_two'])
  expect(asking.functions()).not.toBe(before)
})

test('closing ends programs and calls, and nothing is connected to any more', async () => {
  let begin = (): void => undefined
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const { url } = await liar([{ name: 'hang', inputSchema: { type: 'object' } }], () => begin())
  const { functions } = openFunctions({ servers: { hotel: PROGRAM, liar: { url } } })
  await functions.ready()
  const chat = await openChat(functions)
  const pid = Number(/\d+/.exec(await chat.say('hotel_pid'))?.[0])
  const hanging = chat.say('liar_hang')
  await begun
  await functions.close()
  expect(await hanging).toBe('The MCP server liar failed. It is closed.')
  const alive = (): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await expect.poll(alive).toBe(false)
  expect(functions.servers().hotel?.state).toBe('closed')
  expect(await chat.say('hotel_pid')).toBe('The MCP server hotel is not connected. It is closed.')
})
