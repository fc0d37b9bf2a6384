import type { GroupRef, ProjectRef } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';

/** URLs of pages and of the API, as clients reach them. See docs/api/answers.md#8. */
@Injectable()
export class Urls {
  private readonly base: string;

  constructor(@Inject(settingsToken) settings: ServiceSettings) {
    this.base = settings.EXTERNAL_URL.replace(/(?<!\/)\/+$/, '');
  }

  project({ fullPath }: Pick<ProjectRef, 'fullPath'>): string {
    return `${this.base}/${fullPath}`;
  }

  issue(project: Pick<ProjectRef, 'fullPath'>, iid: number): string {
    return `${this.project(project)}/-/issues/${iid}`;
  }

  group({ fullPath }: Pick<GroupRef, 'fullPath'>): string {
    return `${this.base}/groups/${fullPath}`;
  }

  /** URL in the API, as `/projects/1/issues/2`. */
  api(path: string): string {
    return `${this.base}/api/v4${path}`;
  }

  /** URL of a page at the root. */
  page(path: string): string {
    return `${this.base}${path}`;
  }
}
