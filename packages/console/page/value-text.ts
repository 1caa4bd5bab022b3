import { linesOf } from './lines.ts'
import { say } from './texts/common.ts'

const isObject = (value: unknown): value is object => Object(value) === value

const indented = (text: string): string => text.replaceAll('\n', '\n  ')

const named = (name: string, text: string): string =>
  text.includes('\n') ? `${name}:\n  ${indented(text)}` : `${name}: ${text}`

/** Returns a value as people read it: a line for each thing in it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(one => `– ${indented(textOf(one))}`).join('\n')
  return Object.entries(value)
    .map(([name, one]) => named(name, textOf(one)))
    .join('\n')
}

/** Returns a value in one line. */
export function valueText(value: unknown): string {
  if (!isObject(value)) return linesOf(textOf(value)).join(' ')
  if (Array.isArray(value)) return value.map(one => say('quoted', { text: valueText(one) })).join(', ')
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${valueText(one)}`)
    .join(', ')
}
