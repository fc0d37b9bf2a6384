import { Writable } from 'node:stream';
import pino from 'pino';
import { JsonLogger } from './json-logger';

function capture(): { logger: JsonLogger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { logger: new JsonLogger(pino({ level: 'trace' }, sink)), lines };
}

describe('JsonLogger', () => {
  it('writes message and context as fields of one JSON line', () => {
    const { logger, lines } = capture();
    logger.warn('disk is nearly full', 'Storage');
    expect(lines).toMatchObject([{ level: 40, msg: 'disk is nearly full', context: 'Storage' }]);
  });

  it('contains the stack of an error', () => {
    const { logger, lines } = capture();
    logger.error(new Error('broken'), 'Storage');
    expect(lines[0]).toMatchObject({ msg: 'broken', err: { stack: expect.stringContaining('broken') } });
  });
});
