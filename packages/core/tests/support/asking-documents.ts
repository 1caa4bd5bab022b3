import { onTestFinished } from 'vitest'
import type { createDispatcher, DispatcherOptions } from '../../src/http/dispatcher.ts'
import type { HttpRequest } from '../../src/http/route.ts'
import { routes } from '../../src/http/routes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform } from '../../src/platform.ts'
import { createFakeClock, createScriptedRuntime } from '../../src/testing/index.ts'
import { request } from './reading-fakes.ts'

/** Asks a router for a document, through the dispatcher that the test was given. */
export function askDocuments(create: typeof createDispatcher, options: DispatcherOptions = {}) {
  const clock = createFakeClock()
  const platform = createPlatform({
    ...{ store: createMemoryStore(), clock },
    runtime: createScriptedRuntime({}, clock),
  })
  onTestFinished(() => platform.close())
  const dispatcher = create(platform, routes, options)
  const ask = async (path: string, more: Partial<HttpRequest> = {}) => {
    const answer = await dispatcher.handle({ ...request(''), path, ...more })
    return { ...answer, json: JSON.parse(answer.body ?? 'null') }
  }
  return { platform, dispatcher, ask }
}
