/** Attributes of a span: names and numbers, never what a caller sent. */
export type Attributes = Record<string, string | number>;

export type SpanKind = 'server' | 'client' | 'consumer';

export interface SpanStart {
  kind: SpanKind;
  name: string;
  attributes?: Attributes | undefined;
  /** The span that it is part of, as W3C trace context; it begins a trace without. */
  parent?: string | undefined;
}

export interface SpanEnd {
  /** Where it is known only then. */
  name?: string | undefined;
  attributes?: Attributes | undefined;
  /** A code or the name of a class: what it failed of. */
  error?: string | undefined;
}

/** One step of a trace, under way. */
export interface Span {
  /** As W3C trace context, for what is part of it. */
  readonly traceparent: string;
  end(how?: SpanEnd): void;
}

/** Sends spans to a collector. There is none without traces. */
export interface Tracer {
  start(span: SpanStart): Span;
  /** Sends what is left, within a moment. */
  stop(): Promise<void>;
}

/** A word for what was thrown, in which nothing of its text is: texts may repeat what a caller sent. */
export function errorWord(error: unknown): string {
  const { value, reason, name } = (error ?? {}) as { value?: { code?: unknown }; reason?: unknown; name?: unknown };
  const words = [value?.code, reason, name].filter((word) => typeof word === 'string' && /^[\w.]{1,64}$/.test(word));
  return String(words[0] ?? 'error');
}
