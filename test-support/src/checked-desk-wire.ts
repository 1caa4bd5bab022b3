import { deskEventOnWire as plain } from '../../packages/core/src/http/desk-wire.ts'
import { checkDeskFrame } from './declared-frames.ts'

// Stands in for core's own in all tests (`vitest.config.ts`).
export {
  colleagueOnWire,
  handoffOnWire,
  handoffWithTranscriptOnWire,
  noteOnWire,
  summaryOnWire,
  visitorOnWire,
} from '../../packages/core/src/http/desk-wire.ts'

/** As core's own; every frame is compared with its schema (MS42). */
export const deskEventOnWire: typeof plain = event => {
  const frame = plain(event)
  checkDeskFrame(frame)
  return frame
}
