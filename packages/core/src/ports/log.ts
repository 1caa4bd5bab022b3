/** The log through which the platform reports to its host. Fields never hold secrets or visitors' text. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** A log that keeps silent. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
