import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { ArchiveChecks } from '../../archive/archive-checks';
import type { ProjectsSettings } from '../../settings/settings';
import type { ArchiveFacts } from './check-in-thread';
import { type ArchiveLimits, archiveRefused } from './read-archive';

/** Validates group archives; they can also be refused with group.not_saved. */
@Injectable()
export class GroupArchiveChecks extends ArchiveChecks<ArchiveLimits, ArchiveFacts> {
  constructor(@Inject(settingsToken) settings: ProjectsSettings) {
    super({
      thread: '@moothall/projects/group-archive/format/check-in-thread',
      limits: { maxBytes: settings.GROUP_IMPORT_MAX_SIZE },
      withinSeconds: settings.GROUP_IMPORT_CHECK_TIMEOUT,
      refuse: archiveRefused,
    });
  }
}
