import { readFileSync } from 'node:fs'
import { API, type Checker, type Symbol as TypeSymbol } from 'typescript/unstable/sync'

const KINDS = ['const', 'function', 'interface'] as const

/** Finds out about the types of a file. */
interface TypedFile {
  readonly checker: Checker
  /** Returns what the file exports under a name. @throws Error if there is nothing */
  exported(name: string): TypeSymbol
}

/**
 * Opens a file of a `tsconfig.json` for questions about its types. The process of TypeScript that answers them ends with this
 * one.
 */
export function readTypes(file: string, config: string): TypedFile {
  const project = new API().updateSnapshot({ openProjects: [config] }).getProject(config)
  if (project === undefined) throw new Error(`TypeScript cannot read ${config}.`)
  const { checker } = project
  const text = readFileSync(file, 'utf8')
  return {
    checker,
    exported(name) {
      const starts = KINDS.map(kind => `export ${kind} `)
      const start = starts.find(start => text.includes(`${start}${name}`)) ?? ''
      const at = text.indexOf(`${start}${name}`) + start.length
      const symbol = start === '' ? undefined : checker.getSymbolAtPosition(file, at)
      if (symbol === undefined) throw new Error(`${file} exports no ${name}.`)
      return symbol
    },
  }
}
