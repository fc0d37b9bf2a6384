/** Attributes of a span: names and numbers, never input of a caller. */
export type Attributes = Record<string, string | number>;

export type SpanKind = 'server' | 'client' | 'consumer';

export interface SpanStart {
  kind: SpanKind;
  name: string;
  attributes?: Attributes | undefined;
  /** The parent span, as W3C trace context; without it a new trace begins. */
  parent?: string | undefined;
}

export interface SpanEnd {
  /** If it is only known then. */
  name?: string | undefined;
  attributes?: Attributes | undefined;
  /** A code or the name of a class of the failure. */
  error?: string | undefined;
}

/** A running step of a trace. */
export interface Span {
  /** W3C trace context for its children. */
  readonly traceparent: string;
  end(how?: SpanEnd): void;
}

/** Sends spans to a collector. Absent without traces. */
export interface Tracer {
  start(span: SpanStart): Span;
  /** Sends the remaining spans, within a moment. */
  stop(): Promise<void>;
}

/** A word for an error, without its text, which may contain input of a caller. */
export function errorWord(error: unknown): string {
  const { value, reason, name } = (error ?? {}) as { value?: { code?: unknown }; reason?: unknown; name?: unknown };
  const words = [value?.code, reason, name].filter((word) => typeof word === 'string' && /^[\w.]{1,64}$/.test(word));
  return String(words[0] ?? 'error');
}
