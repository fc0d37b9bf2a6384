import { StartError } from '../data-folder/start-error';

const answerWithinMs = 120_000;

/** The v4 interface as root, or as whoever root acts for. */
export class SeedClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /**
   * @param where of the seed, as a person finds it
   * @param sudo a username
   * @throws StartError with what the server refused, and where that stands in the seed
   */
  async post<T = { id: number }>(where: string, route: string, body: object, sudo?: string): Promise<T> {
    return this.send('POST', where, route, body, sudo);
  }

  async put(where: string, route: string, body: object): Promise<void> {
    await this.send('PUT', where, route, body);
  }

  private async send<T>(method: string, where: string, route: string, body: object, sudo?: string): Promise<T> {
    const answer = await fetch(`${this.url}/api/v4${route}`, {
      method,
      signal: AbortSignal.timeout(answerWithinMs),
      headers: { 'private-token': this.token, 'content-type': 'application/json', ...(sudo && { sudo }) },
      body: JSON.stringify(body),
    }).catch((error: Error) => {
      throw new StartError(`${where}: ${method} ${route}: no answer: ${error.message}`);
    });
    const text = await answer.text();
    if (!answer.ok) throw new StartError(`${where}: ${method} ${route}: ${answer.status} ${text.slice(0, 1000)}`);
    return JSON.parse(text) as T;
  }
}
