import { readTraceparent, writeTraceparent } from './traceparent';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

it('parses its own output', () => {
  for (const traceFlags of [0, 1])
    expect(readTraceparent(writeTraceparent(traceId, spanId, traceFlags))).toEqual({ traceId, spanId, traceFlags });
});

it.each([
  undefined,
  '',
  ['00', traceId, spanId, '01'],
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-0\n`,
  `00-${'a'.repeat(100_000)}`,
])('refuses other values', (text) => {
  expect(readTraceparent(text)).toBeUndefined();
});
