import { type EventData, type EventRecord, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { AccessRequests } from '../access-request/access-request.repository';
import { Badges } from '../badge/badge.repository';
import type { ErrorTrackingDocument } from '../error-tracking/error-tracking.schema';
import { Forks } from '../fork/forks';
import { Avatars } from '../image/avatars';
import { Invitations } from '../invitation/invitation.repository';
import { JobTokenScopes } from '../job-token-scope/job-token-scopes';
import { Members } from '../member/member.repository';
import { projectKey } from '../member/source';
import { Routes } from '../namespace/routes';
import { NotificationSettings } from '../notification/notification-settings';
import { ProjectExports } from '../project-archive/export/project-exports';
import { ProjectImports } from '../project-archive/import/project-imports';
import { Shares } from '../share/share.repository';
import { Stars } from '../star/star.repository';
import { StoredUploads } from '../upload/operations/stored-uploads';

/** Removes the records of a deleted project in this service, by the same event as other services. */
@Injectable()
export class ForgetProject {
  constructor(
    private readonly members: Members,
    private readonly shares: Shares,
    private readonly routes: Routes,
    private readonly requests: AccessRequests,
    private readonly notifications: NotificationSettings,
    private readonly invitations: Invitations,
    private readonly badges: Badges,
    private readonly stars: Stars,
    private readonly forks: Forks,
    private readonly avatars: Avatars,
    private readonly uploads: StoredUploads,
    private readonly exports: ProjectExports,
    private readonly imports: ProjectImports,
    private readonly jobTokenScopes: JobTokenScopes,
    @InjectModel('ErrorTracking') private readonly errorTracking: Model<ErrorTrackingDocument>,
  ) {}

  @OnEvent(projectDeleted, 'ForgetProject-deleted')
  async deleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    const id = data.project_id;
    const source = projectKey(id);
    await this.members.forget(source);
    await this.shares.forget(source);
    await this.requests.forget(source);
    await this.notifications.forget(source);
    await this.invitations.forget(source);
    await this.badges.forget(source);
    await this.stars.forget(id);
    await this.forks.orphan(id);
    await this.errorTracking.deleteOne({ _id: id });
    await this.avatars.forget('project', id);
    await this.uploads.forget(id);
    await this.exports.forget(id);
    await this.imports.forget(id);
    await this.jobTokenScopes.forgetProject(id);
    await this.routes.release('project', id);
  }
}
