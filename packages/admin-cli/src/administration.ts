import type {
  Access,
  Agents,
  AuditQuery,
  ConnectorChange,
  ContextKeyRotation,
  NewConnectorInput,
  RemovedVisitor,
  TokenKeyRotation,
  VisitorInput,
  VisitorLine,
  VisitorSummary,
} from '@colloquy/core'

/** A resource in the shape in which the Operator API shows it. */
export type Shown = Readonly<Record<string, unknown>>

/** A page of the audit log. */
export interface AuditLogPage {
  readonly entries: readonly Shown[]
  readonly next_cursor: string | null
}

export type NewAccount = Parameters<Access['createAccount']>[0]
export type NewApiKey = Omit<Parameters<Access['createApiKey']>[0], 'secret'>
export type NewConnector = Omit<NewConnectorInput, 'token'>

/**
 * Calls of the commands, over a store or over HTTP. Inputs are those of the library. Answers have the shape of the
 * Operator API. A refusal is an error whose message says what was wrong.
 */
export interface Administration {
  createAccount(input: NewAccount): Promise<Shown>
  accounts(): Promise<readonly Shown[]>
  /** The answer holds the secret as `key`. */
  createApiKey(input: NewApiKey): Promise<Shown>
  apiKeys(accountId?: string): Promise<readonly Shown[]>
  revokeApiKey(id: string): Promise<void>
  /** The answer holds the secret as `token`. */
  createConnector(input: NewConnector): Promise<Shown>
  connectors(accountId?: string): Promise<readonly Shown[]>
  connector(id: string): Promise<Shown>
  updateConnector(id: string, change: ConnectorChange): Promise<Shown>
  revokeConnector(id: string): Promise<void>
  /** The answer holds the secret as `secret`. */
  rotateContextKeys(id: string, rotation: ContextKeyRotation): Promise<Shown>
  /** Revokes all keys of the connector. */
  revokeContextKeys(id: string): Promise<void>
  tokenKeys(): Promise<readonly Shown[]>
  /** Returns the keys as they are then. */
  rotateTokenKeys(rotation: TokenKeyRotation): Promise<readonly Shown[]>
  auditLog(query: AuditQuery): Promise<AuditLogPage>
  /** Calls that need a store; null over HTTP. */
  readonly store: StoreAdministration | null
  close(): Promise<void>
}

/** Calls that have no route in the Operator API. */
export interface StoreAdministration {
  /** Agents' content, as a whole, and their rollouts. */
  readonly agents: Pick<
    Agents,
    | 'branches'
    | 'branchTree'
    | 'writeBranchTree'
    | 'content'
    | 'createBranch'
    | 'deleteBranch'
    | 'activeDeployments'
    | 'rollouts'
  >
  /** Removes finished conversations from before a moment; how many. */
  purgeConversations(olderThan: number, accountId?: string): Promise<number>
  removeConversation(accountId: string, agentId: string, id: string): Promise<void>
  visitor(accountId: string, visitor: VisitorInput): Promise<VisitorSummary>
  exportVisitor(accountId: string, visitor: VisitorInput): AsyncIterable<VisitorLine>
  removeVisitor(accountId: string, visitor: VisitorInput): Promise<RemovedVisitor>
  /** Removes entries of the audit log from before a moment; how many. */
  purgeAuditLog(olderThan: number): Promise<number>
}
