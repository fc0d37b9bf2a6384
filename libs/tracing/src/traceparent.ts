const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The parts of a W3C trace context; undefined if it is invalid, whatever a client sends. */
export function readTraceparent(text: unknown): { traceId: string; spanId: string; traceFlags: number } | undefined {
  const [, traceId, spanId, flags] = (typeof text === 'string' && form.exec(text)) || [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

export const writeTraceparent = (traceId: string, spanId: string, traceFlags: number): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`;
