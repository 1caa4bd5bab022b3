import { createMemoryStore } from '@colloquy/core/memory'
import { greet } from '@colloquy/core/runtime'
import {
  createScriptedRuntime,
  type Script,
  type ScriptedReply,
  type ScriptedStep,
} from '@colloquy/core/testing'
import { type RuntimeTask, testRuntime } from '@colloquy/core/testing/contracts'
import { ENGLISH_PHRASES } from '../src/english.ts'
import { createRetrievalRuntime } from '../src/retrieval-runtime.ts'

const openStore = async () => createMemoryStore()

testRuntime('retrieval', { make: () => createRetrievalRuntime(), openStore })

/** Does the tasks as a script. */
function scriptOf(tasks: readonly RuntimeTask[]): Script {
  const perform =
    (task: RuntimeTask): ScriptedReply =>
    async turn => {
      const topic = turn.content.topics.find(({ name, isActive }) => isActive && name === task.topic)
      if (topic === undefined) return 'I do not know.'
      const steps: ScriptedStep[] = [
        { type: 'topic', name: topic.name, cited: true },
        { type: 'variable', key: 'last_topic', value: topic.name },
      ]
      const call = task.calls === null ? null : await turn.callFunction(task.calls, {})
      if (call?.concluded === true) return steps
      if (call !== null && call.error !== null) return [...steps, `That did not work: ${call.error}`]
      steps.push(topic.content)
      if (task.handsOffTo !== null)
        steps.push({ type: 'handoff', destination: task.handsOffTo, reason: topic.name })
      return steps
    }
  return {
    greeting: turn => [...greet(turn, ENGLISH_PHRASES)],
    messages: Object.fromEntries(tasks.map(task => [task.message, perform(task)])),
    externalEvent: async turn => {
      const called = await turn.callFunction('take_deposit', {})
      return called.said ? [] : 'Your event has come.'
    },
    otherwise: 'I do not know.',
  }
}

testRuntime('scripted', { make: (tasks, clock) => createScriptedRuntime(scriptOf(tasks), clock), openStore })
