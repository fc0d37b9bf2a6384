import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { openTracer, type Tracer, type TracingSettings } from '../src';

interface Sent {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** Received spans, by their names. */
const came = new Map<string, Sent>();
let isHanging = false;
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (isHanging) return;
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
  for (const { scopeSpans } of resourceSpans)
    for (const { spans } of scopeSpans) for (const span of spans) came.set(span.name, span);
  response.setHeader('content-type', 'application/json').end('{}');
});

beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
});
afterAll(() => {
  collector.close();
  collector.closeAllConnections();
});

const open = (settings: Partial<TracingSettings> = {}, onLost = (_: number) => {}) =>
  openTracer(
    'test',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: '1',
      ...settings,
    },
    onLost,
  ) as Tracer;

const foreign = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const parentWith = (flags: '00' | '01') => `00-${foreign.traceId}-${foreign.spanId}-${flags}`;

it('sends spans with their parents, when it stops at the latest', async () => {
  const tracer = open();
  const whole = tracer.start({ kind: 'server', name: 'whole', parent: parentWith('01') });
  const part = tracer.start({ kind: 'client', name: 'part', parent: whole.traceparent });
  part.end({ error: 'projects.not_found' });
  whole.end({ name: 'the whole' });
  tracer.start({ kind: 'server', name: 'other', parent: 'what is none' }).end();
  await tracer.stop();
  expect(came.get('the whole')).toMatchObject({ traceId: foreign.traceId, parentSpanId: foreign.spanId });
  expect(came.get('part')).toMatchObject({
    traceId: foreign.traceId,
    parentSpanId: came.get('the whole')!.spanId,
    attributes: [{ key: 'error.type', value: { stringValue: 'projects.not_found' } }],
  });
  expect(came.get('other')!.traceId).not.toBe(foreign.traceId);
  expect(came.get('other')!.parentSpanId).toBeUndefined();
});

it.each([
  { sampler: 'parentbased_always_on', ratio: '1', flags: '00', isSent: false },
  { sampler: 'always_on', ratio: '1', flags: '00', isSent: true },
  { sampler: 'always_off', ratio: '1', flags: '01', isSent: false },
  { sampler: 'traceidratio', ratio: '0', flags: '01', isSent: false },
  { sampler: 'parentbased_traceidratio', ratio: '0', flags: '01', isSent: true },
  { sampler: 'parentbased_always_off', ratio: '1', flags: '01', isSent: true },
] as const)('samples as $sampler of $ratio with the client flags $flags', async (how) => {
  const { sampler, ratio, flags, isSent } = how;
  const name = JSON.stringify(how);
  const tracer = open({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio });
  tracer.start({ kind: 'server', name, parent: parentWith(flags) }).end();
  await tracer.stop();
  expect(came.has(name)).toBe(isSent);
});

it('waits for a collector that hangs no longer than a moment', async () => {
  isHanging = true;
  const tracer = open();
  for (let i = 0; i < 1000; i++) tracer.start({ kind: 'server', name: `lost ${i}` }).end();
  await tracer.stop();
  expect(came.has('lost 0')).toBe(false);
});

it('counts spans that do not reach an unavailable collector', async () => {
  let lost = 0;
  const tracer = open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, (count) => {
    lost += count;
  });
  tracer.start({ kind: 'server', name: 'away' }).end();
  // It retries for some seconds.
  for (const patience = AbortSignal.timeout(60_000); lost === 0 && !patience.aborted; )
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(lost).toBe(1);
  await tracer.stop();
});

it('loads nothing of OpenTelemetry if there is no collector', () => {
  const script = `
    const { openTracer, Works } = require(process.argv[1]);
    const tracer = openTracer('test', {}, () => {});
    new Works({ tracer, isFollowing: true }).as({}, () => {});
    const loaded = Object.keys(require.cache).filter((file) => file.includes('@opentelemetry'));
    console.log(JSON.stringify({ tracer: tracer ?? null, loaded }));`;
  const dist = path.resolve(__dirname, '../dist/index.js');
  const said = execFileSync(process.execPath, ['-e', script, dist], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual({ tracer: null, loaded: [] });
});
