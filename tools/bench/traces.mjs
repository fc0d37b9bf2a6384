/**
 * Where a request spends its time: each call of the mix, one after the other, on a server that exports traces. The own
 * time of a span, without its children, is the time of its part: the gateway, the way to a service and back (NATS, and
 * waiting for a turn there), services, the database, git. Work after the response is left out.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { calls, fillForMix } from './mix-calls.mjs';
import { startStack } from './stack.mjs';

const parts = ['gateway', 'NATS', 'services', 'database', 'git'];
const consumer = 5;

const middle = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Receives traces by OTLP over HTTP. @returns its URL, spans by trace, and a function to stop it */
async function startCollector() {
  const traces = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks)).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue;
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) traces.get(span.traceId)?.push({ ...span, service });
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, traces, stop };
}

const startOf = (span) => Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000;
const lengthOf = (span) => Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6;

/** Milliseconds of a span without its children, which may overlap. */
function ownTime(span, below) {
  // Clocks of two processes differ by more than the time of a message; durations do not.
  const elsewhere = below.filter(({ service }) => service !== span.service);
  let covered = elsewhere.reduce((sum, one) => sum + lengthOf(one), 0);
  let until = Number.NEGATIVE_INFINITY;
  const here = below.filter(({ service }) => service === span.service).sort((a, b) => startOf(a) - startOf(b));
  for (const one of here) {
    const [from, to] = [Math.max(startOf(one), until), startOf(one) + lengthOf(one)];
    covered += Math.max(to - from, 0);
    until = Math.max(until, to);
  }
  return Math.max(lengthOf(span) - covered, 0);
}

function partOf(span, below) {
  if (span.attributes.some(({ key }) => key === 'db.system.name')) return 'database';
  if (span.name.startsWith('git ')) return 'git';
  if (below.some(({ service }) => service !== span.service)) return 'NATS';
  return span.service === 'gateway' ? 'gateway' : 'services';
}

/** @returns milliseconds by part, and in total; undefined if the request has no span */
function divide(spans) {
  const request = spans.find(({ attributes }) => attributes.some(({ key }) => key === 'http.route'));
  if (!request) return undefined;
  const times = { ...Object.fromEntries(parts.map((part) => [part, 0])), all: lengthOf(request) };
  const visit = (span) => {
    const below = spans.filter(({ parentSpanId, kind }) => parentSpanId === span.spanId && kind !== consumer);
    times[partOf(span, below)] += ownTime(span, below);
    for (const one of below) visit(one);
  };
  visit(request);
  return times;
}

async function askAll(stack, ids, traces, requests) {
  const pool = new Pool(stack.url);
  const asked = new Map();
  for (const call of calls) {
    const traced = [];
    for (let any = 0; any < 2 * requests; any++) {
      const traceId = randomBytes(16).toString('hex');
      // The first half only warms up.
      if (any >= requests) {
        traces.set(traceId, []);
        traced.push(traceId);
      }
      const body = call.bodyOf && JSON.stringify(call.bodyOf(any));
      const { statusCode, body: answer } = await pool.request({
        path: `/api/v4${call.pathOf(ids[any % ids.length], any)}`,
        method: call.method,
        headers: {
          'private-token': stack.token,
          traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
          ...(body && { 'content-type': 'application/json' }),
        },
        body,
      });
      const text = await answer.text();
      if (statusCode >= 300) throw new Error(`${call.name}: ${statusCode} ${text.slice(0, 200)}`);
    }
    asked.set(call.name, traced);
  }
  await pool.close();
  return asked;
}

const toldWithinMs = 30_000;

/** Processes send spans once a second, and a stopping server loses those that it has not sent within two seconds. */
async function untilToldOf(traces) {
  const deadline = Date.now() + toldWithinMs;
  const isWhole = (spans) => divide(spans) !== undefined;
  while (![...traces.values()].every(isWhole) && Date.now() < deadline) await wait(100);
}

export async function measureTraces(_stack, { isShort }) {
  const requests = isShort ? 3 : 40;
  const collector = await startCollector();
  try {
    const traced = await startStack([], { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    let asked;
    try {
      asked = await askAll(traced, await fillForMix(traced, 1), collector.traces, requests);
      await untilToldOf(collector.traces);
    } finally {
      await traced.stop();
    }
    return [...asked].map(([name, ids]) => {
      const divided = ids.map((id) => divide(collector.traces.get(id))).filter(Boolean);
      if (divided.length < requests / 2)
        throw new Error(`${name}: of ${ids.length} requests ${divided.length} were told of`);
      const shown = (part) => middle(divided.map((times) => times[part])).toFixed(2);
      return {
        figure: `${name}, one at a time with traces: ${parts.join(', ')}; all`,
        value: `${parts.map(shown).join(', ')}; ${shown('all')} ms`,
      };
    });
  } finally {
    collector.stop();
  }
}
