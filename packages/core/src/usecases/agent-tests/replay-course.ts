import type { Command } from '../../domain/conversation/command.ts'
import { jsonOfEvent } from '../../domain/conversation/decided-event.ts'
import type { EventJson } from '../../domain/conversation/event.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import { filesBeside, filesOfEvent } from '../../domain/conversation/sent-files.ts'
import { textOfEvent } from '../../domain/conversation/transcript.ts'
import { transition } from '../../domain/conversation/transition.ts'
import { eventIdOf, givenWith, situationsOf } from '../../domain/conversation/turn-recording.ts'
import type { TurnId } from '../../domain/ids.ts'
import { isJsonObject } from '../../domain/json.ts'
import type { Context } from '../context.ts'
import type { Outcome } from '../conversation/engine/engine.ts'
import { machineRules } from '../conversation/engine/machine-rules.ts'
import { stamped } from '../conversation/engine/written-decision.ts'
import { messageOf, turnIdOf } from './ask-again.ts'
import { type Answering, type Recorded, readingOf, replayState, type TurnsAgain } from './turn-again.ts'

/** The result of one turn in the course of a replayed conversation. */
export interface Step {
  /** The record of the new turn. Null if the agent never began. */
  readonly now: StoredTurn | null
  /** True if the conversation is over. */
  readonly ended: boolean
}

/** A conversation of a replay in memory: its turns have the new replies before them as history (TE67). */
export interface Course {
  /**
   * Repeats the input of a recorded turn. Null if the agent does not take it: the conversation is over, or it does not
   * expect that external event.
   * @throws the signal's reason when the replay is called off
   */
  ask(turn: StoredTurn, at: number): Promise<Step | null>
}

const ORIGIN = { sender: null, custom: null, clientEventId: null } as const

/** Begins a conversation of a replay. */
export function beginCourse(
  context: Context,
  turnsAgain: TurnsAgain,
  recorded: Recorded,
  answering: Answering,
): Course {
  const { clock, ids } = context
  const { pinning } = answering
  const { visitor, asrLanguage, ttsLanguage, integrationAttributes: known } = recorded.state
  const [first] = situationsOf(recorded.turns, null)
  const rules = machineRules(context)
  const log: EventJson[] = []
  const expected = new Set<string>()
  const expects = (eventId: string): void => void expected.add(eventId)
  const reading = readingOf(context, recorded, answering.run, { log, expects })
  let state = replayState(context, recorded, answering, {
    language: visitor?.language ?? ttsLanguage ?? asrLanguage ?? pinning.languageCode,
    integrationAttributes: first?.integrationAttributes ?? known,
    now: clock.now(),
  })

  function decide(command: Command, id: TurnId): Outcome {
    const now = clock.now()
    const decision = transition(state, command, { now, id, rules })
    if (decision.refused !== null) return { status: 'refused', refusal: decision.refused, state }
    const events = stamped(decision.events, decision.state, state.sequence, { ids, now })
    log.push(...events.map(jsonOfEvent))
    state = decision.state
    return { status: 'done', state, events }
  }

  /** Carries out a command that begins a turn, and runs that. */
  async function step(command: Command, id: TurnId, eventsOf: TurnId | undefined): Promise<Step | null> {
    const begun = decide(command, id)
    const { turn } = state
    if (begun.status !== 'done' || turn === null) return null
    const now = await turnsAgain.run({
      ...{ reading, answering, state, turn, eventsOf },
      ...{ recent: begun.events, config: null },
      execute: about => decide(about, id),
    })
    return { now, ended: state.endedAt !== null }
  }

  /** Returns the command that repeats the input of a turn. Null if its message is not in the log. */
  function commandOf(turn: StoredTurn): Command | null {
    const eventId = eventIdOf(turn)
    if (eventId !== null) return { type: 'external_event', eventId, pending: expected.has(eventId) }
    const message = messageOf(recorded, turn)
    if (message === null) return null
    const { metadata } = message.payload
    const given = turn === recorded.turns[0] ? null : givenWith(turn)
    return {
      ...{ type: 'message', text: textOfEvent(message), pinning, ...ORIGIN, custom: message.custom },
      ...(isJsonObject(metadata) ? { metadata } : {}),
      ...(given === null ? {} : { given: { integrationAttributes: given } }),
      ...filesBeside({ files: filesOfEvent(message) }),
    }
  }

  return {
    async ask(turn, at) {
      const isGreeting = turn.details.input_type === 'greeting'
      const id = `${state.id}.${at}`
      const join = { type: 'join', pinning, ...ORIGIN } as const
      if (isGreeting) return step(join, id, turnIdOf(turn))
      if (at === 0) await step(join, `${state.id}.greeting`, undefined)
      const command = commandOf(turn)
      return command && step(command, id, turnIdOf(turn))
    },
  }
}
