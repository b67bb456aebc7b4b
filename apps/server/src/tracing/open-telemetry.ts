import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { OpenSpan, SpanFacts, Tracer } from './tracer.ts';
import { underWay } from './under-way.ts';

/** Where a collector takes traces (OTLP over HTTP), and how many of them it gets. */
export interface TraceSettings {
  /** Without `/v1/traces`, which is added (OTLP §OTLP/HTTP Request). */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  service: string;
  /** Of all requests and jobs, between 0 and 1. */
  ratio: number;
}

const KINDS = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };
const SEND_EVERY_MS = 2000;
/** Of the seconds that a program has for its end. */
const CLOSE_MS = 1000;
const SEND_MS = 5000;
const COMPLAIN_EVERY_MS = 60_000;

const spans = new WeakMap<OpenSpan, Span>();

/**
 * Sends spans to a collector. What a stranger's request says of a trace of theirs is not believed: ours begin here. A collector that
 * is away costs spans and nothing else; the log says so once a minute.
 */
export function openTelemetry(settings: TraceSettings, facts: SpanFacts, log: Logger): Tracer {
  const exporter = told(
    new OTLPTraceExporter({
      url: `${settings.endpoint.replace(/\/$/, '')}/v1/traces`,
      headers: { ...settings.headers },
      timeoutMillis: SEND_MS,
    }),
    log,
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.service, ...facts }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY_MS, exportTimeoutMillis: SEND_MS })],
  });
  const tracer = provider.getTracer('lavra');
  return {
    begin(name, kind, given) {
      const above = underWay()?.span;
      const parent = above ? spans.get(above) : undefined;
      const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      return openSpan(tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...given } }, context));
    },
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}

function openSpan(span: Span): OpenSpan {
  const open: OpenSpan = {
    traceId: span.spanContext().traceId,
    end(facts, error) {
      if (facts) span.setAttributes(facts as Attributes);
      if (error !== undefined) {
        // A fault's message may tell of people; its code does not.
        span.setAttribute('error.type', codeOf(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
  spans.set(open, span);
  return open;
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'fault';
}

/** Says when what was sent is not taken. */
function told(exporter: SpanExporter, log: Logger): SpanExporter {
  let complained = Number.NEGATIVE_INFINITY;
  return {
    export(batch, done) {
      exporter.export(batch, (result) => {
        const now = performance.now();
        if (result.error && now - complained > COMPLAIN_EVERY_MS) {
          complained = now;
          log.warn({ spans: batch.length, reason: result.error.message }, 'the collector of traces did not take what was sent');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
