import { guardOnError } from './guarded/on-error.ts'
import { guardPorts } from './guarded/ports.ts'
import { openLog } from './guarded/redacted-log.ts'
import { guardTelemetry, measureCommits } from './guarded/telemetry.ts'
import { Scheduler } from './schedule/scheduler.ts'
import { tellDue } from './schedule/tell-due.ts'
import { chosenTesters } from './settings/chosen-testers.ts'
import type { PlatformOptions } from './settings/platform-options.ts'
import { resolveSettings } from './settings/resolve-settings.ts'
import { createLimiters } from './usecases/access/limiters.ts'
import { createCounting } from './usecases/alerts/counting.ts'
import type { Context } from './usecases/context.ts'
import { currentFunctions } from './usecases/conversation/functions/current-functions.ts'
import { createUploads } from './usecases/files/uploads.ts'
import { logEvents } from './usecases/observing/log-events.ts'
import { measureEvents } from './usecases/observing/measure-events.ts'
import { createObservers } from './usecases/observing/observers.ts'
import { createLogCache } from './usecases/room/log-cache.ts'
import { createRooms } from './usecases/room/rooms.ts'

/**
 * Makes the context of use cases from the host's options. Settings are resolved. Ports throw only if it is expected.
 */
export function createContext(options: PlatformOptions): Context {
  const {
    runtime,
    functions = {},
    functionSources = [],
    embedder = null,
    redactor = null,
    guard = null,
    testVisitor: _visitor,
    testJudge: _judge,
    replayJudge: _replayJudge,
    recordings = null,
    files = null,
    textCarrier = null,
    speechProvider = null,
    callProvider = null,
    deskAssistant = null,
    liveAgents,
    workers: __,
    ...rest
  } = options
  const {
    store,
    bus,
    sharedLimits,
    log: given,
    telemetry: measuring,
    clock,
    ids,
    webhookSender,
    ...input
  } = rest
  const testers = chosenTesters(options)
  const { log, written } = openLog(given, redactor, { clock, limit: () => settings.redactionDeadline })
  const resolved = resolveSettings(input, log)
  const settings = { ...resolved, onError: guardOnError(resolved.onError, log) }
  const telemetry = guardTelemetry(measuring, settings.onError)
  const observers = createObservers(settings.onError)
  logEvents(observers, log)
  if (telemetry !== null) {
    measureEvents(observers, telemetry)
    measureCommits(store, telemetry, settings.onError)
  }
  const ports = guardPorts({ store, bus, sharedLimits, clock, ids, webhookSender }, { log, settings })
  const { clock: time, notices } = ports
  const scheduler = new Scheduler({ clock: time, log, notices, settings })
  const due = tellDue(ports.store, {
    clock: time,
    embeds: embedder !== null,
    files: files !== null || recordings?.keep !== undefined,
    scheduler,
  })
  const rooms = createRooms({ clock: time, notices, settings, store: due })
  return {
    ...ports,
    store: due,
    rooms,
    logCache: createLogCache(due.conversations, rooms),
    runtime,
    functions: currentFunctions({ functions, sources: [functionSources].flat() }, { settings, log }),
    embedder,
    redactor,
    guard,
    ...testers,
    recordings,
    hasDesk: liveAgents === undefined,
    files,
    uploads: createUploads(settings.fileRules.uploadsAtOnce),
    textCarrier,
    callProvider,
    deskAssistant,
    speechProvider,
    ...{ log, written },
    observers,
    telemetry,
    settings,
    scheduler,
    limiters: createLimiters(settings.rateLimits, ports.clock, ports.sharedLimits),
    counting: createCounting({ clock: ports.clock, counters: ports.store.alerts.counters, settings }),
  }
}
