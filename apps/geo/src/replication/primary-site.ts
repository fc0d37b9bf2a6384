import { type InputOf, listGeoEvents, listGeoProjects, type OutputOf } from '@moothall/contracts';
import { sendRequest } from '@moothall/outbound';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { GeoSettings } from '../settings/settings';

const timeoutMs = 30_000;
/** A thousand projects are a megabyte, with long names and many groups above. */
const mostBytes = 32 * 1024 ** 2;

/** The primary has no more what comes after a cursor. */
export class CursorExpired extends Error {}

/** What this site follows. Redirects are refused: they would take the token elsewhere. */
@Injectable()
export class PrimarySite {
  private readonly address: URL | undefined;
  private readonly token: string;

  constructor(@Inject(settingsToken) { GEO_ROLE, GEO_PRIMARY_URL, GEO_PRIMARY_TOKEN }: GeoSettings) {
    if (GEO_ROLE === 'secondary' && GEO_PRIMARY_URL && GEO_PRIMARY_TOKEN) this.address = new URL(GEO_PRIMARY_URL);
    this.token = GEO_PRIMARY_TOKEN ?? '';
  }

  /** Whether there is one to follow. */
  get isKnown(): boolean {
    return this.address !== undefined;
  }

  /** @throws CursorExpired; Error with words for people */
  async events(input: InputOf<typeof listGeoEvents>): Promise<OutputOf<typeof listGeoEvents>> {
    return listGeoEvents.output.parse(await this.read('/geo/events', input)) as OutputOf<typeof listGeoEvents>;
  }

  /** @throws Error with words for people */
  async projects(input: InputOf<typeof listGeoProjects>): Promise<OutputOf<typeof listGeoProjects>> {
    return listGeoProjects.output.parse(await this.read('/geo/projects', input)) as OutputOf<typeof listGeoProjects>;
  }

  /** Where git finds the repository of a project, with what lets it in. */
  sourceOf(path: string): string {
    const url = this.below(`/${path}.git`);
    url.username = 'oauth2';
    url.password = this.token;
    return url.href;
  }

  private async read(path: string, parameters: object): Promise<unknown> {
    const url = this.below(`/api/v4${path}`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
    const { status, body } = await sendRequest({
      method: 'GET',
      url,
      headers: { 'private-token': this.token, accept: 'application/json' },
      body: '',
      verifiesTls: true,
      policy: { allowsLocal: true, allowed: [] },
      timeoutMs,
      mostBytes,
    });
    if (status === 410) throw new CursorExpired();
    if (status !== 200) throw new Error(`The primary answers ${status} to GET ${path}`);
    try {
      return JSON.parse(body.toString());
    } catch {
      throw new Error(`The primary answers GET ${path} with what is no JSON`);
    }
  }

  private below(path: string): URL {
    const url = new URL(this.address as URL);
    url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
    return url;
  }
}
