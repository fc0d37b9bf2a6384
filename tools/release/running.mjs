import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, startServer } from './server.mjs';

/** A running server in a rehearsal, described by the connection file in its data folder. */
export class Running {
  constructor(dataFolder, server) {
    this.dataFolder = dataFolder;
    this.server = server;
    Object.assign(this, readConnection(dataFolder));
  }

  /**
   * @param cwd the installation
   * @param command the program in it
   * @param more settings, user and program of Node, if not the usual ones
   */
  static async start(cwd, command, dataFolder, more = {}) {
    const { env = {}, user, node = process.execPath } = more;
    const isReady = async () => {
      const { url, token } = readConnection(dataFolder);
      return (await fetch(`${url}/api/v4/version`, { headers: { 'private-token': token } })).ok;
    };
    const usual = {
      PORT: String(await freePort()),
      SSH_PORT: '0',
      REGISTRY_PORT: '0',
      MOOTHALL_DATA_DIR: dataFolder,
      MONGODB_ENGINE: 'embedded',
    };
    const server = await startServer([node, command], { cwd, env: { ...usual, ...env }, isReady, user });
    return new Running(dataFolder, server);
  }

  async api(method, rest, body) {
    return (await this.ask(method, rest, body)).json();
  }

  /** @param body an object, which is sent as JSON, or a form */
  async ask(method, rest, body) {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${this.url}/api/v4${rest}`, {
      method,
      headers: { 'private-token': this.token, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${rest}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  /** The port differs each time. */
  async capture(paths) {
    const answers = await Promise.all(paths.map((rest) => this.api('GET', rest)));
    return JSON.stringify(answers).replaceAll(new URL(this.url).host, 'host');
  }
}

const readConnection = (dataFolder) => JSON.parse(readFileSync(path.join(dataFolder, 'connection.json'), 'utf8'));
