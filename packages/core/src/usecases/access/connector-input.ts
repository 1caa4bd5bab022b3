import type { HandoffSettings } from '../../domain/access/access.ts'
import type { Environment } from '../../domain/environment.ts'

/** A new connector, or what a change of one may carry. */
export interface ConnectorInput {
  readonly environment: Environment
  readonly hosts: readonly string[]
  /** A variant of what is active in the environment, if anything is (AC16). @default the content's default variant */
  readonly variantId?: string | null
  readonly name?: string
  /** Milliseconds since the epoch, in the future; null: it never ends by itself (CR2). */
  readonly expiresAt?: number | null
  readonly handoff?: Partial<HandoffSettings>
}
