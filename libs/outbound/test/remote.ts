import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A server that answers any request with given bytes. */
export class Remote {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async saying(sendText: (socket: Socket) => void): Promise<Remote> {
    const server = createServer((socket) => {
      remote.sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => remote.sockets.delete(socket));
      socket.once('data', () => sendText(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const remote = new Remote(server, (server.address() as AddressInfo).port);
    return remote;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The answer of a proxy to raw HTTP text, until it closes the connection or the answer has the expected length. */
export function sendText(
  proxyUrl: string,
  words: string | Buffer,
  isEnough: (text: string) => boolean,
): Promise<string> {
  const { hostname, port } = new URL(proxyUrl);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(words));
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      if (isEnough(text)) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

/** The header with the secret that an address of the proxy carries. */
export function signed(proxyUrl: string): string {
  const { username, password } = new URL(proxyUrl);
  return `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
