import { fromBase64, toBase64 } from '../../domain/base64.ts'
import type { AudioOrder, CachedAudio } from '../../domain/voice/cached-audio.ts'
import type { AudioCacheStore, HeldAudio } from '../../ports/store/audio-cache.ts'
import { absent, changed, type Guarded, unchanged, versioned } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import {
  CACHED_AUDIO,
  CACHED_BYTES,
  CACHED_SOUND,
  type CachedBytes,
  type CachedSound,
  type HeldEntry,
} from '../kinds.ts'

/** The number of sounds to read at a time when some have to be dropped. */
const LOOKED_AT_ONCE = 50

const VALUES: { readonly [Order in AudioOrder]: (entry: CachedAudio) => number } = {
  cachedAt: ({ cachedAt }) => cachedAt,
  hitCount: ({ hitCount }) => hitCount,
  duration: ({ milliseconds }) => milliseconds,
}

const written = ({ audio, entry }: HeldAudio, writes: number) => [
  { kind: CACHED_AUDIO, value: { entry, writes } },
  {
    kind: CACHED_SOUND,
    value: { id: entry.id, agentId: entry.agentId, audio: toBase64(audio), version: entry.version },
  },
]

const dropped = (id: string) => [
  { kind: CACHED_AUDIO, id },
  { kind: CACHED_SOUND, id },
]

const toHeld = ({ entry }: HeldEntry, { audio }: CachedSound): HeldAudio => ({
  entry,
  audio: fromBase64(audio),
})

/** Returns the sounds to remove, and the new sums of bytes, so that a written sound fits into its account's bound. */
async function fitted(
  { each, scan }: Guarded,
  { accountId, agentId, bytes, id }: CachedAudio,
  before: number,
  limit: number,
) {
  const counted = await scan(CACHED_BYTES, 'account', { prefix: [accountId] })
  const sums = new Map(counted.map(one => [one.agentId, one.bytes]))
  const add = (to: string, more: number) => sums.set(to, (sums.get(to) ?? 0) + more)
  const gone: HeldEntry[] = []
  let total = counted.reduce((sum, one) => sum + one.bytes, bytes - before)
  if (total > limit)
    for await (const held of each(CACHED_AUDIO, 'account', {
      prefix: [accountId],
      limit: LOOKED_AT_ONCE,
    })) {
      if (held.entry.id === id) continue
      gone.push(held)
      add(held.entry.agentId, -held.entry.bytes)
      total -= held.entry.bytes
      if (total <= limit) break
    }
  const fits = total <= limit
  add(agentId, (fits ? bytes : 0) - before)
  const sumsToPut = [...sums].flatMap(([of, bytes]) => {
    const was = counted.find(one => one.agentId === of)
    if (was?.bytes === bytes) return []
    return [
      was === undefined ? versioned({ accountId, agentId: of, bytes }) : changed<CachedBytes>(was, { bytes }),
    ]
  })
  return {
    fits,
    when: [
      ...counted.map(one => unchanged(CACHED_BYTES, one)),
      ...gone.map(held => unchanged(CACHED_AUDIO, held)),
      { kind: CACHED_BYTES, index: 'account', prefix: [accountId], atMost: counted.length },
    ],
    put: sumsToPut.map(value => ({ kind: CACHED_BYTES, value })),
    remove: [...gone.flatMap(({ entry }) => dropped(entry.id)), ...(fits ? [] : dropped(id))],
  }
}

/** Reads a sound at the version of its entry, however often that changes meanwhile. */
async function read({ one }: Guarded, agentId: string, id: string): Promise<HeldAudio | null> {
  for (;;) {
    const held = await one(CACHED_AUDIO, id)
    if (held?.entry.agentId !== agentId) return null
    const sound = await one(CACHED_SOUND, id)
    if (sound === null) return null
    const still = await one(CACHED_AUDIO, id)
    if (still?.entry.version === held.entry.version) return toHeld(held, sound)
  }
}

/** Sounds of agents. The total bytes of an agent's sounds are counted, so that nobody has to add them up. */
export function audioCacheOver(over: Guarded): AudioCacheStore {
  const { decided, one, scan } = over
  return {
    add: (held, limit) =>
      decided(async () => {
        const { id } = held.entry
        if ((await one(CACHED_AUDIO, id)) !== null) return { result: 'taken' }
        const { fits, put, remove, when } = await fitted(over, held.entry, 0, limit)
        return {
          when: [absent(CACHED_AUDIO, id), ...when],
          put: [...(fits ? written(held, 1) : []), ...put],
          remove,
          result: 'added',
        }
      }),
    use: (id, at) =>
      decided<HeldAudio | null>(async () => {
        const held = await one(CACHED_AUDIO, id)
        // After its entry: if that is unchanged when it is written, these are its bytes.
        const sound = held && (await one(CACHED_SOUND, id))
        if (held === null || sound === null) return { result: null }
        const { hitCount, usedAt } = held.entry
        const entry = { ...held.entry, hitCount: hitCount + 1, usedAt: Math.max(usedAt, at) }
        const value = { entry, writes: held.writes + 1 }
        return {
          when: [unchanged(CACHED_AUDIO, held)],
          put: [{ kind: CACHED_AUDIO, value }],
          result: toHeld(value, sound),
        }
      }),
    async find(agentId, id) {
      const held = await one(CACHED_AUDIO, id)
      return held?.entry.agentId === agentId ? held.entry : null
    },
    read: (agentId, id) => read(over, agentId, id),
    async list(agentId, { order, descending, offset, limit }) {
      const held = await scan(CACHED_AUDIO, 'agent', { prefix: [agentId] })
      const value = VALUES[order]
      const sign = descending ? -1 : 1
      const entries = held.map(({ entry }) => entry).sort((one, other) => sign * (value(one) - value(other)))
      return { entries: entries.slice(offset, offset + limit), totalCount: entries.length }
    },
    replace: (expectedVersion, next, limit, outbox) =>
      decided(async () => {
        const { id } = next.entry
        const held = await one(CACHED_AUDIO, id)
        if (held?.entry.version !== expectedVersion) return { result: 'stale' }
        const { bytes, hitCount, usedAt } = held.entry
        const { fits, put, remove, when } = await fitted(over, next.entry, bytes, limit)
        const value = { ...next, entry: { ...next.entry, hitCount, usedAt } }
        return {
          when: [unchanged(CACHED_AUDIO, held), ...when],
          put: [...(fits ? written(value, held.writes + 1) : []), ...put],
          remove,
          outbox,
          result: 'written',
        }
      }),
    remove: (agentId, id, outbox) =>
      decided(async () => {
        const held = await one(CACHED_AUDIO, id)
        if (held?.entry.agentId !== agentId) return { result: false }
        const counted = await one(CACHED_BYTES, idOf(held.entry.accountId, agentId))
        const value = counted && changed<CachedBytes>(counted, { bytes: counted.bytes - held.entry.bytes })
        return {
          when: [
            unchanged(CACHED_AUDIO, held),
            ...(counted === null ? [] : [unchanged(CACHED_BYTES, counted)]),
          ],
          put: value === null ? [] : [{ kind: CACHED_BYTES, value }],
          remove: dropped(id),
          outbox,
          result: true,
        }
      }),
  }
}
