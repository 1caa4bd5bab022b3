import { LIVE, openBench, START, said } from '@colloquy/test-support/semantic-search/bench'
import { createToyEmbedder, toyVector } from '@colloquy/test-support/semantic-search/toy-embedder'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../../src/memory/index.ts'
import type { Embedder } from '../../../src/ports/embedder.ts'
import { embedWithin } from '../../../src/shared/embed-within.ts'
import {
  aConversation,
  anAppend,
  createFakeClock,
  createScriptedRuntime,
} from '../../../src/testing/index.ts'

const HOUR = 3_600_000
const hung = () => new Promise<never>(() => {})
const failing = () => Promise.reject(new Error('the model is down'))

/** The texts that were asked for, without those by which the embedder is tried. */
const textsOf = (asked: readonly (readonly string[])[]) =>
  asked.flat().filter(text => !text.startsWith('Hello at '))

describe('embedding', () => {
  it('RC47 embeds what is said half a second after it was written, and what was said before, newest first', async () => {
    const store = createMemoryStore()
    const old = Array.from({ length: 40 }, (_, at) => `old ${at} dog`)
    await store.conversations.create(aConversation('AS-old', { turns: old.map(text => said(text)) }))
    const { platform, create, clock, asked, search } = openBench(store)
    await clock.settle()
    expect(textsOf(asked)).toEqual(old.toReversed())
    expect(asked.map(texts => texts.length)).toEqual([16, 16, 8])
    await create('AS-new', { turns: [said('my puppy', 'is here')] })
    expect(await search('hound')).toEqual(['AS-old'])
    await clock.advance(500)
    expect(await search('hound')).toEqual(['AS-new', 'AS-old'])
    expect(asked.at(-2)).toEqual(['my puppy', 'is here'])
    await platform.close()
  })

  it('RC47 embeds so much of a text and no more, and asks for nothing where nothing was said', async () => {
    const { platform, create, clock, asked } = openBench(createMemoryStore(), {
      semanticSearch: { textLength: 5 },
    })
    await create('AS-1', { turns: [said('  ', ''), said(' dog and cat ')] })
    await create('AS-debug', { turns: [said('hidden')], index: { listed: false } })
    await clock.advance(1_000)
    expect(asked).toEqual([['dog a']])
    await platform.close()
  })

  it('RC47 a process without workers embeds nothing, but searches', async () => {
    const store = createMemoryStore()
    const { platform, create, clock, asked, search } = openBench(store, { workers: false })
    await create('AS-1', { turns: [said('dog')] })
    await clock.advance(1_000)
    expect(asked).toEqual([])
    expect(await search('dog')).toEqual([])
    await platform.close()
  })

  it('RC47 a batch that fails is tried again a minute later; nothing is lost', async () => {
    const { platform, create, clock, asked, state, search, messages } = openBench(createMemoryStore())
    for (const spoil of [
      failing,
      async () => [],
      async (texts: readonly string[]) => texts.map(() => Float32Array.of(Number.NaN)),
    ]) {
      state.spoil = spoil
      const id = `AS-${asked.length}`
      await create(id, { turns: [said('a dog')] })
      await clock.advance(500)
      const tries = asked.length
      await clock.advance(59_000)
      expect(asked).toHaveLength(tries)
      state.spoil = null
      await clock.advance(2_000)
      expect(await search('puppy')).toContain(id)
    }
    expect(messages().filter(message => message === 'Turns could not be embedded.')).toHaveLength(3)
    await platform.close()
  })

  it('RC47 an embedder that hangs is given up, and its turns are tried again', async () => {
    const { platform, create, clock, state, search, told } = openBench(createMemoryStore())
    state.spoil = hung
    await create('AS-1', { turns: [said('a dog')] })
    await clock.advance(500 + 60_000)
    expect(told).toContainEqual([
      'warn',
      'Turns could not be embedded.',
      { embedder: 'toy@1', error: expect.objectContaining({ message: expect.stringContaining('30000 ms') }) },
    ])
    state.spoil = null
    await clock.advance(61_000)
    expect(await search('puppy')).toEqual(['AS-1'])
    await platform.close()
  })

  it('RC47 a turn that the embedder never takes is passed over alone, and all others are embedded', async () => {
    const { platform, create, embedAll, state, search, told, asked } = openBench(createMemoryStore())
    state.spoil = async texts => {
      if (texts.some(text => text.includes('poison'))) throw new Error('cannot read this')
      return texts.map(toyVector)
    }
    for (let at = 0; at < 60; at++)
      await create(`AS-${100 + at}`, { turns: [said(at === 30 || at === 41 ? `poison dog ${at}` : 'a dog')] })
    await embedAll()
    expect(await search('puppy')).toHaveLength(58)
    expect(told.filter(([, message]) => message === 'A turn is passed over.')).toEqual([
      [
        'warn',
        'A turn is passed over.',
        { embedder: 'toy@1', conversation: 'AS-141', error: expect.any(Error) },
      ],
      [
        'warn',
        'A turn is passed over.',
        { embedder: 'toy@1', conversation: 'AS-130', error: expect.any(Error) },
      ],
    ])
    const alone = asked.filter(texts => texts.length === 1 && texts[0]?.includes('poison'))
    expect(alone).toHaveLength(4)
    // After the last of them batches grow again; the last one has what is left.
    const sizes = asked.slice(0, -1).map(texts => texts.length)
    expect(sizes.slice(sizes.lastIndexOf(1) + 1, -1)).toEqual([2, 4, 8])
    await platform.close()
  })

  it('RC47 an outage passes nothing over, however long it takes', async () => {
    const { platform, create, clock, state, search, messages } = openBench(createMemoryStore())
    const known = new Map<string, Float32Array>()
    const remember = (texts: readonly string[]) => {
      for (const text of texts) known.set(text, toyVector(text))
      return texts.map(toyVector)
    }
    let down = false
    // What it has done before it does also while its model is down.
    state.spoil = async texts => {
      if (down && !texts.every(text => known.has(text))) return failing()
      return remember(texts)
    }
    await create('AS-0', { turns: [said('Hello.', 'Hi')] })
    await clock.advance(500)
    down = true
    await create('AS-1', { turns: [said('a dog')] })
    await clock.advance(HOUR)
    down = false
    await clock.advance(61_000)
    expect(await search('puppy')).toEqual(['AS-1'])
    expect(messages()).not.toContain('A turn is passed over.')
    await platform.close()
  })

  it('RC47 a store that fails passes nothing over: its turn is embedded once the claim is out of time', async () => {
    const store = createMemoryStore()
    let failures = 3
    const errors: string[] = []
    const { turnVectors } = store.conversations
    const keep: typeof turnVectors.keep = async (...given) => {
      if (failures-- > 0) throw new Error('the disk is full')
      return turnVectors.keep(...given)
    }
    const conversations = { ...store.conversations, turnVectors: { ...turnVectors, keep } }
    const onError = (_: unknown, where: string) => errors.push(where)
    const { platform, create, clock, search, messages } = openBench({ ...store, conversations }, { onError })
    await create('AS-1', { turns: [said('a dog')] })
    await clock.advance(10 * 60_000)
    expect(errors).toEqual(['turn embedder', 'turn embedder', 'turn embedder'])
    expect(await search('puppy')).toEqual(['AS-1'])
    expect(new Set(messages())).toEqual(new Set(['A background worker works again.']))
    await platform.close()
  })

  it('RC47 a visitor is answered while the embedder hangs', async () => {
    const clock = createFakeClock()
    const runtime = createScriptedRuntime({ greeting: 'Welcome.', otherwise: 'Well.' }, clock)
    const { platform, state, asked } = openBench(createMemoryStore(), { runtime }, { clock })
    state.spoil = hung
    const visitor = await openVisitor(platform, clock)
    await visitor.join()
    await clock.advance(500)
    expect(asked).toEqual([['Welcome.']])
    await visitor.say('Hello')
    await visitor.say('Again')
    await clock.advance(500)
    expect(visitor.texts('AI_AGENT_MESSAGE')).toEqual(['Welcome.', 'Well.', 'Well.'])
    await platform.close()
  })
})

describe('what the host hears', () => {
  it('RC49 the log tells that turns wait, once a minute, and that they wait no more; it holds no text', async () => {
    const store = createMemoryStore()
    const turns = Array.from({ length: 130 }, (_, at) => said(`secret ${at}`))
    await store.conversations.create(aConversation('AS-1', { turns }))
    const { platform, clock, state, told } = openBench(store)
    state.spoil = texts => new Promise(resolve => clock.schedule(25_000, () => resolve(texts.map(toyVector))))
    await clock.advance(4 * 60_000)
    expect(told).toEqual([
      ['warn', 'Turns wait to be embedded.', { embedder: 'toy@1', embedded: 64, since: START + 25_000 }],
      ['warn', 'Turns wait to be embedded.', { embedder: 'toy@1', embedded: 112, since: START + 25_000 }],
      ['info', 'Turns are embedded.', { embedder: 'toy@1', turns: 130 }],
    ])
    expect(JSON.stringify(told)).not.toContain('secret')
    await platform.close()
  })

  it('RC49 the reason is that time was over, whatever an embedder says when it is called off', async () => {
    const clock = createFakeClock()
    const embedder: Embedder = {
      id: 'slow',
      embed: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('I was called off')))
        }),
    }
    const embedding = embedWithin({ embedder, clock }, ['a', 'b'], 10)
    const outcome = embedding.catch((error: unknown) => error)
    await clock.advance(10)
    expect(await outcome).toEqual(new Error('The embedder took longer than 10 ms for 2 texts.'))
    expect(clock.pending).toBe(0)
  })

  it('RC49 what is embedded as it comes is not worth a line', async () => {
    const { platform, create, clock, told } = openBench(createMemoryStore())
    for (let at = 0; at < 5; at++) {
      await create(`AS-${at}`, { turns: [said('dog')] })
      await clock.advance(500)
    }
    expect(told).toEqual([])
    await platform.close()
  })
})

describe('embedders and processes', () => {
  it('RC51 under another id all is embedded anew; the old vectors go an hour after their last use', async () => {
    const store = createMemoryStore()
    const shared = { ...store, close: async () => {} }
    const first = openBench(shared)
    await first.create('AS-1', { turns: [said('a dog')] })
    await first.embedAll()
    await first.platform.close()
    const toy = createToyEmbedder('toy@2')
    const idle = openBench(shared, { workers: false }, { toy, clock: first.clock })
    expect(await idle.search('puppy')).toEqual([])
    const second = openBench(shared, {}, { toy, clock: first.clock })
    await second.embedAll()
    expect(await second.search('puppy')).toEqual(['AS-1'])
    const left = async () => {
      const step = await store.conversations.turnVectors.next('toy@1', LIVE, null, 9)
      return step.conversations.length
    }
    await first.clock.advance(HOUR - 60_000)
    expect(await left()).toBe(1)
    await first.clock.advance(2 * 60_000)
    expect(await left()).toBe(0)
    expect(await second.search('puppy')).toEqual(['AS-1'])
    await second.platform.close()
  })

  it('RC51 two processes embed each turn once; when one dies another goes on', async () => {
    const store = createMemoryStore()
    const shared = { ...store, close: async () => {} }
    const first = openBench(shared)
    const second = openBench(shared, {}, { clock: first.clock })
    for (const { state } of [first, second])
      state.spoil = texts =>
        new Promise(resolve => first.clock.schedule(20_000, () => resolve(texts.map(toyVector))))
    const texts = Array.from({ length: 50 }, (_, at) => `dog ${at}`)
    await first.create('AS-1', { turns: texts.map(text => said(text)) })
    await first.clock.advance(2 * 60_000)
    for (const { state } of [first, second]) state.spoil = null
    expect([...textsOf(first.asked), ...textsOf(second.asked)].toSorted()).toEqual(texts.toSorted())
    await second.platform.close()
    await first.create('AS-2', { turns: [said('a puppy')] })
    const now = first.clock.now()
    // What a process leaves behind that is killed while it embeds.
    await store.conversations.turnVectors.claim('toy@1', 9, now, now + 65_000)
    await first.clock.advance(64_000)
    expect(await first.search('hound')).toEqual(['AS-1'])
    await first.clock.advance(1_500)
    expect(await first.search('hound')).toEqual(['AS-1', 'AS-2'])
    await first.platform.close()
  })

  it('RC51 a process that closes gives back what it is embedding', async () => {
    const store = createMemoryStore()
    const shared = { ...store, close: async () => {} }
    const first = openBench(shared)
    first.state.spoil = hung
    const made = aConversation('AS-1', { turns: [said('a dog')] })
    await store.conversations.create(made)
    await first.clock.advance(500)
    expect(first.asked).toHaveLength(1)
    await first.platform.close()
    expect(first.messages()).toEqual([])
    await store.conversations.append(anAppend(made, 1, { turns: [said('a van')] }))
    const second = openBench(shared, {}, { clock: first.clock })
    await second.embedAll()
    expect(second.asked.flat()).toEqual(['a van', 'a dog'])
    await second.platform.close()
  })
})
