import { type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { today } from '../access/grants';
import { AnnounceSharing } from '../share/announce-sharing';
import { Shares } from '../share/share.repository';
import { Members } from './member.repository';
import type { MemberDocument } from './member.schema';

/**
 * Removes memberships and shares whose day has come. They have counted for nothing since that day began; this tells
 * the caches, and clears the lists. Safe to run twice.
 */
const ends: JobQueue<Record<string, never>> = jobQueue({ name: 'projects.membership-ends' });
const everySeconds = 60;

@Injectable()
export class EndMemberships implements OnApplicationBootstrap {
  constructor(
    private readonly members: Members,
    private readonly shares: Shares,
    private readonly announce: AnnounceSharing,
    private readonly jobs: Jobs,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.every(ends, everySeconds, {});
  }

  @WorksOn(ends)
  async run(): Promise<void> {
    const over = { expiresAt: { $lte: today(), $type: 'string' } } as const;
    for await (const member of this.members.model.find(over).lean<MemberDocument>().cursor()) {
      await this.members.end(member);
    }
    for (const source of await this.shares.end(today())) await this.announce.of(source);
  }
}
