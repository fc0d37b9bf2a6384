import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, startServer } from './server.mjs';

/** A whole server that is rehearsed, by what it says of itself in its data folder. */
export class Running {
  constructor(dataFolder, server) {
    this.dataFolder = dataFolder;
    this.server = server;
    Object.assign(this, readConnection(dataFolder));
  }

  static async start(cwd, command, dataFolder) {
    const isReady = async () => {
      const { url, token } = readConnection(dataFolder);
      return (await fetch(`${url}/api/v4/version`, { headers: { 'private-token': token } })).ok;
    };
    const env = {
      PORT: String(await freePort()),
      SSH_PORT: '0',
      REGISTRY_PORT: '0',
      MOOTHALL_DATA_DIR: dataFolder,
      MONGODB_ENGINE: 'embedded',
    };
    return new Running(dataFolder, await startServer([process.execPath, command], { cwd, env, isReady }));
  }

  async api(method, rest, body) {
    const answer = await fetch(`${this.url}/api/v4${rest}`, {
      method,
      headers: { 'private-token': this.token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${rest}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** Where it listens is another each time. */
  async tell(paths) {
    const answers = await Promise.all(paths.map((rest) => this.api('GET', rest)));
    return JSON.stringify(answers).replaceAll(new URL(this.url).host, 'host');
  }
}

const readConnection = (dataFolder) => JSON.parse(readFileSync(path.join(dataFolder, 'connection.json'), 'utf8'));
