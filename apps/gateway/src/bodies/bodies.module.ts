import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { CredentialsModule } from '../credentials/credentials.module';
import { UploadsModule } from '../uploads/uploads.module';
import { BodyAdmission } from './body-admission';
import { FileBodies } from './file-bodies';
import { FileLimits } from './file-limits';
import { FormBodies } from './form-bodies';
import { MultipartBodies } from './multipart-bodies';

/** Which request bodies are read, and their limits. */
@Module({
  imports: [AccessModule, CredentialsModule, UploadsModule],
  providers: [BodyAdmission, FileBodies, FileLimits, FormBodies, MultipartBodies],
  exports: [FileLimits],
})
export class BodiesModule {}
