import { ask, connection } from '../server/connection';

/** An answer of the server, and its schema. */
export interface Answer {
  schema: string;
  request: string;
  body: unknown;
}

interface Sent {
  token?: string;
  method?: string;
  body?: object;
}

/** Sends requests whose answers have a schema, and collects the answers. */
export class Answers {
  readonly all: Answer[] = [];

  /**
   * @param schema file name; with `#/items` for one record of a list
   * @throws if the server refuses, or answers with an empty list, which would satisfy every schema
   */
  async take<T = { id: number }>(schema: string, path: string, sent: Sent = {}): Promise<T> {
    const body = await this.ask<T>(path, sent);
    this.all.push({ schema, request: `${sent.method ?? 'GET'} ${path}`, body });
    return body;
  }

  /** An answer without a schema of its own. */
  async ask<T>(path: string, { token = connection.token, method = 'GET', body }: Sent = {}): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    const response = await ask(`/api/v4${path}`, {
      token,
      method,
      ...(body && { headers, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const answer: unknown = JSON.parse(text);
    if (Array.isArray(answer) && answer.length === 0) throw new Error(`${path}: nothing in the list`);
    return answer as T;
  }

  /** A list whose schema describes a single record. */
  async takeEach(schema: string, path: string, sent?: Sent): Promise<void> {
    this.addEach(schema, `GET ${path}`, await this.ask<unknown[]>(path, sent));
  }

  /** Nested records of an answer. */
  addEach(schema: string, request: string, records: unknown[]): void {
    for (const [index, body] of records.entries()) this.all.push({ schema, request: `${request}[${index}]`, body });
  }

  post<T = { id: number; iid: number }>(schema: string, path: string, body: object): Promise<T> {
    return this.take<T>(schema, path, { method: 'POST', body });
  }

  put<T = { id: number; iid: number }>(schema: string, path: string, body: object): Promise<T> {
    return this.take<T>(schema, path, { method: 'PUT', body });
  }
}
