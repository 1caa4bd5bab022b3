import { getEventListeners } from 'node:events'
import { type Log, silentLog } from '@colloquy/core'
import { afterAll, describe, expect, it } from 'vitest'
import { PARAPHRASES, TOPICS } from '../src/front-desk.ts'
import { openFrontDesk } from '../src/host.ts'
import { createLocalEmbedder } from '../src/index.ts'

const embedder = createLocalEmbedder()
afterAll(() => embedder.close())

/** Resolves when the topics are embedded. */
async function openEmbedded() {
  let done: () => void = () => undefined
  const embedded = new Promise<void>(resolve => {
    done = resolve
  })
  const log: Log = { ...silentLog, info: message => message === 'Topics are embedded.' && done() }
  const desk = await openFrontDesk(embedder, log)
  await embedded
  return desk
}

const contentOf = (name: string) => TOPICS.find(topic => topic.name === name)?.content

const spent = (usage: NodeJS.CpuUsage): number => usage.user + usage.system

describe('local embedder', () => {
  it('finds paraphrases that words alone do not find', async () => {
    const words = await openFrontDesk(null, silentLog)
    const meanings = await openEmbedded()
    for (const { question, topic } of PARAPHRASES) {
      expect(await words.ask(question), question).not.toBe(contentOf(topic))
      expect(await meanings.ask(question), question).toBe(contentOf(topic))
    }
    expect(await meanings.ask('who won the football world cup in 1966')).toMatch(/^Sorry/)
    await words.platform.close()
    await meanings.platform.close()
  })

  it('lets the event loop go on, gives equal texts equal vectors, and stops for a signal', async () => {
    const { signal } = new AbortController()
    const texts = ['a dog', 'a cat', 'a dog', ...Array.from({ length: 60 }, (_, i) => `a bird ${i}`)]
    // Its own share of the work: a collection of garbage may be the most of one try, and is not of all.
    let share = 1
    let vectors: readonly Float32Array[] = []
    for (let tries = 0; tries < 10 && share > 0.25; tries++) {
      const [whole, own] = [process.cpuUsage(), process.threadCpuUsage()]
      vectors = await embedder.embed(texts, signal)
      share = Math.min(share, spent(process.threadCpuUsage(own)) / spent(process.cpuUsage(whole)))
    }
    expect(share).toBeLessThan(0.25)
    const [one, , again] = vectors
    expect(one).toHaveLength(512)
    expect(again).toEqual(one)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    const given = new AbortController()
    const embedding = embedder.embed(['a bird'], given.signal)
    given.abort(new Error('given up'))
    await expect(embedding).rejects.toThrow('given up')
    expect(getEventListeners(given.signal, 'abort')).toEqual([])
  })

  it('rejects what was under way when its thread ends, and begins anew', async () => {
    const { signal } = new AbortController()
    const other = createLocalEmbedder()
    const embedding = other.embed(['a dog'], signal)
    const rejected = expect(embedding).rejects.toThrow('The thread of the embedder has ended.')
    await other.close()
    await rejected
    expect(await other.embed(['a dog'], signal)).toHaveLength(1)
    await other.close()
  })
})
