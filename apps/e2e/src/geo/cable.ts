import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The network between two sites: while it is interrupted, packets are dropped without an error. */
export class Cable {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private port: number,
  ) {
    server.on('connection', (near) => this.join(near));
  }

  /** @param port target on this machine */
  static async to(port: number): Promise<Cable> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new Cable(server, port);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Changes the target; existing connections are closed. */
  leadTo(port: number): void {
    this.port = port;
    this.drop();
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Packets sent during the interruption are lost. */
  mend(): void {
    if (!this.isCut) return;
    this.isCut = false;
    this.drop();
  }

  private drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async remove(): Promise<void> {
    this.drop();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(near: Socket): void {
    const far = connect(this.port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.on('data', (bytes) => {
        if (!this.isCut) other.write(bytes);
      });
    }
    if (this.isCut) near.pause();
  }
}
