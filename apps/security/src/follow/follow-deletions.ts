import { type EventData, type EventRecord, projectDeleted, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Dashboards } from '../dashboard/dashboard.repository';
import { SecurityReports } from '../report/security-report.repository';
import { Vulnerabilities } from '../vulnerability/vulnerability.repository';

/** Vulnerabilities go with their project, and dashboards with their user. */
@Injectable()
export class FollowDeletions {
  constructor(
    private readonly dashboards: Dashboards,
    private readonly reports: SecurityReports,
    private readonly vulnerabilities: Vulnerabilities,
  ) {}

  @OnEvent(projectDeleted, 'FollowDeletions-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.dashboards.forgetProject(data.project_id);
    await this.reports.forget(data.project_id);
    await this.vulnerabilities.forget(data.project_id);
  }

  @OnEvent(userDeleted, 'FollowDeletions-onUserDeleted')
  async onUserDeleted({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    await this.dashboards.forgetUser(data.user_id);
  }
}
