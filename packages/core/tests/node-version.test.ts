import { nodeObjection } from '@colloquy/core/node'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

test.each(['22.18.0', '22.23.3', '24.0.0', '26.12.1', '23.0.0-nightly'])(
  'SQ111 Node %s is accepted',
  version => {
    expect(nodeObjection(version)).toBeNull()
  },
)

test.each(['22.17.1', '22.0.0', '20.20.2', '18.19.0', ''])(
  'SQ111 Node "%s" is refused, with the oldest that is accepted',
  version => {
    const oldest = manifest.engines.node.replace('>=', '')
    expect(nodeObjection(version)).toBe(
      `Node ${version} is too old for Colloquy. Use Node ${oldest} or newer.`,
    )
  },
)
