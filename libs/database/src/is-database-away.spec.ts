import { createServer, type Socket } from 'node:net';
import { createConnection, mongo } from 'mongoose';
import { isDatabaseAway } from './is-database-away';

const serverError = (code: number) => new mongo.MongoServerError({ message: 'refused', code });

describe('isDatabaseAway', () => {
  it('is true if nothing listens, by mongoose and by the driver', async () => {
    const uri = 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=50';
    const refusals = [createConnection(uri).asPromise(), new mongo.MongoClient(uri).connect()];
    for (const refusal of refusals) expect(isDatabaseAway(await refusal.catch((error: unknown) => error))).toBe(true);
  });

  it('is so when the server hangs up', async () => {
    const server = createServer((socket: Socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?serverSelectionTimeoutMS=50`);
    const failure = await client.connect().catch((error: unknown) => error);
    server.close();
    expect(isDatabaseAway(failure)).toBe(true);
  });

  it.each(['EPIPE', 'ECONNRESET'])('is so when the socket of a command is cut off: %s', (code) => {
    expect(isDatabaseAway(Object.assign(new Error(`write ${code}`), { code, syscall: 'write' }))).toBe(true);
  });

  it.each([91, 189, 11600, 11602, 10107, 13435])('is true if the server reports that it stops: %d', (code) => {
    expect(isDatabaseAway(serverError(code))).toBe(true);
  });

  it.each([11000, 14, 8000])('is not so when it refuses a command: %d', (code) => {
    expect(isDatabaseAway(serverError(code))).toBe(false);
  });

  it('is not so for other faults', () => {
    expect([new Error('x'), undefined, null, 'text', new TypeError()].map(isDatabaseAway)).toEqual(
      Array(5).fill(false),
    );
  });
});
