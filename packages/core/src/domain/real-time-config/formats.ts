import { fullFormats } from 'ajv-formats/dist/formats.js'

/**
 * Formats that a schema may name: those of draft 7 and two further ones. Each is checked in time that grows with the
 * text's length and no faster; that is not so of every format of ajv-formats (`url`).
 */
export const FORMATS: Readonly<Record<string, unknown>> = {
  'date-time': fullFormats['date-time'],
  date: fullFormats.date,
  time: fullFormats.time,
  duration: fullFormats.duration,
  email: fullFormats.email,
  hostname: fullFormats.hostname,
  ipv4: fullFormats.ipv4,
  ipv6: fullFormats.ipv6,
  uri: fullFormats.uri,
  'uri-reference': fullFormats['uri-reference'],
  'uri-template': fullFormats['uri-template'],
  'json-pointer': fullFormats['json-pointer'],
  'relative-json-pointer': fullFormats['relative-json-pointer'],
  regex: fullFormats.regex,
  uuid: fullFormats.uuid,
}

/** Returns the test of a format: a regular expression, a function, or what holds one of them as `validate`. */
export function formatTest(name: string): (text: string) => boolean {
  const format = FORMATS[name]
  const test: unknown =
    typeof format === 'object' && format !== null && 'validate' in format ? format.validate : format
  if (test instanceof RegExp) return text => test.test(text)
  if (typeof test === 'function') return text => Reflect.apply(test, undefined, [text]) === true
  throw new Error(`The format ${name} has no test.`)
}
