import type { CallRecorder } from '@colloquy/core/transport'

/** What becomes of the next parts. */
export type RecorderFault = 'fails' | 'hangs' | 'full' | 'gone' | null

/** A recorder that keeps parts in memory, and what was asked of it. */
export function createMemoryRecorder() {
  const parts: Uint8Array[] = []
  const log: string[] = []
  let fault: RecorderFault = null
  let withdrawals = 0
  let failing = 0
  const recorder: CallRecorder = {
    async begin({ call, consent }) {
      log.push(`begin ${call} ${consent.by} ${consent.how}`)
      return {
        async keep(sound) {
          if (fault === 'fails') throw new Error('The disk is full.')
          if (fault === 'hangs') await new Promise(() => undefined)
          if (fault === 'full' || fault === 'gone') return fault
          parts.push(sound.slice())
          return 'kept'
        },
        async end(end) {
          log.push(`end ${end}`)
        },
      }
    },
    async withdraw() {
      withdrawals++
      if (withdrawals <= failing) throw new Error('The store is away.')
      log.push('withdraw')
      parts.length = 0
    },
  }
  return {
    recorder,
    parts,
    log,
    fault(next: RecorderFault) {
      fault = next
    },
    /** So many withdrawals fail. */
    failWithdrawals(count: number) {
      failing = count
    },
    /** The samples of both sides. */
    sides() {
      const bytes = Buffer.concat(parts)
      const side = (from: number): Int16Array =>
        Int16Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt16LE(at * 4 + from))
      return { visitor: side(0), agent: side(2) }
    },
  }
}
