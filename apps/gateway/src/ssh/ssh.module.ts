import { Module } from '@nestjs/common';
import { GitAccessModule } from '../git-access/git-access.module';
import { LfsModule } from '../lfs/lfs.module';
import { SecondaryModule } from '../secondary/secondary.module';
import { SshServer } from './ssh-server';
import { SshSessions } from './ssh-session';

/** git over SSH. */
@Module({
  imports: [GitAccessModule, LfsModule, SecondaryModule],
  providers: [SshServer, SshSessions],
})
export class SshModule {}
