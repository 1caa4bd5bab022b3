import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { listenOnFreePort } from './listen.ts'

/** A span as OTLP over HTTP carries it in JSON. */
export interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status: { readonly code: number }
}

interface Traces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly schemaUrl?: string; readonly spans: readonly ReceivedSpan[] }[]
  }[]
}

interface Metrics {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly { readonly name: string; readonly unit?: string }[]
    }[]
  }[]
}

/** A receiver of OTLP over HTTP, as a collector is one. */
export async function openReceiver() {
  const spans: ReceivedSpan[] = []
  const schemas = new Set<string | undefined>()
  const metrics = new Map<string, string | undefined>()
  const take = (url: string, text: string): void => {
    if (url === '/v1/traces') {
      const { resourceSpans }: Traces = JSON.parse(text)
      for (const { scopeSpans } of resourceSpans)
        for (const { schemaUrl, spans: some } of scopeSpans) {
          schemas.add(schemaUrl)
          spans.push(...some)
        }
    } else {
      const { resourceMetrics }: Metrics = JSON.parse(text)
      for (const { scopeMetrics } of resourceMetrics)
        for (const { metrics: some } of scopeMetrics)
          for (const { name, unit } of some) metrics.set(name, unit)
    }
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      take(
        request.url ?? '',
        (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString(),
      )
      response.setHeader('Content-Type', 'application/json').end('{}')
    })
  })
  const url = await listenOnFreePort(server)
  return { url, spans, schemas, metrics, close: () => server.close() }
}
