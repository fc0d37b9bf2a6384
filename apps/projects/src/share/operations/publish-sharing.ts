import { groupChanged, projectChanged } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { keyParts, type SourceKey } from '../../member/source';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects } from '../../project/project.repository';

const touch = { $currentDate: { updatedAt: true } } as const;

/**
 * Publishes that the shares of a project or group changed. The event goes through the outbox, so it is never lost, and
 * every cache drops its levels.
 */
@Injectable()
export class PublishSharing {
  constructor(
    private readonly projects: Projects,
    private readonly namespaces: Namespaces,
    private readonly outbox: Outbox,
  ) {}

  async publish(source: SourceKey): Promise<void> {
    const { kind, id } = keyParts(source);
    if (kind === 'project') await this.publishProject(id);
    else await this.publishGroup(id);
  }

  private async publishProject(id: number): Promise<void> {
    const [project] = await this.projects.findByIds([id]);
    if (!project) return;
    const event = newEvent(projectChanged, { project_id: id, full_path: project.fullPath, change: 'updated' });
    await this.outbox.update(this.projects.model, { _id: id }, touch, event);
  }

  private async publishGroup(id: number): Promise<void> {
    const group = await this.namespaces.find(id);
    if (!group) return;
    const event = newEvent(groupChanged, { group_id: id, full_path: group.fullPath, change: 'updated' });
    await this.outbox.update(this.namespaces.model, { _id: id }, touch, event);
  }
}
