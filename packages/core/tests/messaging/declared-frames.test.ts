import { checkDeskFrame, checkedFrames, visitorFrameFault } from '@colloquy/test-support/declared-frames'
import { describe, expect, it } from 'vitest'
import { CLIENT_EVENT_TYPES, createEventNames } from '../../src/protocol/event-names.ts'
import { clientFrames, SERVER_EVENT_TYPES, serverFrames } from '../../src/protocol/frames.ts'

const HEAD = { id: '00000000-0000-4000-8000-000000000001', timestamp: '2026-01-01T00:00:00.000Z' }

const left = (more: object = {}, payload: object = {}): string =>
  JSON.stringify({ ...HEAD, sequence: 3, type: 'EVENT_TYPE_AI_AGENT_LEFT', payload, ...more })

const typed = (type: string, payload: object, sequence: number | null = null): string =>
  JSON.stringify({ ...HEAD, sequence, type, payload })

describe('frames', () => {
  it.each<[string, string, string | null]>([
    ['fits', left(), null],
    ['has the word of another brand', left().replace('AI_AGENT', 'ACME-2_AGENT'), null],
    ['echoes metadata', left({ metadata: { custom: { client_event_id: 'a' } } }), null],
    ['has a field more', left({ more: 1 }), 'not declared'],
    ['has a payload with a field more', left({}, { more: 1 }), 'not declared'],
    ['has no position in the log', left({ sequence: null }), 'sequence: '],
    ['has no id', left({ id: '1' }), 'id: '],
    ['has a position that no log keeps', typed('EVENT_TYPE_AI_AGENT_THINKING', {}, 3), 'sequence: '],
    [
      'has another level',
      typed('EVENT_TYPE_SYSTEM_MESSAGE', { level: 'x', message: 'm' }),
      'payload.level: ',
    ],
    ['is what no visitor is sent', typed('EVENT_TYPE_USER_TYPING', { state: 'started' }), 'is no event'],
    ['is a batch of a kept event', typed('EVENT_TYPE_EVENT_BATCH', { events: [JSON.parse(left())] }), null],
    [
      'is a batch of an event that no log keeps',
      typed('EVENT_TYPE_EVENT_BATCH', { events: [JSON.parse(typed('EVENT_TYPE_HEARTBEAT', {}))] }),
      'payload.events.0: ',
    ],
  ])('MS42 a frame that %s is found to be what it is', (_, text, fault) => {
    if (fault === null) expect(visitorFrameFault(text)).toBeNull()
    else expect(visitorFrameFault(text)).toContain(fault)
  })

  it('MS42 there is one of each event, in each direction', () => {
    const names = createEventNames('AI')
    expect([...serverFrames(names).keys()]).toEqual(SERVER_EVENT_TYPES)
    expect([...clientFrames(names).keys()]).toEqual(CLIENT_EVENT_TYPES)
  })

  it('MS42 a frame of the desk that does not fit is found', () => {
    checkedFrames()
    checkDeskFrame({ type: 'handoff.visitor_typing' })
    checkDeskFrame({ type: 'handoff.gone' })
    const { checked, faults } = checkedFrames()
    expect(checked).toBe(2)
    expect(faults.join('\n')).toContain('handoff_id: ')
    expect(faults.join('\n')).toContain('is no event')
  })
})
