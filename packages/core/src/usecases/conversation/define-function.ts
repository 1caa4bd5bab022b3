import { z } from 'zod'
import { parseAsync } from '../../domain/parse.ts'
import type { AgentFunction, FunctionConversation } from '../../ports/agent-function.ts'

/** A function of the host: what it does, what it takes, and how. */
export interface FunctionDefinition<Parameters extends z.ZodObject> {
  /** What it does, in words for those who decide when to call it, such as language models. */
  readonly description: string
  /** The arguments; those of a function without any are `z.object({})`. Language models read its descriptions (FN2). */
  readonly parameters: Parameters
  /** Milliseconds that a call may take, below `Settings.turnDeadline`. @default `Settings.functionTimeout` */
  readonly timeout?: number
  /** Whether it may be called in test runs, where a test case gives no result in its place (TE13). @default false */
  readonly callInTests?: boolean
  /**
   * Does it. `args` are what `parameters` made of the arguments. What it returns is shown to the agent and must be JSON, or undefined,
   * which is null (FN23); what it throws becomes the call's error. `signal` aborts when the call's time is over, and when nobody waits
   * for it any more: at the turn's deadline, and when the session ends (FN20, FN22).
   */
  execute(
    conversation: FunctionConversation,
    args: z.output<Parameters>,
    signal: AbortSignal,
  ): Promise<unknown> | unknown
}

/** What {@link defineFunction} makes: ready for `PlatformOptions.functions`, and `execute` still as it was, for tests. */
export type DefinedFunction<Parameters extends z.ZodObject> = AgentFunction & FunctionDefinition<Parameters>

/** A function that agents may call, with arguments typed and checked by its schema (FN1). */
export function defineFunction<Parameters extends z.ZodObject>(
  definition: FunctionDefinition<Parameters>,
): DefinedFunction<Parameters> {
  const { parameters } = definition
  return {
    ...definition,
    describeParameters() {
      // What a caller has to give; draft 7 is what providers of language models take.
      const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input', target: 'draft-7' })
      return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(schema)))
    },
    async prepare(args) {
      const parsed = await parseAsync(parameters, args, 'argument')
      return (conversation, signal) => definition.execute(conversation, parsed, signal)
    },
  }
}
