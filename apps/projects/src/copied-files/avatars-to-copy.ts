import type { CopiedFile } from '@moothall/contracts';
import { type FileSource, textId } from '@moothall/files';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Avatar } from '../image/avatars';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import type { ProjectDocument } from '../project/project.schema';
import type { TopicDocument } from '../topic/topic.schema';

interface Shown {
  _id: number;
  avatar: Pick<Avatar, 'key'>;
}

/** Avatars of projects, groups and topics that a secondary copies. Each version has its own key, which is its id. */
@Injectable()
export class AvatarsToCopy implements FileSource<string> {
  readonly idOf = textId;
  readonly prefix = 'avatars';

  constructor(
    @InjectModel('Project') private readonly projects: Model<ProjectDocument>,
    @InjectModel('Namespace') private readonly namespaces: Model<NamespaceDocument>,
    @InjectModel('Topic') private readonly topics: Model<TopicDocument>,
  ) {}

  async above(id: string | undefined, limit: number): Promise<CopiedFile[]> {
    return (await this.among({ $gt: id ?? '' }, limit)).slice(0, limit);
  }

  /** Keys contain the owner, but not the time. */
  async newest(): Promise<CopiedFile[]> {
    return [];
  }

  async find(id: string): Promise<CopiedFile | undefined> {
    return (await this.among({ $eq: id }, 1)).at(0);
  }

  private async among(key: { $gt: string } | { $eq: string }, limit: number): Promise<CopiedFile[]> {
    const wanted = { 'avatar.key': key };
    const [ofProjects, ofGroups, ofTopics] = await Promise.all([
      this.projects.find(wanted, { 'avatar.key': 1 }).sort({ 'avatar.key': 1 }).limit(limit).lean<Shown[]>(),
      this.namespaces.find(wanted, { 'avatar.key': 1 }).sort({ 'avatar.key': 1 }).limit(limit).lean<Shown[]>(),
      this.topics.find(wanted, { 'avatar.key': 1 }).sort({ 'avatar.key': 1 }).limit(limit).lean<Shown[]>(),
    ]);
    const files = [
      ...ofProjects.map(({ _id, avatar }) => view(avatar.key, [_id])),
      ...[...ofGroups, ...ofTopics].map(({ avatar }) => view(avatar.key, [])),
    ];
    return files.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  }
}

const view = (key: string, project_ids: number[]): CopiedFile => ({
  id: key,
  key,
  size: null,
  sha256: null,
  project_ids,
});
