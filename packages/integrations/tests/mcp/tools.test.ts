import { createOpenTelemetry } from '@colloquy/integrations/opentelemetry'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, test } from 'vitest'
import { openChat, openFunctions, PROGRAM } from './support/hotel.ts'
import { hotelOverHttp } from './support/http-server.ts'

describe('tools as functions', () => {
  test('MC1 and MC3 tools of a program over stdio are called in a conversation', async () => {
    const { functions } = openFunctions({ servers: { hotel: PROGRAM } })
    await functions.ready()
    expect(functions.servers().hotel).toMatchObject({ state: 'connected', problem: null })
    const chat = await openChat(functions)
    const turn = await chat.send('hotel_room_price {"nights":2}')
    expect(turn.details.function_events).toMatchObject([
      { name: 'hotel_room_price', arguments: { nights: 2 }, result: { pounds: 180 }, error: null },
    ])
    expect(await chat.say('hotel_say', { text: 'Good day' })).toBe('"Good day\\n[image: image/png]"')
    expect(await chat.say('hotel_refuse')).toBe('No rooms on that day.')
  })

  test('MC1 tools over Streamable HTTP are functions, of those that the host allows', async () => {
    const { url } = await hotelOverHttp()
    const { functions } = openFunctions({ servers: { inn: { url, tools: ['room.price'] } } })
    await functions.ready()
    expect(functions.servers()).toEqual({
      inn: { state: 'connected', problem: null, functions: ['inn_room_price'] },
    })
    const chat = await openChat(functions)
    expect(await chat.say('inn_room_price', { nights: 3 })).toBe('{"pounds":270}')
    expect(await chat.say('inn_say', { text: 'a' })).toBe('There is no function named inn_say.')
  })

  test('MC1 a call is a tool’s span within its turn, as those of other functions are', async () => {
    const spans = new InMemorySpanExporter()
    const tracerProvider = new TracerProvider({
      spanProcessors: [new SimpleSpanProcessor({ exporter: spans })],
    })
    const { url } = await hotelOverHttp()
    const { functions } = openFunctions({ servers: { hotel: { url } } })
    await functions.ready()
    const chat = await openChat(functions, { telemetry: createOpenTelemetry({ tracerProvider }) })
    await chat.say('hotel_room_price', { nights: 1 })
    await chat.say('hotel_refuse')
    const tools = spans.getFinishedSpans().filter(({ name }) => name.startsWith('execute_tool'))
    expect(tools.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['execute_tool hotel_room_price', undefined],
      ['execute_tool hotel_refuse', 'FUNCTION_FAILED'],
    ])
    expect(tools[0]?.attributes).toMatchObject({ 'gen_ai.tool.name': 'hotel_room_price' })
  })

  test('MC4 arguments that do not fit are not sent, and calls carry what the host says of them', async () => {
    let asked = 0
    const { url } = await hotelOverHttp({
      more: server => {
        server.server.onerror = () => undefined
        asked++
      },
    })
    const { functions } = openFunctions({
      servers: { hotel: { url, meta: ({ channel }) => ({ 'hotel/channel': channel }) } },
    })
    await functions.ready()
    const chat = await openChat(functions)
    const before = asked
    expect(await chat.say('hotel_room_price', { nights: 'two' })).toMatch(
      /^The arguments are not valid: .*integer/,
    )
    expect(asked).toBe(before)
    const told: unknown = JSON.parse(JSON.parse(await chat.say('hotel_meta')))
    expect(told).toMatchObject({
      'hotel/channel': 'CHAT',
      'colloquy/idempotency-key': expect.stringMatching(/\.hotel_meta\.1$/),
    })
  })
})
