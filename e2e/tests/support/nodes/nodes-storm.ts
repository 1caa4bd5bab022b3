import { createRandom, type Random } from '@colloquy/test-support/random'
import { type Crowd, gather } from '../storm/storm.ts'
import { type Lengths, MISHAPS, type MishapName } from './mishaps.ts'
import { type NodePrograms, type Nodes, startNodes } from './nodes.ts'

/** How bad it gets. */
export interface NodesStormOptions {
  readonly seed: number
  readonly rounds: number
  readonly sessions: number
  readonly programs: NodePrograms
  readonly lengths: Lengths
  /** How far the clock of a node may be off, milliseconds. */
  readonly clockError: number
  /** Told of each mishap. */
  readonly tell: (line: string) => void
}

/** What is left when it is over: everybody has what they wanted, and all nodes run. */
export interface NodesStorm {
  readonly nodes: Nodes
  readonly crowd: Crowd
  readonly figures: Readonly<Record<string, number>>
}

/** Mishaps of a round, and the frames that come before each of them: at least, and at most. */
const MISHAPS_A_ROUND = 3
const FRAMES = { least: 50, most: 1_500 } as const

/** How long nothing may come to anybody, milliseconds. */
const SILENCE = 120_000

/** Waits for it, and gives up with everybody's standing once nothing has come for too long. */
async function unlessStuck(nodes: Nodes, crowd: Crowd, work: Promise<unknown>): Promise<void> {
  let frames = -1
  let watch: NodeJS.Timeout | undefined
  const stuck = new Promise<never>((_, reject) => {
    watch = setInterval(() => {
      if (crowd.frames() === frames)
        reject(
          new Error(
            [`Nothing has come for ${SILENCE} ms.`, ...crowd.standing(), ...nodes.lastWords()].join('\n'),
          ),
        )
      frames = crowd.frames()
    }, SILENCE)
  })
  await Promise.race([work, stuck]).finally(() => clearInterval(watch))
}

/** All mishaps in some order, again and again: each happens as often as the others. */
function* inTurn(random: Random): Generator<MishapName, never> {
  const all = Object.keys(MISHAPS) as MishapName[]
  for (;;) {
    const left = [...all]
    while (left.length > 0) yield* left.splice(random.below(left.length), 1)
  }
}

/** Lets visitors talk with three nodes while one thing after the other goes wrong. */
export async function runNodesStorm(options: NodesStormOptions): Promise<NodesStorm> {
  const { seed, rounds, sessions, programs, lengths, clockError, tell } = options
  const random = createRandom(seed)
  const nodes = await startNodes(['one', 'two', 'three'], { programs, clockError, random })
  const crowd = await gather(nodes.url, sessions, random)
  const names = inTurn(random)
  if (nodes.nodes.some(({ cable }) => cable === null))
    tell('No cable is pulled out: namespaces of the network take Linux, root and ip.')
  let mishaps = 0
  for (let round = 0; round < rounds; round += 1) {
    crowd.play(round)
    for (let count = 0; count < MISHAPS_A_ROUND; count += 1) {
      const target = crowd.frames() + FRAMES.least + random.below(FRAMES.most - FRAMES.least)
      await unlessStuck(
        nodes,
        crowd,
        Promise.race([crowd.signal.until(() => crowd.frames() >= target), crowd.satisfied()]),
      )
      const name = names.next().value
      const node = nodes.nodes[random.below(nodes.nodes.length)]
      if (node === undefined) throw new Error('There is no node.')
      tell(`round ${round}, after ${crowd.frames()} frames: ${name} (${node.name})`)
      await MISHAPS[name]({ nodes, node, lengths, random })
      mishaps += 1
    }
  }
  await unlessStuck(nodes, crowd, crowd.finish())
  return { nodes, crowd, figures: { rounds, mishaps, ...crowd.figures() } }
}
