import type { Action, RuntimeTurn } from '@colloquy/core/runtime'
import type { ToolSet } from 'ai'
import type { AgentTool } from './agent-tool.ts'
import { functionTool } from './host-function.ts'
import { endTool, HAND_OFF, handOffTool } from './leave.ts'
import { readDataTool } from './read-data.ts'
import { searchTool } from './search.ts'

/** The tools of one turn. */
export interface Toolbox {
  readonly definitions: ToolSet
  /** Null when there is no tool with that name. */
  find(name: string): AgentTool | null
  /** An action of a topic as an instruction that names the tool for it. */
  wordsFor(action: Action): string
}

/** Returns the host's functions, the search, hand-over to one of the destinations and end as tools. */
export function createToolbox(
  turn: Pick<RuntimeTurn, 'functions'>,
  destinations: readonly string[],
): Toolbox {
  const own = [
    searchTool(wordsFor),
    readDataTool,
    ...(destinations.length === 0 ? [] : [handOffTool(destinations)]),
    endTool,
  ]
  const names = functionToolNames(
    turn.functions.map(({ name }) => name),
    ['search_knowledge_base', 'read_conversation_data', HAND_OFF, 'end_conversation'],
  )
  const functions = turn.functions.map(one => functionTool(names.get(one.name) ?? one.name, one))
  const tools = new Map([...own, ...functions].map(one => [one.name, one]))

  function wordsFor(action: Action): string {
    if (action.type === 'handoff') {
      return `(call the tool ${HAND_OFF} with the destination ${JSON.stringify(action.destination)})`
    }
    const name = names.get(action.name)
    return name === undefined ? `(${action.name} is not available)` : `(call the tool ${name})`
  }

  return {
    definitions: Object.fromEntries([...tools].map(([name, { definition }]) => [name, definition])),
    find: name => tools.get(name) ?? null,
    wordsFor,
  }
}

/** Names of tools that providers accept. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * The tool names of functions: their own, unless providers do not take it or another tool has it (LM17). Equal
 * functions get equal names.
 */
export function functionToolNames(
  functions: readonly string[],
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const used = new Set(taken)
  const names = new Map<string, string>()
  // Functions that can keep their names come first, so that no other takes one of them.
  for (const name of functions) {
    if (!TOOL_NAME.test(name) || used.has(name)) continue
    used.add(name)
    names.set(name, name)
  }
  for (const name of functions) {
    if (names.has(name)) continue
    const base = `fn_${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 50)}`
    let free = base
    for (let number = 2; used.has(free); number += 1) free = `${base}_${number}`
    used.add(free)
    names.set(name, free)
  }
  return names
}
