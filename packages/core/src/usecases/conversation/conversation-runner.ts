import type { Effect } from '../../domain/conversation/draft.ts'
import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { AccountId, ConversationId, TurnId } from '../../domain/ids.ts'
import type { LiveAgents } from '../../ports/live-agents.ts'
import { createTimeouts } from '../../shared/timeouts.ts'
import type { AgentsCalls } from '../agents/agents.ts'
import type { Context } from '../context.ts'
import { createEphemeral, type Ephemeral } from '../room/ephemeral.ts'
import { LEASE_RENEWALS } from '../shared/every.ts'
import { sendText } from '../texts/send-text.ts'
import { deliver, handoffContext } from './engine/deliver.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { startWorker } from './engine/worker.ts'
import { CallOff } from './turn/call-off.ts'
import { createRealTimeVariables } from './turn/real-time-variables.ts'
import { runTurn, type TurnContent, type TurnRunner } from './turn/run-turn.ts'

/** What the parts of the platform that act on conversations share. */
export interface ConversationServices {
  readonly engine: Engine
  readonly ephemeral: Ephemeral
}

/**
 * The services over the context's store. Effects are carried out only once a runner is created.
 *
 * @param positionInLine as for `createEphemeral`
 */
export function createConversationServices(
  context: Context,
  positionInLine: ((state: ConversationState) => Promise<TransientEvent | null>) | null,
): ConversationServices {
  const ephemeral = createEphemeral(context, positionInLine)
  return { ephemeral, engine: createEngine(context, ephemeral) }
}

/** Drives conversations in the background: wakes them, runs their turns, calls the live-agent system. */
export interface ConversationRunner {
  /** Starts waking conversations that are due. */
  start(): void
  /** Stops waking, waits up to `Settings.drainTimeout` for running turns, then abandons them: their leases expire. */
  stop(): Promise<void>
  /** Resolves when no turn and no call to the live-agent system is under way in this process. */
  idle(): Promise<void>
}

/** External systems that conversations use. */
export interface Surroundings {
  readonly agents: AgentsCalls
  readonly turnContent: TurnContent
  readonly liveAgents: LiveAgents
  /** The line of an account's waiting visitors has changed. */
  lineChanged(accountId: AccountId): void
}

/**
 * Carries out the engine's effects: runs turns, and calls the live-agent system. Long because its parts share the
 * running work.
 */
export function createConversationRunner(
  context: Context,
  { engine, ephemeral }: ConversationServices,
  surroundings: Surroundings,
): ConversationRunner {
  const { clock, rooms, settings } = context
  let underWay = 0
  /** Those who wait until nothing is under way. */
  let waiting: (() => void)[] = []
  let worker: ReturnType<typeof startWorker> | null = null
  let letGo = false
  const runner: TurnRunner = {
    ...{ context, engine, ephemeral, agents: surroundings.agents, turnContent: surroundings.turnContent },
    realTimeVariables: createRealTimeVariables(context),
    // The process stays alive until its turns are over.
    deadlines: createTimeouts(clock, settings.turnDeadline, { keepAlive: true }),
    renewals: createTimeouts(clock, settings.turnLease / LEASE_RENEWALS),
    dropResult: () => letGo,
  }

  /** @param ended called when the work is over, either way */
  function follow(work: Promise<unknown>, where: string, ended?: () => void): void {
    const over = (): void => {
      ended?.()
      if (--underWay > 0) return
      for (const resolve of waiting) resolve()
      waiting = []
    }
    underWay++
    work.then(over, error => {
      settings.onError(error, where)
      over()
    })
  }

  function run(state: ConversationState, events: readonly ConversationEvent[]): void {
    const { turn } = state
    if (turn === null || letGo) return
    const room = rooms.of(state.id)
    const callOff = new CallOff()
    room.turn?.callOff.abort()
    room.turn = { id: turn.id, callOff }
    follow(runTurn(runner, { state, turn, recent: events }, callOff), 'turn', () => {
      if (room.turn?.callOff === callOff) room.turn = null
      rooms.settled(room)
    })
  }

  function cancel(id: ConversationId, turnId: TurnId): void {
    const turn = rooms.find(id)?.turn
    if (turn?.id === turnId) turn.callOff.abort()
  }

  /** Calls to the live-agent system about a conversation, one after the other. */
  async function inOrder(id: ConversationId, call: () => Promise<void>): Promise<void> {
    const room = rooms.of(id)
    await room.deliveries.during(call).finally(() => rooms.settled(room))
  }

  function carryOut(effect: Effect, state: ConversationState, events: readonly ConversationEvent[]): void {
    switch (effect.type) {
      case 'run_turn':
        run(state, events)
        break
      case 'cancel_turn':
        cancel(state.id, effect.turnId)
        break
      case 'deliver':
        follow(
          inOrder(state.id, () => deliver(context, engine, surroundings.liveAgents, state.id)),
          'live agents',
        )
        break
      case 'visitor_typing': {
        const handoff = handoffContext(state, effect.handoffId)
        follow(surroundings.liveAgents.visitorTyping(handoff, effect.state), 'live agents')
        break
      }
      case 'send_text':
        follow(sendText(context, engine, state.id, effect), 'texts')
        break
      case 'queue_changed':
        surroundings.lineChanged(state.accountId)
    }
  }

  engine.onEffect(carryOut)

  async function idle(): Promise<void> {
    while (underWay > 0) await new Promise<void>(resolve => void waiting.push(resolve))
  }

  return {
    idle,
    start() {
      worker ??= startWorker(context, engine)
    },
    async stop() {
      await worker?.stop()
      worker = null
      let callOff = (): void => undefined
      const timeUp = new Promise<void>(resolve => {
        callOff = clock.schedule(settings.drainTimeout, resolve, { keepAlive: true })
      })
      await Promise.race([idle(), timeUp])
      callOff()
      letGo = true
      for (const { turn } of rooms.all()) turn?.callOff.abort()
      await idle()
      ephemeral.stop()
    },
  }
}
