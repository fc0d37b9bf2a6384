import { type PresignedUrl, releaseErrors } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EvidenceFiles } from './evidence.repository';
import type { Release } from './release.schema';

interface PresignedEvidence {
  releaseId: number;
  sha256: string;
}

/** Sends the files of evidences on the data port. */
@Injectable()
export class ServeEvidence implements OnModuleInit {
  constructor(
    private readonly files: EvidenceFiles,
    private readonly dataPort: DataPort,
  ) {}

  onModuleInit(): void {
    this.dataPort.serve<PresignedEvidence>('release-evidence', async ({ releaseId, sha256 }, _, response) => {
      const file = await this.files.find({ _id: releaseId }, sha256);
      if (!file) throw releaseErrors.evidenceNotFound();
      const body = Buffer.from(file.content);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': body.length,
        'content-security-policy': "default-src 'none'; sandbox",
      });
      response.end(body);
    });
  }

  /** @param seesPlans whether the caller may see milestones @throws release.evidence_not_found */
  async address(release: Release, number: number, seesPlans: boolean): Promise<PresignedUrl> {
    const evidence = release.evidences.find(({ id }) => id === number);
    const file = evidence && (await this.files.find(release, evidence.sha256));
    if (!file || (file.hasMilestones && !seesPlans)) throw releaseErrors.evidenceNotFound();
    const asked: PresignedEvidence = { releaseId: release._id, sha256: evidence.sha256 };
    return this.dataPort.presign('release-evidence', asked);
  }
}
