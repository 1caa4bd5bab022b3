import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@colloquy/test-support/random'
import type { Nodes, StormNode } from './nodes.ts'

/** How long something may be away, milliseconds. */
export interface Lengths {
  /** Of a server that is killed, until it is started again. */
  readonly away: number
  /** Of a way that is cut off. */
  readonly cut: number
  /** Of a process that stands still. */
  readonly stopped: number
}

interface Scene {
  readonly nodes: Nodes
  /** The node that it happens to. */
  readonly node: StormNode
  readonly lengths: Lengths
  readonly random: Random
}

/** Makes something go wrong, and resolves when it is over. */
export type Mishap = (scene: Scene) => Promise<void>

const upTo = (random: Random, longest: number): number => random.below(longest + 1)

/** All that goes wrong in clusters, by name. */
export const MISHAPS = {
  async 'a node is killed'({ node, lengths, random }) {
    await node.kill()
    await pause(upTo(random, lengths.away))
    await node.start()
  },
  async 'half of the connections to the database are ended'({ nodes }) {
    await nodes.database.endConnections(0.5)
  },
  async 'the database is restarted at once'({ nodes, lengths, random }) {
    await nodes.database.kill()
    await pause(upTo(random, lengths.away))
    await nodes.database.start()
  },
  async 'the broker is killed and comes back'({ nodes, lengths, random }) {
    await nodes.broker.kill()
    await pause(upTo(random, lengths.away))
    await nodes.broker.start()
  },
  async 'a node and the broker are cut off from each other'({ node, lengths, random }) {
    node.ways.broker.swallow()
    await pause(upTo(random, lengths.cut))
    node.ways.broker.heal()
  },
  async 'a node is cut off from everything'({ node, lengths, random }) {
    const ways = Object.values(node.ways)
    for (const way of ways) way.swallow()
    await pause(upTo(random, lengths.cut))
    for (const way of ways) way.heal()
  },
  async 'the cable of a node is pulled out'({ node, lengths, random }) {
    await node.cable?.pullOut()
    await pause(upTo(random, lengths.cut))
    await node.cable?.putIn()
  },
  async 'the clock of a node steps'({ node }) {
    node.stepClock()
  },
  async 'a node stands still'({ node, lengths }) {
    node.pause()
    await pause(lengths.stopped)
    node.resume()
  },
} as const satisfies Readonly<Record<string, Mishap>>

export type MishapName = keyof typeof MISHAPS
