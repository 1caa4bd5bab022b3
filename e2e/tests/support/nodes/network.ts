import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const run = promisify(execFile)
const ip = (...args: readonly string[]): Promise<unknown> => run('ip', args)

/** A namespace of the network with one cable, which can be pulled out. */
export interface Plug {
  /** Its own address. */
  readonly address: string
  /** What runs a program there: the command, and the arguments before the program's own. */
  readonly within: readonly string[]
  /** From now on every packet is lost, in either direction. No connection hears of it. */
  pullOut(): Promise<void>
  putIn(): Promise<void>
}

/** A network of this machine and of namespaces beside it. It ends with the test. */
export interface Network {
  /** This machine's address in it. */
  readonly address: string
  plug(): Promise<Plug>
}

/** The first machine beside this one. */
const FIRST_HOST = 11

/**
 * A bridge with namespaces on it, in the range that is kept for such tests (RFC 2544). Null where the system lets
 * nobody make one: that takes root, Linux and `ip`.
 */
export async function createNetwork(): Promise<Network | null> {
  const range = `198.18.${process.pid % 256}`
  const bridge = `cq${process.pid % 100_000}`
  const namespaces: string[] = []
  onTestFinished(async () => {
    for (const namespace of namespaces) await ip('netns', 'del', namespace).catch(() => undefined)
    await ip('link', 'del', bridge).catch(() => undefined)
  })
  try {
    await ip('link', 'add', bridge, 'type', 'bridge')
    await ip('addr', 'add', `${range}.1/24`, 'dev', bridge)
    await ip('link', 'set', bridge, 'up')
    const probe = `${bridge}p`
    await ip('netns', 'add', probe)
    await ip('netns', 'del', probe)
  } catch {
    return null
  }
  return {
    address: `${range}.1`,
    async plug() {
      const namespace = `${bridge}n${namespaces.length}`
      const cable = `${bridge}c${namespaces.length}`
      const address = `${range}.${FIRST_HOST + namespaces.length}`
      namespaces.push(namespace)
      await ip('netns', 'add', namespace)
      await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      await ip('link', 'set', cable, 'master', bridge)
      await ip('link', 'set', cable, 'up')
      await ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
      await ip('-n', namespace, 'link', 'set', 'eth0', 'up')
      await ip('-n', namespace, 'link', 'set', 'lo', 'up')
      return {
        address,
        within: ['ip', 'netns', 'exec', namespace],
        async pullOut() {
          await ip('link', 'set', cable, 'nomaster')
        },
        async putIn() {
          await ip('link', 'set', cable, 'master', bridge)
        },
      }
    },
  }
}
