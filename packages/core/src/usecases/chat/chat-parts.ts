import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import type { PinningParts } from '../shared/pinning.ts'

/** The dependencies of turn-based chats. */
export interface ChatParts extends Context, PinningParts {
  readonly engine: Engine
}
