import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Platform } from '@colloquy/core'
import { createProbes } from '@colloquy/core/transport'
import { createRouter, type RouterOptions } from '@colloquy/http-express'
import type { PrometheusTelemetry } from '@colloquy/integrations/prometheus'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Answers `/healthz`, `/readyz` and, to operators, `/metrics` before the listener is asked (OB21). */
export function withProbes(
  listener: Listener,
  platform: Platform,
  metrics: PrometheusTelemetry,
  options: Pick<RouterOptions, 'trustProxy'>,
): Listener {
  const probes = createRouter(createProbes(platform, { metrics }), options)
  return (request, response) => probes(request, response, () => listener(request, response))
}
