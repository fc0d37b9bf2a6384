import { StartError } from '../data-folder/start-error';

const answerWithinMs = 120_000;

interface MutationAnswer<T> {
  data?: Record<string, (T & { errors: string[] }) | null> | null;
  errors?: { message: string }[];
}

/** Calls the v4 API as root, or with root's `sudo` as another user. */
export class SeedClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /**
   * @param where path in the seed, for people
   * @param sudo a user name
   * @throws StartError with the refusal of the server, and its place in the seed
   */
  async post<T = { id: number }>(where: string, route: string, body: object, sudo?: string): Promise<T> {
    return this.send<T>('POST', where, route, body, sudo);
  }

  async put(where: string, route: string, body: object): Promise<void> {
    await this.send('PUT', where, route, body);
  }

  /**
   * For changes that only GraphQL has.
   * @param selection the requested fields
   * @throws StartError as {@link post}
   */
  async mutate<T>(where: string, field: string, input: object, selection = ''): Promise<T> {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
    const query = `mutation ($input: ${type}) { ${field}(input: $input) { errors ${selection} } }`;
    const { data, errors } = await this.send<MutationAnswer<T>>('POST', where, '/graphql', {
      query,
      variables: { input },
    });
    const done = data?.[field];
    const refused = [...(errors ?? []).map(({ message }) => message), ...(done?.errors ?? [])];
    if (!done || refused.length > 0) throw new StartError(`${where}: ${field}: ${refused.join('; ')}`);
    return done;
  }

  private async send<T>(method: string, where: string, route: string, body: object, sudo?: string): Promise<T> {
    const path = route === '/graphql' ? '/api/graphql' : `/api/v4${route}`;
    const answer = await fetch(`${this.url}${path}`, {
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
