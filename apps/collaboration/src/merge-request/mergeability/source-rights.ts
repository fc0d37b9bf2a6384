import { Access, type Caller } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { ActingUser } from '../../user/acting-user';
import type { MergeRequestDocument } from '../record/merge-request.schema';

/** Permission to push to the source branch, which in a fork differs from permission to merge. */
@Injectable()
export class SourceRights {
  constructor(private readonly acting: ActingUser) {}

  async canPush({ sourceProjectId }: MergeRequestDocument, caller: Caller): Promise<boolean> {
    return (await this.findSource({ sourceProjectId }, caller)) !== undefined;
  }

  /** The source project, if the caller may push to it. */
  async findSource({ sourceProjectId }: Pick<MergeRequestDocument, 'sourceProjectId'>, caller: Caller) {
    if (sourceProjectId === null) return undefined;
    const source = await this.acting.findProject(caller, sourceProjectId);
    return source && source.accessLevel >= Access.Developer && !source.isArchived ? source : undefined;
  }
}
