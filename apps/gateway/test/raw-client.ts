import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { GatewayUnderTest } from './gateway-under-test';

/** A connection with full control over every byte. */
export interface RawClient {
  socket: Socket;
  received(): string;
  /** All received bytes, once the server has ended the connection. */
  ended: Promise<string>;
}

export async function rawClient({ url }: Pick<GatewayUnderTest, 'url'>, head: string[] = []): Promise<RawClient> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  if (head.length > 0) socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, received: () => received, ended };
}
