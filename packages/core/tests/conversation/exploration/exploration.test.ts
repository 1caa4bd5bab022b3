import { expect, it } from 'vitest'
import { explore } from './explore.ts'

it('CM43 x', () => {
  
  for (const s of [
    { name: 'server', mode: 'server', kind: 'messaging', deployed: true, idle: 3, queueTimeout: 2 },
    { name: 'short idle', mode: 'server', kind: 'messaging', deployed: true, idle: 1, queueTimeout: 2 },
    { name: 'client', mode: 'client', kind: 'messaging', deployed: true, idle: 3, queueTimeout: 2 },
    { name: 'debug', mode: 'server', kind: 'debug', deployed: true, idle: 3, queueTimeout: 2 },
    { name: 'undeployed', mode: 'server', kind: 'messaging', deployed: false, idle: 2, queueTimeout: 1 },
  ] as const) {
  const t = performance.now()
  console.log(s.name, explore(s), performance.now() - t)
  }
  expect(1).toBe(1)
}, 100000)
