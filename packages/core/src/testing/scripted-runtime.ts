import type { AgentRuntime, RuntimePart, RuntimeTurn } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'

/** One step of a scripted reply. */
export type ScriptedStep =
  /** A text part. */
  | string
  /** Any part, passed on as it is. */
  | RuntimePart
  /** Time passes on the clock. */
  | { readonly type: 'wait'; readonly milliseconds: number }
  /** Nothing happens any more until the signal aborts, for example at the turn's deadline. */
  | { readonly type: 'hang' }
  /** The runtime throws an `Error` with this message. */
  | { readonly type: 'fail'; readonly message: string }

/** Steps in order; a string alone is one text part. */
export type ScriptedSteps = string | readonly ScriptedStep[]

/** The agent's reply, or a function that returns it when it is asked, for example after a call of a function. */
export type ScriptedReply =
  | ScriptedSteps
  | ((turn: RuntimeTurn, signal: AbortSignal) => ScriptedSteps | Promise<ScriptedSteps>)

/** The replies by input. An input without a reply fails its turn. */
export interface Script {
  readonly greeting?: ScriptedReply
  /** Replies by the visitor's exact text. */
  readonly messages?: Readonly<Record<string, ScriptedReply>>
  /** For every external event. */
  readonly externalEvent?: ScriptedReply
  /** For every input that nothing above goes with. */
  readonly otherwise?: ScriptedReply
}

/** A runtime that follows its script. */
export interface ScriptedRuntime extends AgentRuntime {
  /** The turns that it was asked to answer, in order; a repeated turn is listed again. */
  readonly turns: readonly RuntimeTurn[]
  /** Turns whose answer came to its end or its scripted failure. Abandoned ones are not among them. */
  readonly finished: readonly RuntimeTurn[]
}

function replyTo(script: Script, { input }: RuntimeTurn): ScriptedReply {
  const { messages = {} } = script
  const own = {
    greeting: () => script.greeting,
    external_event: () => script.externalEvent,
    message: (text: string) => (Object.hasOwn(messages, text) ? messages[text] : undefined),
  }
  const reply = input.type === 'message' ? own.message(input.text) : own[input.type]()
  const found = reply ?? script.otherwise
  if (found !== undefined) return found
  const what =
    input.type === 'message' ? `the message ${JSON.stringify(input.text)}` : `a turn of ${input.type}`
  throw new Error(`No reply is scripted for ${what}.`)
}

/** Resolves after that time on the clock; rejects with the signal's reason as soon as it aborts. */
function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      callOff()
      reject(signal.reason)
    }
    const callOff = clock.schedule(milliseconds, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    signal.addEventListener('abort', abort, { once: true })
  })
}

/** Rejects with the signal's reason as soon as it aborts. */
const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

async function* play(steps: ScriptedSteps, clock: Clock, signal: AbortSignal): AsyncIterable<RuntimePart> {
  for (const step of typeof steps === 'string' ? [steps] : steps) {
    signal.throwIfAborted()
    if (typeof step === 'string') yield { type: 'text', text: step }
    else if (step.type === 'wait') await wait(clock, step.milliseconds, signal)
    else if (step.type === 'hang') await hang(signal)
    else if (step.type === 'fail') throw new Error(step.message)
    else yield step
  }
}

/**
 * Returns an agent runtime for tests that follows a script; `wait` steps pass on `clock`. It says exactly what the
 * script says, fails and hangs where the script does, and gives up when the signal aborts (ST30).
 * createScriptedRuntime( { greeting: 'Welcome!', messages: { 'Slowly, please': ['Here ', { type: 'wait', milliseconds:
 * 500 }, 'I am.'], 'Break off': ['Here ', { type: 'fail', message: 'The line is dead.' }], 'To a person': ['One
 * moment.', { type: 'handoff', destination: 'desk', reason: 'Asked for it.' }], Note: async turn => [`Noted: ${(await
 * turn.callFunction('note', {})).error ?? 'done'}.`], }, otherwise: 'What?', }, createFakeClock(), )
 */
export function createScriptedRuntime(script: Script, clock: Clock): ScriptedRuntime {
  const turns: RuntimeTurn[] = []
  const finished: RuntimeTurn[] = []

  async function* answer(turn: RuntimeTurn, signal: AbortSignal): AsyncIterable<RuntimePart> {
    signal.throwIfAborted()
    const reply = replyTo(script, turn)
    yield* play(typeof reply === 'function' ? await reply(turn, signal) : reply, clock, signal)
  }

  return {
    turns,
    finished,
    async *respond(turn, signal) {
      turns.push(turn)
      try {
        yield* answer(turn, signal)
        finished.push(turn)
      } catch (error) {
        if (!signal.aborted) finished.push(turn)
        throw error
      }
    },
  }
}
