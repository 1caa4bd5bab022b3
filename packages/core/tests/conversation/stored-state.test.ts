import { readFileSync } from 'node:fs'
import { Drive, freshState, greeted, handoffWish, origin } from '@colloquy/test-support/conversation'
import { describe, expect, it } from 'vitest'
import type { ConversationState } from '../../src/domain/conversation/state.ts'
import { currentState, type StoredState } from '../../src/domain/conversation/stored-state.ts'
import { wakeAt } from '../../src/domain/conversation/wake.ts'

/** States as each version stored them, by what was going on. A released format stays here for ever. */
const FORMATS = ['first', 'before-set-attributes', 'before-chats'] as const

const stored = (format: string): Readonly<Record<string, StoredState>> =>
  JSON.parse(readFileSync(new URL(`stored-states/${format}.json`, import.meta.url), 'utf8'))

/** A state of this version, with as much in it as that of the same name. */
function made(name: string): ConversationState {
  const drive = name === 'new' ? new Drive(freshState()) : greeted()
  if (['waiting', 'withLiveAgent', 'ended'].includes(name)) {
    drive.say('person')
    drive.reply(handoffWish)
  }
  if (name === 'answering') drive.say('slow')
  return drive.state
}

/** The names of all fields, of nested objects too, down to what hosts and agents put in. */
function fields(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  if (['.variables', '.metrics', '.integrationAttributes', '.failure', '.turn', '.handedOff'].includes(path))
    return [path]
  return Object.entries(value).flatMap(([name, inner]) => fields(inner, `${path}.${name}`))
}
const withoutAgent = (names: readonly string[]) =>
  names.filter(name => !name.startsWith('.handoff.liveAgent')).toSorted()

describe.each(FORMATS)('states of the %s format', format => {
  const states = Object.entries(stored(format))

  it.each(states)('EN42 have every field of this version: %s', (name, state) => {
    expect(withoutAgent(fields(currentState(state)))).toEqual(withoutAgent(fields(made(name))))
  })

  it.each(states)('EN42 keep every field that they had, under its present name: %s', (_, state) => {
    const { queue = state.pending, ...others } = state
    expect(currentState(state)).toMatchObject({ ...others, pending: queue })
  })

  it.each(states)('EN42 go on to their end, like states of this version: %s', (_, state) => {
    const drive = new Drive(currentState(state))
    drive.now = state.seenAt + 1
    if (drive.state.endedAt === null) {
      expect(wakeAt(drive.state)).toBeGreaterThan(state.seenAt)
      drive.done({ type: 'end', ...origin })
    }
    expect(drive.state).toMatchObject({ owner: 'nobody', endedAt: expect.any(Number) })
  })
})

it('EN42 what was stored as the queue are the pending inputs', () => {
  const { pending, ...state } = made('answering')
  const input = { type: 'greeting', turnId: 'T1' } as const
  const current = currentState({ ...state, queue: [input] })
  expect(current).toEqual({ ...state, pending: [input] })
  expect(pending).toEqual([])
})

it('EN42 a state of this version comes out equal', () => {
  for (const name of ['new', 'answering', 'waiting']) expect(currentState(made(name))).toEqual(made(name))
  const { handoff } = made('waiting')
  if (handoff === null) throw new Error('no handoff')
  const attended = { ...handoff, attendedUntil: 5 }
  expect(currentState({ ...made('waiting'), handoff: attended }).handoff).toEqual(attended)
})

it('EN42 a handoff that was stored before its acceptor was kept has none', () => {
  const { handoff, ...state } = made('waiting')
  if (handoff === null) throw new Error('no handoff')
  const { acceptedBy: _, ...earlier } = handoff
  expect(currentState({ ...state, handoff: earlier }).handoff).toEqual({ ...handoff, acceptedBy: null })
})
