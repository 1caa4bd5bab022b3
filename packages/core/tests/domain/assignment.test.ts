import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AssignmentView, assigned, offerOf } from '../../src/domain/conversation/assignment.ts'
import { type DeskRoster, emptyRoster, withAway } from '../../src/domain/conversation/desk-roster.ts'
import type { Colleague } from '../../src/domain/conversation/desk-seat.ts'
import { serves } from '../../src/domain/conversation/desk-seat.ts'

const TIME = 30_000

const colleague = (id: string, values: Partial<Colleague> = {}): Colleague => ({
  ...{ liveAgent: { id, name: id.toUpperCase(), avatarUrl: '' }, acceptor: { type: 'person', id } },
  ...{ queues: null, skills: [], talksAtOnce: null, awaySince: null },
  ...values,
})

const view = (values: Partial<AssignmentView> = {}): AssignmentView => ({
  ...{ waiting: [], colleagues: [], talks: new Map(), talksAtOnce: 2, now: 0, offerTime: TIME },
  assignments: [{ queueName: 'sales', mode: 'round_robin', skills: [] }],
  ...values,
})

const waitingIn = (queueName: string, ...ids: readonly string[]) =>
  ids.map(handoffId => ({ handoffId, queueName, language: null }))

/** Who is offered which visitor, as `visitor: live agent`. */
const offersOf = ({ offers }: DeskRoster) =>
  offers.map(({ handoffId, liveAgent }) => `${handoffId}: ${liveAgent.id}`)

const EMPTY = emptyRoster('ws-1')

describe('whom a waiting visitor is offered', () => {
  test('DK611 to each live agent in turn, one visitor at a time, for a while', () => {
    const colleagues = ['ann', 'ben', 'cleo'].map(id => colleague(id))
    const first = assigned(EMPTY, view({ colleagues, waiting: waitingIn('sales', 'v1', 'v2') }))
    expect(offersOf(first)).toEqual(['v1: ann', 'v2: ben'])
    // Ann has taken the first; the next one is Cleo's, then Ann's again.
    const talks = new Map([['ann', 1]])
    const waiting = waitingIn('sales', 'v2', 'v3', 'v4', 'v5')
    const second = assigned(first, view({ colleagues, talks, waiting, now: 5 }))
    expect(offersOf(second)).toEqual(['v2: ben', 'v3: cleo', 'v4: ann'])
    expect(second.offers.map(({ until }) => until)).toEqual([TIME, TIME + 5, TIME + 5])
    expect(offerOf(second, 'v2', TIME - 1)?.liveAgent.id).toBe('ben')
    expect([offerOf(second, 'v2', TIME), offerOf(second, 'v5', 5)]).toEqual([null, null])
  })

  test('DK613 who lets a visitor pass is not offered them again; after all have, they wait for anyone', () => {
    const colleagues = [colleague('ann'), colleague('ben')]
    const waiting = waitingIn('sales', 'v1')
    let roster = assigned(EMPTY, view({ colleagues, waiting }))
    expect(offersOf(roster)).toEqual(['v1: ann'])
    expect(assigned(roster, view({ colleagues, waiting, now: TIME - 1 }))).toBe(roster)
    roster = assigned(roster, view({ colleagues, waiting, now: TIME }))
    expect(offersOf(roster)).toEqual(['v1: ben'])
    roster = assigned(roster, view({ colleagues, waiting, now: 2 * TIME }))
    expect(offersOf(roster)).toEqual([])
    expect(assigned(roster, view({ colleagues, waiting, now: 9 * TIME }))).toBe(roster)
    // Somebody sits down who was never asked.
    const more = [...colleagues, colleague('cleo')]
    expect(offersOf(assigned(roster, view({ colleagues: more, waiting, now: 9 * TIME })))).toEqual([
      'v1: cleo',
    ])
    expect(assigned(roster, view({ colleagues, now: 9 * TIME })).passed).toEqual([])
  })

  test('DK610 nobody who is away, has no room, has gone, serves other queues or lacks a skill', () => {
    const assignments = [{ queueName: 'sales', mode: 'round_robin', skills: ['de', 'vip'] }] as const
    const skills = ['de', 'vip', 'en']
    const colleagues = [
      colleague('away', { skills }),
      ...[colleague('full', { skills, talksAtOnce: 1 }), colleague('lacks', { skills: ['de'] })],
      colleague('other', { skills, queues: ['billing'] }),
      colleague('zoe', { skills, queues: ['sales'] }),
    ]
    const talks = new Map([['full', 1]])
    const roster = withAway(EMPTY, 'away', 1)
    const world = { assignments, colleagues, talks, waiting: waitingIn('sales', 'v1', 'v2') }
    const decided = assigned(roster, view(world))
    expect(offersOf(decided)).toEqual(['v1: zoe'])
    // The offer goes on to somebody else at once, and Zoe has not let the visitor pass.
    const away = withAway(decided, 'zoe', 2)
    const next = assigned(away, view({ ...world, colleagues: [...colleagues, colleague('yan', { skills })] }))
    expect([offersOf(next), next.passed]).toEqual([['v1: yan'], []])
    const gone = assigned(decided, view({ ...world, colleagues: [] }))
    expect(offersOf(gone)).toEqual([])
  })

  test('DK611 least_busy: to who has the fewest visitors, then by turn', () => {
    const assignments = [{ queueName: 'sales', mode: 'least_busy', skills: [] }] as const
    const colleagues = ['ann', 'ben', 'cleo'].map(id => colleague(id))
    const talks = new Map([
      ['ann', 1],
      ['ben', 1],
    ])
    const waiting = waitingIn('sales', 'v1', 'v2', 'v3')
    const decided = assigned(EMPTY, view({ assignments, colleagues, talks, waiting }))
    expect(offersOf(decided)).toEqual(['v1: cleo', 'v2: ann', 'v3: ben'])
  })

  test.each([
    ['de-AT', ['ann', 'cleo']],
    ['DE', ['ann']],
    ['de-CH', ['ann']],
    ['fr', []],
    ['den', []],
    [null, ['ann', 'ben', 'cleo']],
  ])('DK610 a visitor with the language %s is for those who have it', (language, able) => {
    const assignments = [{ queueName: 'sales', mode: 'round_robin', skills: ['{language}'] }] as const
    const colleagues = [
      colleague('ann', { skills: ['de'] }),
      colleague('ben', { skills: ['en', 'vip'] }),
      colleague('cleo', { skills: ['De-at'] }),
    ]
    const waiting = ['v1', 'v2', 'v3'].map(handoffId => ({ handoffId, queueName: 'sales', language }))
    const { offers } = assigned(EMPTY, view({ assignments, colleagues, waiting }))
    expect(offers.map(({ liveAgent }) => liveAgent.id).toSorted()).toEqual(able)
  })

  test('DK613 visitors of other queues are for anyone, and stay so', () => {
    const waiting = [...waitingIn('billing', 'v1'), ...waitingIn('sales', 'v2')]
    const decided = assigned(EMPTY, view({ colleagues: [colleague('ann')], waiting }))
    expect(offersOf(decided)).toEqual(['v2: ann'])
    expect(offersOf(assigned(decided, view({ assignments: [], waiting })))).toEqual([])
  })
})

const PEOPLE = ['ann', 'ben', 'cleo', 'dan'] as const
const QUEUES = ['sales', 'billing', 'free'] as const
const SKILLS = ['de', 'fr', 'vip'] as const

const step = fc.oneof(
  fc.record({
    type: fc.constant('arrive' as const),
    queueName: fc.constantFrom(...QUEUES),
    language: fc.constantFrom(null, 'de', 'de-AT', 'fr'),
  }),
  fc.record({ type: fc.constant('accept' as const), at: fc.nat(9) }),
  fc.record({ type: fc.constant('leave' as const), at: fc.nat(9) }),
  fc.record({ type: fc.constant('end' as const), id: fc.constantFrom(...PEOPLE) }),
  fc.record({ type: fc.constant('away' as const), id: fc.constantFrom(...PEOPLE), is: fc.boolean() }),
  fc.record({
    type: fc.constant('sit' as const),
    id: fc.constantFrom(...PEOPLE),
    skills: fc.subarray([...SKILLS]),
    queues: fc.option(fc.subarray([...QUEUES])),
  }),
  fc.record({ type: fc.constant('go' as const), id: fc.constantFrom(...PEOPLE) }),
  fc.record({ type: fc.constant('wait' as const), by: fc.constantFrom(1, TIME / 2, TIME, 3 * TIME) }),
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const ASSIGNMENTS = [
  { queueName: 'sales', mode: 'round_robin', skills: ['{language}'] },
  { queueName: 'billing', mode: 'least_busy', skills: ['de'] },
] as const

/** A desk through which visitors and live agents come and go. Those who are offered a visitor accept in time. */
class Desk {
  roster = EMPTY
  now = 1_000
  seats = new Map<string, Colleague>()
  waiting: AssignmentView['waiting'] = []
  talks = new Map<string, number>()
  #arrived = 0

  get view(): AssignmentView {
    const { now, talks, waiting } = this
    return view({ assignments: ASSIGNMENTS, colleagues: [...this.seats.values()], now, talks, waiting })
  }

  take(given: Step): void {
    switch (given.type) {
      case 'arrive':
        this.waiting = [
          ...this.waiting,
          { handoffId: `v${this.#arrived++}`, queueName: given.queueName, language: given.language },
        ]
        break
      case 'accept': {
        const offer = this.roster.offers[given.at]
        if (offer === undefined) break
        const { id } = offer.liveAgent
        this.talks = new Map(this.talks).set(id, (this.talks.get(id) ?? 0) + 1)
        this.waiting = this.waiting.filter(({ handoffId }) => handoffId !== offer.handoffId)
        break
      }
      case 'leave':
        this.waiting = this.waiting.filter((_, at) => at !== given.at)
        break
      case 'end':
        this.talks = new Map(this.talks).set(given.id, Math.max((this.talks.get(given.id) ?? 0) - 1, 0))
        break
      case 'away':
        this.roster = withAway(this.roster, given.id, given.is ? this.now : null)
        break
      case 'sit':
        this.seats.set(given.id, colleague(given.id, { skills: given.skills, queues: given.queues }))
        break
      case 'go':
        this.seats.delete(given.id)
        break
      case 'wait':
        this.now += given.by
    }
  }

  /** Live agents who may be offered a visitor. */
  able({ language, queueName }: AssignmentView['waiting'][number]): readonly Colleague[] {
    const rule = ASSIGNMENTS.find(one => one.queueName === queueName)
    const spoken = language?.slice(0, 2)
    return [...this.seats.values()].filter(
      one =>
        rule !== undefined &&
        serves(one, queueName) &&
        rule.skills.every(skill => {
          const needed = skill === '{language}' ? spoken : skill
          return needed === undefined || one.skills.includes(needed)
        }) &&
        (this.talks.get(one.liveAgent.id) ?? 0) < 2 &&
        !this.roster.away.some(({ liveAgentId }) => liveAgentId === one.liveAgent.id),
    )
  }
}

describe('offers through any history', () => {
  test('DK611 to DK613 one offer a visitor and a live agent, to who is able; nobody able is idle while one may be offered', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const desk = new Desk()
        for (const given of steps) {
          desk.take(given)
          const before = desk.roster
          desk.roster = assigned(before, desk.view)
          const { offers, passed } = desk.roster
          expect(new Set(offers.map(({ handoffId }) => handoffId)).size).toBe(offers.length)
          expect(new Set(offers.map(({ liveAgent }) => liveAgent.id)).size).toBe(offers.length)
          for (const { handoffId, liveAgent, until } of offers) {
            const visitor = desk.waiting.find(one => one.handoffId === handoffId)
            const able = visitor === undefined ? [] : desk.able(visitor)
            expect(able.map(one => one.liveAgent.id)).toContain(liveAgent.id)
            expect(until).toBeGreaterThan(desk.now)
            expect(until).toBeLessThanOrEqual(desk.now + TIME)
          }
          // Nobody starves: without an offer is only who all able ones have passed, or are busy for.
          for (const visitor of desk.waiting) {
            const { handoffId } = visitor
            if (offers.some(one => one.handoffId === handoffId)) continue
            const by = passed.find(one => one.handoffId === handoffId)?.liveAgentIds ?? []
            for (const { liveAgent } of desk.able(visitor))
              expect(by.includes(liveAgent.id) || offers.some(one => one.liveAgent.id === liveAgent.id)).toBe(
                true,
              )
          }
          // Decided again at once, nothing changes.
          expect(assigned(desk.roster, desk.view)).toBe(desk.roster)
        }
      }),
      { numRuns: runs(200, 4_000) },
    )
  })

  test('DK613 whoever lets visitors pass, each able live agent is asked once, and then it is over', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }), (people, visitors) => {
        const colleagues = Array.from({ length: people }, (_, at) => colleague(`a${at}`))
        const waiting = waitingIn('sales', ...Array.from({ length: visitors }, (_, at) => `v${at}`))
        let roster = EMPTY
        const asked = new Set<string>()
        for (let round = 0; round <= people + visitors; round++) {
          roster = assigned(roster, view({ colleagues, waiting, now: round * TIME }))
          for (const one of offersOf(roster)) {
            expect(asked).not.toContain(one)
            asked.add(one)
          }
        }
        expect(asked.size).toBe(people * visitors)
        expect(roster.offers).toEqual([])
      }),
      { numRuns: runs(30, 200) },
    )
  })
})
