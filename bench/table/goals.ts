import { CONSOLE_ROWS, INTERACTION } from './console-rows.ts'
import { FRAMEWORK_UNITS, FRAMEWORKS, type FrameworkName, frameworkRow } from './framework-rows.ts'
import type { Goal, Key } from './goal.ts'
import { IDLE_BYTES, IDLE_ROW } from './idle-rows.ts'
import {
  against,
  type Figure,
  MESSAGING_ROW,
  ratioOf,
  SERVERS,
  type ServerName,
  UNITS,
} from './messaging-rows.ts'
import { STALL_UNIT, STALLS, STALLS_ROW } from './stall-rows.ts'
import { VOICE_FIGURES, VOICE_ROWS, VOICE_UNITS } from './voice-rows.ts'

const messagingKey = (server: ServerName, figure: Figure): Key => ({
  row: MESSAGING_ROW,
  variant: SERVERS[server],
  unit: UNITS[figure],
})

/** A goal for a figure of the messaging rows against another server, which is the peer or the limit. */
function messaging(
  title: string,
  [figure, other]: readonly [Figure, ServerName],
  bounds: Pick<Goal, 'more' | 'must' | 'aim'>,
): Goal {
  const key = messagingKey(other, figure)
  return {
    title,
    bench: 'messaging',
    project: messagingKey('project', figure),
    ...(other === 'socketIo' ? { peer: key } : { limit: key }),
    judged: { row: MESSAGING_ROW, variant: against(other), unit: ratioOf(figure) },
    ...bounds,
  }
}

const framework = (title: string, atOnce: number, bounds: Pick<Goal, 'must'>): Goal => {
  const key = (name: FrameworkName): Key => ({
    ...{ row: frameworkRow(atOnce), variant: FRAMEWORKS[name].title, unit: FRAMEWORK_UNITS.cpu },
  })
  return {
    ...{ title, bench: 'frameworks', project: key('colloquy-ai-sdk'), peer: key('ai-sdk') },
    ...{ judged: 'itself', more: false, ...bounds },
  }
}

const http = (variant: string): Key => ({ row: 'http', variant, unit: 'CPU µs/request' })

const httpRatio = (variant: string): Key => ({ row: 'http', variant, unit: 'of the CPU' })

const start = (file: string): Key => ({
  row: 'listening',
  variant: `the host of the README, ${file}`,
  unit: 'ms',
})

const sockets = (variant: string): Key => ({
  row: IDLE_ROW,
  variant,
  unit: IDLE_BYTES,
})

/** No load keeps everything else in the process waiting. */
const stall = (variant: (typeof STALLS)[keyof typeof STALLS]): Goal => ({
  title: `longest stall of the event loop, ${variant}`,
  bench: 'stalls',
  project: { row: STALLS_ROW, variant, unit: STALL_UNIT },
  judged: 'itself',
  ...{ more: false, must: 100 },
})

/** A goal for a figure of calls, each way in which they come. */
const voice = (title: string, figure: keyof typeof VOICE_UNITS, must: number): readonly Goal[] =>
  (['sockets', 'webrtc'] as const)
    .filter(way => VOICE_FIGURES[way].some(one => one === figure))
    .map(way => VOICE_ROWS[way])
    .map(row => ({
      title: `${row}: ${title}`,
      bench: 'voice',
      project: { row, variant: 'Colloquy', unit: VOICE_UNITS[figure] },
      judged: 'itself',
      ...{ more: false, must },
    }))

/** Goals of the project: minimums and aims. */
export const GOALS: readonly Goal[] = [
  ...Object.values(STALLS).map(stall),
  messaging('CPU of a durable turn, against Socket.IO with recovery', ['cpu', 'socketIo'], {
    more: false,
    must: 1.4,
    aim: 1.1,
  }),
  messaging('durable turns/s, against Socket.IO with recovery', ['perSecond', 'socketIo'], {
    more: true,
    must: 0.75,
    aim: 1,
  }),
  messaging('the same against the limit', ['perSecond', 'limit'], { more: true, must: 0.35, aim: 0.5 }),
  messaging('turn p99, against the limit', ['p99', 'limit'], { more: false, must: 2.5, aim: 1.5 }),
  messaging('set-ups/s, against Socket.IO with recovery', ['setUps', 'socketIo'], {
    more: true,
    must: 0.5,
    aim: 0.8,
  }),
  messaging('replay of a history, against the minimal SQLite server', ['replay', 'log'], {
    more: false,
    must: 2,
    aim: 1.5,
  }),
  framework('CPU of a turn with a model, against the AI SDK by hand', 1, { must: 2_000 }),
  framework('the same, 32 at a time', 32, { must: 1_500 }),
  {
    title: 'heap of an idle joined session, 10,000 of them, against bare `ws`',
    bench: 'sockets',
    project: sockets('joined session'),
    limit: sockets('bare ws'),
    judged: 'over limit',
    ...{ more: false, must: 1.9, aim: 1.6 },
  },
  {
    title: 'HTTP read, own listener, against bare `node:http`',
    bench: 'http',
    project: http('listener'),
    limit: http('bare'),
    judged: httpRatio('own listener of bare node:http'),
    ...{ more: true, must: 0.5, aim: 0.7 },
  },
  {
    title: 'HTTP read, mounted, against Express doing the same',
    bench: 'http',
    project: http('mounted'),
    peer: http('express'),
    judged: httpRatio('mounted of Express doing the same'),
    ...{ more: true, must: 0.95 },
  },
  {
    title: 'HTTP read, prototypes set at construction, against Express',
    bench: 'http',
    project: http('prototypes'),
    peer: http('express'),
    judged: httpRatio('prototypes set at construction of Express'),
    ...{ more: true, must: 2 },
  },
  {
    title: 'cold start to listening, from `dist`',
    bench: 'start',
    project: start('for the first time'),
    limit: { row: 'listening', variant: 'http, ws and better-sqlite3, by hand', unit: 'ms' },
    judged: 'itself',
    ...{ more: false, must: 350 },
  },
  {
    title: 'start on a file of 1 GB, against an empty one',
    bench: 'start',
    project: start('with 1 GB in its file'),
    limit: start('with nothing in its file'),
    judged: 'over limit',
    ...{ more: false, must: 1.2 },
  },
  {
    title: 'start with 100,000 sleeping conversations, against an empty file',
    bench: 'start',
    project: start('with 100,000 sleeping conversations'),
    limit: start('with nothing in its file'),
    judged: 'over limit',
    ...{ more: false, must: 1.2 },
  },
  ...Object.values(CONSOLE_ROWS).map(
    ({ row }): Goal => ({
      title: `${row}: longest interaction to the next paint`,
      bench: 'console',
      project: { row, variant: 'Colloquy', unit: INTERACTION },
      judged: 'itself',
      ...{ more: false, must: 200 },
    }),
  ),
  ...voice('calls that ended', 'ended', 0),
  ...voice('end of a turn to its first audio, p95', 'turn', 60),
  ...voice('packets that left late, p95', 'sent', 1),
  ...voice('late frames, p95', 'late', 1),
  ...voice('memory of a call', 'memory', 300),
]
