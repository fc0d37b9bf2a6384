import {
  type ContextOf,
  getResourceGroup,
  listResourceGroups,
  listUpcomingJobs,
  type OutputOf,
  type ParsedOf,
  updateResourceGroup,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { JobViews } from '../../job/job.view';
import { requireActive } from '../../pipeline/pipeline-rules';
import { ResourceGroups } from '../resource-group.repository';
import type { ResourceGroup } from '../resource-group.schema';
import { HandOnResource } from './hand-on-resource';
import { UpcomingJobs } from './upcoming-jobs';

type Target = ContextOf<typeof getResourceGroup>;

@Controller()
export class ResourceGroupOperations {
  constructor(
    private readonly groups: ResourceGroups,
    private readonly upcoming: UpcomingJobs,
    private readonly handing: HandOnResource,
    private readonly views: JobViews,
  ) {}

  @Handles(listResourceGroups)
  async list({ project }: Target, input: ParsedOf<typeof listResourceGroups>) {
    const { items, ...rest } = await this.groups.page(project.id, input);
    return { ...rest, items: items.map(view) };
  }

  @Handles(getResourceGroup)
  async get({ project }: Target, { key }: ParsedOf<typeof getResourceGroup>) {
    return view(await this.groups.get(project.id, key));
  }

  @Handles(updateResourceGroup)
  async update({ project }: Target, { key, process_mode }: ParsedOf<typeof updateResourceGroup>) {
    requireActive(project);
    if (process_mode === undefined) return view(await this.groups.get(project.id, key));
    const changed = await this.groups.setMode(project.id, key, process_mode);
    // Another job may be next in the new mode, if the previous mode waited for one that was not ready.
    await this.handing.handOn(project.id, key);
    return view(changed);
  }

  @Handles(listUpcomingJobs)
  async listUpcoming({ project }: Target, input: ParsedOf<typeof listUpcomingJobs>) {
    const group = await this.groups.get(project.id, input.key);
    const { items, total } = await this.upcoming.page(group, input);
    return { items: await this.views.many(items, () => project), total };
  }
}

const view = ({ _id, key, processMode, createdAt, updatedAt }: ResourceGroup): OutputOf<typeof getResourceGroup> => ({
  id: _id,
  key,
  process_mode: processMode,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
