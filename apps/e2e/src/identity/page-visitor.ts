import { connection } from '../server/connection';

/** Loads pages and submits their forms as a browser without scripts would; follows redirects within the server. */
export class PageVisitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly server = connection.url) {}

  /** @returns the page, or the redirect to another server */
  async load(address: string, form?: URLSearchParams): Promise<Response> {
    const url = new URL(address, this.server);
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      body: form ?? null,
      redirect: 'manual',
      headers: {
        accept: 'text/html,*/*;q=0.8',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      this.cookies.set(name!, value!);
    }
    const location = response.headers.get('location');
    const isHere = location !== null && new URL(location, url).origin === new URL(this.server).origin;
    return isHere ? this.load(location) : response;
  }

  /** Fills in and submits the last form of a page. */
  async submit(page: Response, fields: Record<string, string>): Promise<Response> {
    const text = await page.text();
    const form = text.slice(text.lastIndexOf('<form'));
    const action = /action="([^"]*)"/.exec(form)![1]!;
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?\/>/g)].map(
      ([, name, value]) => [name!, plain(value ?? '')] as [string, string],
    );
    return this.load(action, new URLSearchParams([...hidden, ...Object.entries(fields)]));
  }

  async signIn(username: string, password: string): Promise<Response> {
    return this.submit(await this.load('/users/sign_in'), { login: username, password });
  }
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plain = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
