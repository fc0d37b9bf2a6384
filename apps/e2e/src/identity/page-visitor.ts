import { connection } from '../server/connection';

/** Loads pages and submits their forms as a browser without scripts would; follows redirects within the server. */
export class PageVisitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly server = connection.url) {}

  /** Another browser with the same cookies. */
  copy(): PageVisitor {
    const other = new PageVisitor(this.server);
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  /** @returns the page, or the redirect to another server */
  async load(address: string, form?: URLSearchParams | FormData): Promise<Response> {
    const response = await this.send(address, form);
    const location = response.headers.get('location');
    const url = new URL(address, this.server);
    const isHere = location !== null && new URL(location, url).origin === new URL(this.server).origin;
    return isHere ? this.load(new URL(location, url).href) : response;
  }

  /** The same without following a redirect. */
  async send(
    address: string,
    form?: URLSearchParams | FormData,
    { method = form ? 'POST' : 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const response = await fetch(new URL(address, this.server), {
      method,
      body: form ?? null,
      redirect: 'manual',
      headers: {
        ...headers,
        accept: 'text/html,*/*;q=0.8',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      this.cookies.set(name!, value!);
    }
    return response;
  }

  /**
   * Fills in and submits a form of a page, the last one by default.
   * @param name of the form, if the page has several ones with names
   * @param of id of its record, if the page has several ones of that name
   */
  async submit(page: Response, fields: Record<string, string>, name?: string, of?: number | string): Promise<Response> {
    return this.sendFilled(page.url, formIn(await page.text(), name, of), fields);
  }

  /** Changes some fields of a form and submits it with the others as they are shown; '' for a box that is unchecked. */
  async change(
    page: Response,
    changes: Record<string, string>,
    name?: string,
    of?: number | string,
    files: Record<string, File> = {},
  ): Promise<Response> {
    const form = formIn(await page.text(), name, of);
    const fields = Object.entries({ ...shownFields(form), ...changes });
    const isUnchecked = ([field, value]: [string, string]) =>
      value === '' && form.includes(` type="checkbox" name="${field}"`);
    return this.sendFilled(page.url, form, Object.fromEntries(fields.filter((field) => !isUnchecked(field))), files);
  }

  private sendFilled(
    url: string,
    form: string,
    fields: Record<string, string>,
    files: Record<string, File> = {},
  ): Promise<Response> {
    const action = /^<form[^>]* action="([^"]*)"/.exec(form)?.[1] ?? url;
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?\/>/g)].map(
      ([, field, value]) => [field!, plain(value ?? '')] as [string, string],
    );
    const texts = [...hidden, ...Object.entries(fields)];
    const isMultipart = /^<form[^>]* enctype="multipart\/form-data"/.test(form);
    return this.load(action, isMultipart ? multipartOf(form, texts, files) : new URLSearchParams(texts));
  }

  async signIn(username: string, password: string): Promise<Response> {
    return this.submit(await this.load('/users/sign_in'), { login: username, password });
  }
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plain = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);

/** The HTML of a form of a page; the last one by default. */
function formIn(text: string, name: string | undefined, of?: number | string): string {
  const hidden = [name !== undefined && ['form', name], of !== undefined && ['of', of]].filter(
    (field) => field !== false,
  );
  const forms = text
    .split('<form')
    .slice(1)
    .map((form) => `<form${form.slice(0, form.indexOf('</form>'))}`);
  const fitting = forms.filter((form) =>
    hidden.every(([field, value]) => form.includes(`name="${field}" value="${value}"`)),
  );
  const form = name === undefined ? fitting.at(-1) : fitting[0];
  if (form === undefined) throw new Error(`The page has no form ${hidden.join(' ')}`);
  return form;
}

/** As a browser sends it: a field without a chosen file as an empty file. */
function multipartOf(form: string, texts: readonly [string, string][], files: Record<string, File>): FormData {
  const body = new FormData();
  for (const [name, text] of texts) body.append(name, text);
  for (const name of fileFieldsOf(form)) body.append(name, files[name] ?? new File([], ''));
  return body;
}

const fileFieldsOf = (form: string): string[] =>
  [...form.matchAll(/<input [^>]*>/g)].flatMap(([input]) =>
    input.includes(' type="file"') ? (/ name="([^"]*)"/.exec(input)?.[1] ?? []) : [],
  );

/** The visible fields of a form with their values; boxes that are checked. */
function shownFields(form: string): Record<string, string> {
  const inputs = [...form.matchAll(/<input (?!type="hidden")([^>]*)>/g)].map(([, attributes]) => attributes!);
  const attribute = (attributes: string, name: string) =>
    new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  const isSent = (attributes: string) =>
    !attributes.includes('type="file"') && (!attributes.includes('type="checkbox"') || / checked/.test(attributes));
  const texts = [...form.matchAll(/<textarea [^>]*?name="([^"]*)"[^>]*>\n?([^<]*)<\/textarea>/g)];
  const choices = [...form.matchAll(/<select [^>]*?name="([^"]*)"[^>]*>(.*?)<\/select>/gs)].map(([, name, options]) => [
    name!,
    attribute(/<option[^>]* selected[^>]*>/.exec(options!)?.[0] ?? options!, 'value'),
  ]);
  return Object.fromEntries(
    [
      ...inputs.filter(isSent).map((attributes) => [attribute(attributes, 'name'), attribute(attributes, 'value')]),
      ...texts.map(([, name, text]) => [name!, text!]),
      ...choices,
    ].map(([name, value]) => [name!, plain(value!)]),
  );
}
