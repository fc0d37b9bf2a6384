import { type EventData, type EventRecord, groupDeleted, projectDeleted, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Dashboards } from '../dashboard/dashboard.repository';
import { VulnerabilityExports } from '../export/vulnerability-export.repository';
import { SecurityReports } from '../report/security-report.repository';
import { DepartedUsers } from '../vulnerability/departed-users';
import { Vulnerabilities } from '../vulnerability/vulnerability.repository';

/**
 * Removes vulnerabilities with their project, dashboards with their user, and exports with their owner; other records
 * of deleted users are shown as the ghost user's.
 */
@Injectable()
export class FollowDeletions {
  constructor(
    private readonly dashboards: Dashboards,
    private readonly departed: DepartedUsers,
    private readonly exports: VulnerabilityExports,
    private readonly reports: SecurityReports,
    private readonly vulnerabilities: Vulnerabilities,
  ) {}

  @OnEvent(projectDeleted, 'FollowDeletions-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.dashboards.forgetProject(data.project_id);
    await this.exports.forgetProject(data.project_id);
    await this.reports.forget(data.project_id);
    await this.vulnerabilities.forget(data.project_id);
  }

  @OnEvent(groupDeleted, 'FollowDeletions-onGroupDeleted')
  async onGroupDeleted({ data }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    await this.exports.forgetGroup(data.group_id);
  }

  @OnEvent(userDeleted, 'FollowDeletions-onUserDeleted')
  async onUserDeleted({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    await this.exports.forgetUser(data.user_id);
    await this.dashboards.forgetUser(data.user_id);
    await this.departed.note(data.user_id, data.ghost_user_id);
  }
}
