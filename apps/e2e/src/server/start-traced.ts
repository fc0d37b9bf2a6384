import { Collector } from './collector';
import start from './start';

/** Runs the server with traces of all requests, which the collector at OTEL_EXPORTER_OTLP_ENDPOINT has. */
export default async function startTraced(): Promise<void> {
  globalThis.collector = new Collector();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = await globalThis.collector.start();
  await start();
}
