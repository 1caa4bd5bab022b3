import type { Command, TurnReply } from '../../packages/core/src/domain/conversation/command.ts'
import { DEFAULT_RULES } from '../../packages/core/src/domain/conversation/default-rules.ts'
import type {
  Asked,
  Decision,
  Draft,
  MachineRules,
} from '../../packages/core/src/domain/conversation/draft.ts'
import type { EventDraft } from '../../packages/core/src/domain/conversation/event.ts'
import { initialState } from '../../packages/core/src/domain/conversation/initial-state.ts'
import type { StoredTurn } from '../../packages/core/src/domain/conversation/record.ts'
import type { ConversationState } from '../../packages/core/src/domain/conversation/state.ts'
import { transition } from '../../packages/core/src/domain/conversation/transition.ts'
import { PINNING, textReply } from '../../packages/core/src/testing/arbitraries/index.ts'

export const RULES: MachineRules = { ...DEFAULT_RULES, queuedMessages: 5 }

export const freshState = (
  mode: 'server' | 'client' = 'server',
  kind: ConversationState['kind'] = 'messaging',
) =>
  initialState(
    {
      id: 'session-1',
      kind,
      accountId: 'ws-1',
      agentId: 'PROJECT-1',
      environment: 'live',
      channel: 'CHAT',
      idleTimeout: 600_000,
      handoffSettings: { mode, queueName: 'reception', timeoutSeconds: 300 },
      pinning: PINNING,
    },
    1_000,
  )

export const origin = { sender: 'connection-1', custom: null, clientEventId: null }

/** A conversation driven command by command; keeps its whole log. */
export class Drive {
  state: ConversationState
  now = 1_000
  rules = RULES
  log: EventDraft[] = []
  turns: StoredTurn[] = []
  last: Decision = { refused: 'ended' }
  private count = 0

  constructor(state: ConversationState) {
    this.state = state
  }

  send(command: Command): Decision {
    this.count++
    const asked: Asked = { now: this.now, id: `id-${this.count}`, rules: this.rules }
    const decision = transition(this.state, command, asked)
    this.last = decision
    if (decision.refused === null) {
      this.state = decision.state
      this.log.push(...decision.events)
      this.turns.push(...decision.turns)
    }
    return decision
  }

  /** Sends a command that must be taken. */
  done(command: Command): { readonly refused: null } & Draft {
    const decision = this.send(command)
    if (decision.refused !== null) throw new Error(`${command.type} was refused: ${decision.refused}`)
    return decision
  }

  reply(reply: Partial<TurnReply> = {}): { readonly refused: null } & Draft {
    const { turn } = this.state
    if (turn === null) throw new Error('No turn is under way.')
    return this.done({
      type: 'turn_completed',
      turnId: turn.id,
      generation: turn.generation,
      reply: textReply('Hello.', reply),
    })
  }

  join = () => this.done({ type: 'join', pinning: null, ...origin })
  say = (text: string) => this.done({ type: 'message', text, pinning: null, ...origin })
  types = () => this.log.map(({ type }) => type)
}

/** A conversation whose agent has greeted. */
export function greeted(
  mode: 'server' | 'client' = 'server',
  kind: ConversationState['kind'] = 'messaging',
): Drive {
  const drive = new Drive(freshState(mode, kind))
  drive.join()
  drive.reply()
  return drive
}

export const handoffWish = { handoff: { destination: 'reception', reason: 'asked for a person' } }
