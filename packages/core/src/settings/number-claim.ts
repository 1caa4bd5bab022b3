import type { AccountId, AgentId } from '../domain/ids.ts'

/** A phone number that an account asks for. */
export interface NumberClaim {
  readonly accountId: AccountId
  readonly agentId: AgentId
  /** E.164, for example `+442079460018`. */
  readonly number: string
}
