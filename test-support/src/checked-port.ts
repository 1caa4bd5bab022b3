import { GuardedPort as Plain } from '../../packages/core/src/usecases/messaging/guarded-port.ts'
import { checkVisitorFrame } from './declared-frames.ts'

/** Stands in for core's own in all tests (`vitest.config.ts`): every frame to a visitor is compared with its schema (MS42). */
export class GuardedPort extends Plain {
  override send(frame: string, cursor: number): void {
    checkVisitorFrame(frame)
    super.send(frame, cursor)
  }
}
