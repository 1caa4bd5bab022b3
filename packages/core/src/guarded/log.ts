import { thrownDetails } from '../domain/thrown.ts'
import type { Log } from '../ports/log.ts'
import { callHost } from '../shared/call-host.ts'
import { consoleLog } from '../system/console-log.ts'

/**
 * Returns the host's log, which never throws (EM1): a line that it does not take goes to the console, as all do without
 * one (EM2).
 */
export function guardLog(log: Log = consoleLog): Log {
  const guarded =
    (level: keyof Log): Log[keyof Log] =>
    (message, fields) =>
      callHost(
        () => log[level](message, fields),
        failure =>
          consoleLog.error(`The log failed. ${message}`, { ...fields, failure: thrownDetails(failure) }),
      )
  return { debug: guarded('debug'), info: guarded('info'), warn: guarded('warn'), error: guarded('error') }
}
