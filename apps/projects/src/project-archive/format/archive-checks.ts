import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { ArchiveChecks } from '../../archive/archive-checks';
import type { ProjectsSettings } from '../../settings/settings';
import type { ArchiveFacts } from './check-in-thread';
import { type ArchiveLimits, archiveRefused } from './read-archive';

/** Limit of rows and files in one archive. */
const maxRecords = 2_000_000;

/** Validates project archives. */
@Injectable()
export class ProjectArchiveChecks extends ArchiveChecks<ArchiveLimits, ArchiveFacts> {
  constructor(@Inject(settingsToken) settings: ProjectsSettings) {
    super({
      thread: '@moothall/projects/project-archive/format/check-in-thread',
      limits: { maxBytes: settings.PROJECT_ARCHIVE_MAX_SIZE, maxRecords },
      withinSeconds: settings.PROJECT_IMPORT_CHECK_TIMEOUT,
      refuse: archiveRefused,
    });
  }
}
