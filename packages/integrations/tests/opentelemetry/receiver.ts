import { createServer, type ServerResponse } from 'node:http'
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

interface ReceivedMetric {
  readonly name: string
  readonly unit?: string
  readonly histogram?: { readonly dataPoints: readonly { readonly count: number | string }[] }
}

interface Metrics {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[]
  }[]
}

/** How often a histogram was told of something, by the newest word of it. */
const countOf = ({ histogram }: ReceivedMetric): number =>
  (histogram?.dataPoints ?? []).reduce((sum, { count }) => sum + Number(count), 0)

/** A receiver of OTLP over HTTP, as a collector is one. */
export async function openReceiver() {
  const spans: ReceivedSpan[] = []
  const schemas = new Set<string | undefined>()
  const metrics = new Map<string, string | undefined>()
  const counts = new Map<string, number>()
  let held: ServerResponse[] | null = null
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
          for (const metric of some) {
            metrics.set(metric.name, metric.unit)
            counts.set(metric.name, countOf(metric))
          }
    }
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (held !== null) return void held.push(response)
      const body = Buffer.concat(parts)
      take(
        request.url ?? '',
        (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString(),
      )
      response.setHeader('Content-Type', 'application/json').end('{}')
    })
  })
  const url = await listenOnFreePort(server)
  return {
    ...{ url, spans, schemas, metrics, counts },
    /** Answers nothing from now on. */
    hang: () => {
      held ??= []
    },
    /** Refuses what has waited, and takes what comes. */
    recover: () => {
      for (const response of held ?? []) response.writeHead(400).end()
      held = null
    },
    close: () => server.close(),
  }
}
