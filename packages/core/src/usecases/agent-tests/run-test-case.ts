import type { Agent } from '../../domain/agent/agent.ts'
import { judgedCase, judgeTurn, type TurnOutcome } from '../../domain/agent/judge-turn.ts'
import type { TestCaseResult, TestRun, TestTurnResult } from '../../domain/agent/test-run.ts'
import type { ResourceOf } from '../../domain/agent/tree.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import { initialState, type NewConversation } from '../../domain/conversation/initial-state.ts'
import { type AgentId, type BranchId, type ConversationId, isBranchId } from '../../domain/ids.ts'
import { isJsonArray, type Json } from '../../domain/json.ts'
import { isPlatformError } from '../../errors.ts'
import type { AgentContent } from '../../ports/agent-runtime.ts'
import type { Agents } from '../agents/agents.ts'
import type { BranchContent } from '../agents/content/branch-content.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { pinTo } from '../conversation/turn/pinning.ts'
import type { DebugTurn } from '../debug-chat/debug-turn.ts'
import { say } from '../debug-chat/say.ts'
import { requireTesters } from './ask-testers.ts'
import { runTalk, runTalks, type Talking } from './run-talks.ts'
import type { TurnsAgain } from './turn-again.ts'

/** The dependencies of running tests. */
export interface TestDeps {
  readonly context: Context
  readonly engine: Engine
  readonly agents: Pick<Agents, 'deploymentContent'>
  /** Runs turns of replays. */
  readonly turnsAgain: TurnsAgain
  /** Returns the current content of a branch. @throws PROJECT_NOT_FOUND, BRANCH_NOT_FOUND */
  branchContent(agentId: AgentId, branchId: BranchId): Promise<BranchContent>
}

/**
 * Returns the content that the conversations of a run or replay run now.
 * @throws DEPLOYMENT_NOT_FOUND, BRANCH_NOT_FOUND, PROJECT_NOT_FOUND
 */
export async function contentOfRun(
  { agents, branchContent }: TestDeps,
  { agentId, deploymentId }: Pick<TestRun, 'agentId' | 'deploymentId'>,
): Promise<AgentContent> {
  if (isBranchId(deploymentId)) return (await branchContent(agentId, deploymentId)).content
  return agents.deploymentContent(agentId, deploymentId)
}

/** One case of a run, or one conversation of a replay. */
export interface CaseOfRun {
  readonly run: TestRun
  /** The id of the test case, or the key of the recorded conversation. */
  readonly caseId: string
}

/** One case of a run that this process has. */
export interface RunningCase {
  readonly run: TestRun
  readonly agent: Pick<Agent, 'id' | 'name'>
  readonly testCase: ResourceOf<'test_cases'>
}

const texts = (value: Json | undefined): readonly string[] =>
  isJsonArray(value) ? value.filter(one => typeof one === 'string') : []

/** Returns the outcome of a turn, from its record. */
function outcomeOf({ state, turn: { record, details }, ended }: DebugTurn): TurnOutcome {
  const { agent_response: reply } = record
  const { cited_topic: cited, function_events: events } = details
  return {
    reply: typeof reply === 'string' ? reply : '',
    retrievedTopics: texts(details.retrieved_topics),
    citedTopic: typeof cited === 'string' ? cited : '',
    functionEvents: isJsonArray(events) ? events : [],
    // The conversation of a test ends with its first handoff.
    handoff: state.record.handoff ? { destination: state.record.handoffDestination } : null,
    ended,
  }
}

/**
 * Returns the conversation of an attempt. Each attempt of a run has its own, so that those of an earlier attempt do no
 * harm, and can be found.
 */
const conversationOf = ({ run, caseId }: CaseOfRun, attempt = run.attempts): ConversationId =>
  `${run.id}.${caseId}.${attempt}`

const end = (engine: Engine, id: ConversationId) =>
  engine.execute(id, { type: 'end', sender: null, custom: null, clientEventId: null })

/** Ends a conversation of a test and removes it: only the run's result is kept. */
async function discard(
  { context, engine }: TestDeps,
  { run }: Pick<CaseOfRun, 'run'>,
  id: ConversationId,
): Promise<void> {
  await end(engine, id)
  await context.store.conversations.removals.remove(run.accountId, run.agentId, id)
}

/** Removes what earlier attempts at a case have left: those of processes that were killed (TE10). */
export async function discardEarlier(deps: TestDeps, one: CaseOfRun): Promise<void> {
  for (let attempt = 1; attempt < one.run.attempts; attempt++) {
    const id = conversationOf(one, attempt)
    if ((await deps.engine.load(id)) !== null) await discard(deps, one, id)
  }
}

/** The differences of a case's conversation from others. */
type Beginning = Pick<NewConversation, 'channel' | 'pinning'> & Partial<NewConversation>

async function begin(deps: TestDeps, one: CaseOfRun, id: ConversationId, beginning: Beginning) {
  const { run, caseId } = one
  const { context, engine } = deps
  const { clock, settings } = context
  const initial = initialState(
    {
      id,
      kind: 'test',
      accountId: run.accountId,
      agentId: run.agentId,
      environment: run.environment,
      idleTimeout: settings.debugChatIdle,
      handoffSettings: { mode: 'server', queueName: '', timeoutSeconds: settings.handoffTimeoutSeconds },
      testCaseId: caseId,
      ...beginning,
    },
    clock.now(),
  )
  if ((await engine.start(initial)).status === 'done') return
  // An attempt that was given back does not count, and is repeated: its conversation exists only if it could not be
  // removed.
  await discard(deps, one, id)
  await engine.start(initial)
}

/** Codes for a conversation that was ended or removed from outside: its agent is being deleted. */
const OVER: readonly string[] = ['CHAT_CONVERSATION_ENDED', 'CONVERSATIONS_NOT_FOUND']

/** Returns the reason why a turn failed. Null when the turn is not the cause. */
function reasonOf(error: unknown): string | null {
  if (!isPlatformError(error)) return null
  if (OVER.includes(error.code)) return 'The conversation ended before the agent had answered.'
  return error.code === 'AGENT_FAILED' ? error.message : null
}

/** Sends the visitor's messages, turn by turn, and judges the replies (TE10). */
async function converse(
  { context, engine }: TestDeps,
  { testCase }: RunningCase,
  id: ConversationId,
  pinning: Pinning,
): Promise<TestCaseResult> {
  const about = { testCaseId: testCase.id, name: testCase.value.name }
  const turns: TestTurnResult[] = []
  // A merge may have left neither turns nor a visitor.
  if (testCase.value.turns.length === 0)
    return { ...about, status: 'errored', error: 'The test case has no turns and no visitor.', turns }
  const at = () => (turns.length === 0 ? 'The greeting' : `Turn ${turns.length}`)
  try {
    let { ended } = await say(context, engine, id, { type: 'join', pinning })
    for (const { text, expectations } of testCase.value.turns) {
      if (ended) {
        const error = `${at()} ended the conversation, and the visitor had more to say.`
        return { ...judgedCase(about, turns), status: 'failed', error }
      }
      const outcome = outcomeOf(await say(context, engine, id, { type: 'message', text, pinning }))
      turns.push({ text, ...outcome, verdicts: judgeTurn(expectations, outcome) })
      ended = outcome.ended
    }
    return judgedCase(about, turns)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === null) throw error
    const failing =
      turns.length === 0 && !(await hasGreeted(engine, id)) ? 'The greeting' : `Turn ${turns.length + 1}`
    return { ...about, status: 'errored', error: `${failing} failed: ${reason}`, turns }
  }
}

const hasGreeted = async (engine: Engine, id: ConversationId): Promise<boolean> =>
  (await engine.load(id))?.greeted ?? false

/**
 * Runs one test case on a content, which is that of the run's deployment or branch, and judges it. A case that names a
 * variant which the content does not have has failed (TE10).
 *
 * @throws the signal's reason when the run is cancelled
 */
export async function runTestCase(
  deps: TestDeps,
  one: RunningCase,
  content: AgentContent,
  signal: AbortSignal,
): Promise<TestCaseResult> {
  const { run, agent, testCase } = one
  const { variantId, name } = testCase.value
  const pinning = pinTo(content, agent, { id: run.deploymentId, revision: run.revision }, variantId)
  if (variantId !== null && pinning.variantId !== variantId) {
    const error = `The ${run.branch === undefined ? 'deployment' : 'branch'} has no variant ${variantId}.`
    return { testCaseId: testCase.id, name, status: 'failed', error, turns: [] }
  }
  const beginning = { channel: 'TEST', pinning }
  const during = <Result>(act: (id: ConversationId) => Promise<Result>): Promise<Result> =>
    withConversation(deps, { run, caseId: testCase.id }, { beginning, signal, act })
  const { visitor } = testCase.value
  if (!visitor) return during(id => converse(deps, one, id, pinning))
  requireTesters(deps.context, run.testers)
  return runTalks({ testCaseId: testCase.id, name }, visitor, () =>
    during(id => runTalk(deps.context, visitor, talkingIn(deps, id, pinning, signal))),
  )
}

/** Returns the conversation of a talk. */
function talkingIn(
  { context, engine }: TestDeps,
  id: ConversationId,
  pinning: Pinning,
  signal: AbortSignal,
): Talking {
  return {
    ...{ signal, reasonOf },
    join: async () => outcomeOf(await say(context, engine, id, { type: 'join', pinning })),
    say: async text => outcomeOf(await say(context, engine, id, { type: 'message', text, pinning })),
  }
}

/** The course of a conversation of a run. */
interface Conversing<Result> {
  readonly beginning: Beginning
  readonly signal: AbortSignal
  act(id: ConversationId): Promise<Result>
}

/**
 * Begins a conversation of a run, does something with it, and removes it.
 * @throws the signal's reason when the run is called off
 */
async function withConversation<Result>(
  deps: TestDeps,
  one: CaseOfRun,
  { beginning, signal, act }: Conversing<Result>,
): Promise<Result> {
  signal.throwIfAborted()
  const id = conversationOf(one)
  await begin(deps, one, id, beginning)
  // The turn in progress is cancelled with the conversation, and so is everything that waits for it.
  const callOff = () =>
    void end(deps.engine, id).catch(error => deps.context.settings.onError(error, 'tests'))
  signal.addEventListener('abort', callOff, { once: true })
  try {
    const result = await act(id)
    signal.throwIfAborted()
    return result
  } finally {
    signal.removeEventListener('abort', callOff)
    await discard(deps, one, id)
  }
}
