import { describe, expect, it } from 'vitest'
import { createBackground } from '../../src/system/background.ts'

/** An event loop whose clock goes on by one millisecond for each step. */
function createLoop() {
  let time = 0
  const seen: string[] = []
  return {
    seen,
    *work(name: string, steps: number) {
      for (let step = 0; step < steps; step += 1) {
        seen.push(name)
        time += 1
        yield
      }
      return name
    },
    now: () => time,
    turn: async () => {
      seen.push('|')
    },
  }
}

describe('work in the background', () => {
  it('IX6 lets everything else have its turn between slices, and works take turns', async () => {
    const loop = createLoop()
    const background = createBackground(loop)
    const works = [background.run(loop.work('a', 4)), background.run(loop.work('b', 3))]
    expect(await Promise.all(works)).toEqual(['a', 'b'])
    expect(loop.seen.join('')).toBe('|aa|bb|aa|b|')
    expect(await background.run(loop.work('c', 1))).toBe('c')
  })

  it('IX6 hands what a step throws to whoever gave the work, and goes on with the others', async () => {
    const loop = createLoop()
    const background = createBackground(loop)
    const failing = (function* () {
      yield
      throw new Error('broken')
    })()
    const works = [background.run(failing), background.run(loop.work('a', 5))]
    expect(await Promise.allSettled(works)).toMatchObject([{ reason: { message: 'broken' } }, { value: 'a' }])
  })
})
