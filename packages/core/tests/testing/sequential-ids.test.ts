import { describe, expect, it } from 'vitest'
import { createSequentialIds } from '../../src/testing/sequential-ids.ts'

const take = (count: number, draw: () => string) => Array.from({ length: count }, draw)

describe('sequential ids', () => {
  it('SY3 are the same in every run, each kind counted for itself', () => {
    const [one, other] = [createSequentialIds(), createSequentialIds()]
    take(3, one.short)
    expect(take(2, one.uuid)).toEqual(take(2, other.uuid))
    expect(take(1, one.secret)).toEqual(take(1, other.secret))
    expect(one.short()).toBe('s00000000004')
    expect(other.short()).toBe('s00000000001')
  })

  it('SY3 never repeat', () => {
    const ids = createSequentialIds()
    const drawn = [...take(2_000, ids.uuid), ...take(2_000, ids.short), ...take(2_000, ids.secret)]
    expect(new Set(drawn).size).toBe(6_000)
  })

  it('SY3 have the form that the port promises', () => {
    const ids = createSequentialIds()
    for (const uuid of take(20, ids.uuid)) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    expect(ids.short()).toMatch(/^[A-Za-z0-9]{12}$/)
    expect(ids.secret()).toMatch(/^[A-Za-z0-9_-]{32,}$/)
  })
})
