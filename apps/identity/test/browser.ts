import type { InputOf, Operation, OperationContext } from '@moothall/contracts';
import type { ServiceUnderTest } from '@moothall/testing';

export interface Shown {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A browser that requests pages from the service as the gateway would. It stores cookies, and runs no scripts. */
export class TestBrowser {
  cookie?: string | undefined;

  constructor(
    private readonly identity: ServiceUnderTest,
    private readonly ip = '192.0.2.1',
  ) {}

  /** Requests a page, or sends a form. */
  async ask<T extends Operation>(operation: T, input: InputOf<T>): Promise<Shown> {
    const client = { ip: this.ip, userAgent: 'test', cookie: this.cookie };
    const context: OperationContext = { requestId: 'test', client };
    const { meta, body } = await this.identity.client.send(operation, operation.input.parse(input), context);
    const headers = meta.headers ?? {};
    this.cookie = headers['set-cookie']?.split(';')[0] ?? this.cookie;
    return { status: meta.status ?? 200, headers, body: new TextDecoder().decode(body) };
  }

  /** Loads a page, fills in its first form and sends it. */
  async submit<P extends Operation, T extends Operation>(
    page: P,
    where: InputOf<P>,
    form: T,
    fields: Record<string, unknown>,
  ): Promise<Shown> {
    const { body } = await this.ask(page, where);
    return this.ask(form, { ...hiddenFields(body), ...fields } as InputOf<T>);
  }
}

/** Hidden fields of a page's last form, as a browser would send them back. */
export function hiddenFields(body: string): Record<string, string> {
  const form = body.slice(body.lastIndexOf('<form'));
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?\/>/g)];
  const unescaped = (text: string) =>
    text.replace(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name as 'amp']!,
    );
  return Object.fromEntries(fields.map(([, name, value]) => [name!, unescaped(value ?? '')]));
}
