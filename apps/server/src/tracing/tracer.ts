import { during, underWay } from './under-way.ts';

/** What a span may say: the program's own words, numbers and ids. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** A request that came in, work of our own, and what we ask of others. */
export type SpanKind = 'server' | 'internal' | 'client';

export interface OpenSpan {
  readonly traceId: string;
  end(facts?: SpanFacts, error?: unknown): void;
}

/** Where time went, told to a collector. Without one nothing is measured and nothing costs anything. */
export interface Tracer {
  /** Begins below what is under way; null: nobody wants to know. */
  begin(name: string, kind: SpanKind, facts?: SpanFacts): OpenSpan | null;
  /** Sends what is left. */
  close(): Promise<void>;
}

export const noTracer: Tracer = { begin: () => null, close: () => Promise.resolve() };

/** A span around what runs, which ends as that settles. */
export function traced<T>(tracer: Tracer, name: string, kind: SpanKind, run: () => T, facts?: SpanFacts): T {
  const span = tracer.begin(name, kind, facts);
  if (!span) return run();
  return during({ about: {}, ...underWay(), span }, () => {
    try {
      const result = run();
      if (!(result instanceof Promise)) {
        span.end();
        return result;
      }
      return result.then(
        (value: unknown) => {
          span.end();
          return value;
        },
        (error: unknown) => {
          span.end({}, error);
          throw error;
        },
      ) as T;
    } catch (error) {
      span.end({}, error);
      throw error;
    }
  });
}

/** The same port, each of whose calls is a span `name.call`. */
export function tracedPort<Port extends object>(tracer: Tracer, name: string, port: Port): Port {
  if (tracer === noTracer) return port;
  return new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown =>
        traced(tracer, `${name}.${String(key)}`, 'client', () => Reflect.apply(member, target, given) as unknown);
    },
  });
}
