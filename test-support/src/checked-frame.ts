import { sendFrame as sendPlain } from '../../packages/core/src/usecases/messaging/send-frame.ts'
import { checkVisitorFrame } from './declared-frames.ts'

/** Stands in for core's own in all tests (`vitest.config.ts`): every frame to a visitor is compared with its schema (MS42). */
export const sendFrame: typeof sendPlain = (port, frame, cursor, failed) => {
  checkVisitorFrame(frame)
  sendPlain(port, frame, cursor, failed)
}
