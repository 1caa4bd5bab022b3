import type { Effect } from '../../domain/conversation/draft.ts'
import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { AccountId, ConversationId, TurnId } from '../../domain/ids.ts'
import type { LiveAgents } from '../../ports/live-agents.ts'
import { createTimeouts } from '../../shared/timeouts.ts'
import type { Agents } from '../agents/agents.ts'
import type { Context } from '../context.ts'
import { createEphemeral, type Ephemeral } from '../room/ephemeral.ts'
import { LEASE_RENEWALS } from '../shared/every.ts'
import { sendText } from '../texts/send-text.ts'
import { deliver, handoffContext } from './engine/deliver.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { startWorker, type Worker } from './engine/worker.ts'
import { CallOff } from './turn/call-off.ts'
import { createRealTimeVariables } from './turn/real-time-variables.ts'
import { runTurn, type TurnContent, type TurnRunner } from './turn/run-turn.ts'

/** The services shared by the parts of the platform that act on conversations. */
export interface ConversationServices {
  readonly engine: Engine
  readonly ephemeral: Ephemeral
}

/**
 * Returns the services over the context's store. Effects are carried out only once a runner is created.
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

/** External systems that conversations use. */
export interface Surroundings {
  readonly agents: Pick<Agents, 'updateRealTimeConfigVariables'>
  readonly turnContent: TurnContent
  readonly liveAgents: LiveAgents
  /** Called when the line of an account's waiting visitors has changed. */
  lineChanged(accountId: AccountId): void
}

/**
 * Drives conversations in the background: wakes them, and carries out the effects of their decisions. It runs turns,
 * and calls the live-agent system and the carrier.
 */
export class ConversationRunner {
  readonly #context: Context
  readonly #services: ConversationServices
  readonly #surroundings: Surroundings
  readonly #turns: TurnRunner
  #underWay = 0
  /** Callers that wait until nothing is in progress. */
  #waiting: (() => void)[] = []
  #worker: Worker | null = null
  #letGo = false

  constructor(context: Context, services: ConversationServices, surroundings: Surroundings) {
    const { clock, settings } = context
    this.#context = context
    this.#services = services
    this.#surroundings = surroundings
    this.#turns = {
      ...{ context, ...services, agents: surroundings.agents, turnContent: surroundings.turnContent },
      realTimeVariables: createRealTimeVariables(context),
      // The process stays alive until its turns are over.
      deadlines: createTimeouts(clock, settings.turnDeadline, { keepAlive: true }),
      renewals: createTimeouts(clock, settings.turnLease / LEASE_RENEWALS),
      dropResult: () => this.#letGo,
    }
    services.engine.onEffect((effect, state, events) => this.#carryOut(effect, state, events))
  }

  /** Starts waking conversations that are due. */
  start(): void {
    this.#worker ??= startWorker(this.#context, this.#services.engine)
  }

  /** Stops waking, waits up to `Settings.drainTimeout` for running turns, then abandons them: their leases expire. */
  async stop(): Promise<void> {
    const { clock, rooms, settings } = this.#context
    await this.#worker?.stop()
    this.#worker = null
    let callOff = (): void => undefined
    const timeUp = new Promise<void>(resolve => {
      callOff = clock.schedule(settings.drainTimeout, resolve, { keepAlive: true })
    })
    await Promise.race([this.idle(), timeUp])
    callOff()
    this.#letGo = true
    for (const { turns } of rooms.all()) for (const { callOff } of turns) callOff.abort()
    await this.idle()
    this.#services.ephemeral.stop()
  }

  /** Resolves when no turn and no call to the live-agent system is in progress in this process. */
  async idle(): Promise<void> {
    while (this.#underWay > 0) await new Promise<void>(resolve => void this.#waiting.push(resolve))
  }

  #carryOut(effect: Effect, state: ConversationState, events: readonly ConversationEvent[]): void {
    const { liveAgents } = this.#surroundings
    const { engine } = this.#services
    switch (effect.type) {
      case 'run_turn':
        this.#run(state, events)
        break
      case 'cancel_turn':
        this.#cancel(state.id, effect.turnId)
        break
      case 'deliver':
        this.#follow(this.#deliver(state.id), 'live agents')
        break
      case 'visitor_typing': {
        const handoff = handoffContext(state, effect.handoffId)
        this.#follow(liveAgents.visitorTyping(handoff, effect.state), 'live agents')
        break
      }
      case 'send_text':
        this.#follow(sendText(this.#context, engine, state, events), 'texts')
        break
      case 'queue_changed':
        this.#surroundings.lineChanged(state.accountId)
    }
  }

  #run(state: ConversationState, recent: readonly ConversationEvent[]): void {
    const { turn } = state
    if (turn === null || this.#letGo) return
    const { rooms } = this.#context
    const room = rooms.of(state.id)
    const callOff = new CallOff()
    // An earlier attempt at it, whose lease has run out.
    this.#cancel(state.id, turn.id)
    room.turns = room.turns.concat({ id: turn.id, callOff })
    this.#follow(runTurn(this.#turns, { state, turn, recent }, callOff), 'turn', () => {
      room.turns = room.turns.filter(one => one.callOff !== callOff)
      rooms.settled(room)
    })
  }

  #cancel(id: ConversationId, turnId: TurnId): void {
    const turns = this.#context.rooms.find(id)?.turns ?? []
    for (const turn of turns) if (turn.id === turnId) turn.callOff.abort()
  }

  /** Calls to the live-agent system about a conversation are made one after the other. */
  async #deliver(id: ConversationId): Promise<void> {
    const { rooms } = this.#context
    const room = rooms.of(id)
    const call = () => deliver(this.#context, this.#services.engine, this.#surroundings.liveAgents, id)
    await room.deliveries.during(call).finally(() => rooms.settled(room))
  }

  /** @param ended called when the work is over, either way */
  #follow(work: Promise<unknown>, where: string, ended?: () => void): void {
    const over = (): void => {
      ended?.()
      if (--this.#underWay > 0) return
      for (const resolve of this.#waiting) resolve()
      this.#waiting = []
    }
    this.#underWay++
    work.then(over, error => {
      this.#context.settings.onError(error, where)
      over()
    })
  }
}
